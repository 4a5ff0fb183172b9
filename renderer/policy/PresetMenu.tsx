import type { ReactNode } from 'react';
import type { NamedSpec } from '../../core/projection/policyName.ts';
import type { PresetInfo } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { type PickGroup, PickList } from '../ui/PickList.tsx';
import { AfterSwitch } from './AfterSwitch.tsx';
import { inGroups } from './families.ts';

type Named = NamedSpec & Partial<Pick<PresetInfo, 'help' | 'group'>>;

interface Props {
  readonly presets: readonly Named[];
  readonly saved: readonly NamedSpec[];
  /** Name of the one the policy is, or was before it was edited. */
  readonly current: string | null;
  /** The trigger. */
  readonly children: ReactNode;
}

/** All policies to choose from: one's own first, then the presets by whose rules they are. */
export function PresetMenu({ presets, saved, current, children }: Props) {
  const { setPolicy } = useActions();
  const item = ({ name, title, help }: Named) => ({ name, title, note: help, isChosen: name === current });
  const own: readonly PickGroup[] = saved.length === 0 ? [] : [{ title: 'Saved by you', items: saved.map(item) }];
  const groups = inGroups(presets, ({ group }) => group).map(({ title, items }) => ({
    title,
    items: items.map(item),
  }));
  const choose = (name: string) => {
    const one = saved.find((each) => each.name === name) ?? presets.find((each) => each.name === name);
    if (one) setPolicy(one.spec.name === undefined ? { ...one.spec, name: one.name } : one.spec);
  };
  return (
    <PickList
      label="Policies"
      placeholder="Choose a policy"
      groups={[...own, ...groups]}
      empty="The list of presets is not loaded."
      onPick={choose}
      head={<AfterSwitch />}
    >
      {children}
    </PickList>
  );
}
