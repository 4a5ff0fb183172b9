import './header.css';
import {
  AlignLeft,
  CircleHelp,
  Columns2,
  Command as CommandIcon,
  Eye,
  type LucideIcon,
  Monitor,
  Moon,
  PanelBottom,
  PanelLeft,
  PanelRight,
  Search,
  Sun,
} from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { printed } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { Layout } from '../state/types.ts';
import { isDrawerShown, isLibraryShown, isPolicyShown } from '../state/uiActions.ts';
import { usePlatform } from '../state/usePlatform.ts';
import type { Theme } from '../theme/resolveTheme.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { FindButton } from './FindButton.tsx';
import { ModeSwitch } from './ModeSwitch.tsx';
import { MoreMenu } from './MoreMenu.tsx';

/** The top line: where we are, and how it is shown. */
export function Header() {
  const isOpen = useAppState((state) => state.session.id !== null);
  const ui = useAppState((state) => state.ui);
  const { toggleLibrary, togglePolicy, toggleDrawer, openDialog, openSearch } = useActions();
  const platform = usePlatform();
  return (
    <header className="header">
      {!ui.small && (
        <IconButton
          label="Library"
          keys={printed('mod+b', platform)}
          isPressed={isLibraryShown(ui)}
          onClick={toggleLibrary}
        >
          <PanelLeft size={15} />
        </IconButton>
      )}
      <Breadcrumb />
      <span className="grow" />
      {isOpen && <ModeSwitch />}
      {isOpen && <FindButton />}
      {isOpen && ui.mode === 'timeline' && <LayoutSwitch />}
      {isOpen && !ui.small && (
        <span className="header-group">
          <IconButton
            label="Drawer"
            keys={printed('mod+d', platform)}
            isPressed={isDrawerShown(ui)}
            onClick={toggleDrawer}
          >
            <PanelBottom size={15} />
          </IconButton>
          <IconButton
            label="Policy panel"
            keys={printed('mod+j', platform)}
            isPressed={isPolicyShown(ui)}
            onClick={togglePolicy}
          >
            <PanelRight size={15} />
          </IconButton>
        </span>
      )}
      <span className="header-group">
        <IconButton
          label="Search all transcripts"
          keys={printed('mod+shift+f', platform)}
          testId="search-button"
          onClick={openSearch}
        >
          <Search size={14} />
        </IconButton>
        {!ui.small && <ThemeButton />}
        <IconButton
          label="Commands"
          keys={printed('mod+k', platform)}
          testId="palette-button"
          onClick={() => openDialog({ kind: 'palette' })}
        >
          <CommandIcon size={14} />
        </IconButton>
        {ui.small ? (
          <MoreMenu />
        ) : (
          <IconButton label="Keyboard" keys="?" onClick={() => openDialog({ kind: 'keys' })}>
            <CircleHelp size={15} />
          </IconButton>
        )}
      </span>
    </header>
  );
}

const LAYOUTS: readonly {
  readonly value: Layout;
  readonly title: string;
  readonly key: string;
  readonly icon: LucideIcon;
}[] = [
  { value: 'raw', title: 'Raw', key: '1', icon: AlignLeft },
  { value: 'side', title: 'Side by side', key: '2', icon: Columns2 },
  { value: 'model', title: 'Model view', key: '3', icon: Eye },
];

function LayoutSwitch() {
  const layout = useAppState((state) => state.ui.layout);
  const isSmall = useAppState((state) => state.ui.small);
  const { setLayout } = useActions();
  const choose = (value: string) => {
    const chosen = LAYOUTS.find((one) => one.value === value);
    if (chosen) setLayout(chosen.value);
  };
  return (
    <ToggleGroup.Root type="single" className="layout-switch" value={layout} onValueChange={choose} aria-label="Panes">
      {LAYOUTS.map(({ value, title, key, icon: Icon }) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          className="layout-choice"
          title={`${title} (${key})`}
          aria-label={title}
          data-testid={`layout-${value}`}
        >
          {isSmall ? <Icon size={14} aria-hidden /> : title}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const THEME_NAME: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

function ThemeButton() {
  const theme = useAppState((state) => state.ui.theme);
  const { setTheme } = useActions();
  const Icon = { system: Monitor, light: Sun, dark: Moon }[theme];
  return (
    <IconButton label={`Theme: ${THEME_NAME[theme]}`} testId="theme-button" onClick={() => setTheme(NEXT_THEME[theme])}>
      <Icon size={14} />
    </IconButton>
  );
}
