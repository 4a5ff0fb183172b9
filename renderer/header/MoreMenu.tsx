import { Check, Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useActions, useAppState } from '../state/context.tsx';
import type { Theme } from '../theme/resolveTheme.ts';

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** In a small window: what the header has buttons for where there is room. */
export function MoreMenu() {
  const theme = useAppState((state) => state.ui.theme);
  const { setTheme, openDialog } = useActions();
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="icon-button" aria-label="More" title="More" data-testid="header-more">
        <Ellipsis size={15} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.RadioGroup value={theme}>
            <DropdownMenu.Label className="menu-label">Theme</DropdownMenu.Label>
            {THEMES.map(([value, title]) => (
              <DropdownMenu.RadioItem key={value} className="menu-item" value={value} onSelect={() => setTheme(value)}>
                <span className="grow">{title}</span>
                {value === theme && <Check size={13} aria-hidden />}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => openDialog({ kind: 'keys' })}>
            Keyboard <kbd>?</kbd>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
