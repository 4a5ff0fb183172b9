import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { PresetInfo } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import type { NamedSpec } from './editSpec.ts';

interface Props {
  readonly presets: readonly (NamedSpec & Partial<Pick<PresetInfo, 'help'>>)[];
  readonly saved: readonly NamedSpec[];
  /** Name of the one the policy is, or was before it was edited. */
  readonly current: string | null;
  readonly children: ReactNode;
}

/** All policies to choose from: one's own first. */
export function PresetMenu({ presets, saved, current, children }: Props) {
  const { setSpec } = useActions();
  const item = (one: NamedSpec & { readonly help?: string | undefined }) => (
    <DropdownMenu.Item
      key={one.name}
      className="menu-item menu-item-two"
      data-name={one.name}
      onSelect={() => setSpec(one.spec.name === undefined ? { ...one.spec, name: one.name } : one.spec)}
    >
      <b>
        {one.title}
        {one.name === current && <Check size={13} aria-label="chosen" />}
      </b>
      {one.help !== undefined && <span className="mute">{one.help}</span>}
    </DropdownMenu.Item>
  );
  return (
    <DropdownMenu.Root>
      {children}
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu menu-wide" align="start" sideOffset={4} collisionPadding={8}>
          {saved.length > 0 && <DropdownMenu.Label className="menu-label">Saved by you</DropdownMenu.Label>}
          {saved.map(item)}
          <DropdownMenu.Label className="menu-label">Presets</DropdownMenu.Label>
          {presets.length === 0 && <p className="menu-note">The list of presets is not loaded.</p>}
          {presets.map(item)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
