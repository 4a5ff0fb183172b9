import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useMemo } from 'react';
import { presetsFor } from '../../core/projection/presets.ts';
import { AfterSwitch } from '../policy/AfterSwitch.tsx';
import { inGroups } from '../policy/families.ts';
import { lastPolicy } from '../state/compareActions.ts';
import { useAppState } from '../state/context.tsx';
import { namedPolicies } from '../state/policyActions.ts';
import type { ComparedPolicy } from '../state/types.ts';
import { type PickGroup, PickList } from '../ui/PickList.tsx';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  readonly side: 'A' | 'B';
  /** What is chosen now; null = nothing. */
  readonly title: string | null;
  readonly onPick: (policy: ComparedPolicy) => void;
}

/** Every policy to choose from for one side: before the last change, one's own, presets. */
export function PolicyPick({ side, title, onPick }: Props) {
  const { groups, find } = useChoices();
  return (
    <PickList
      label={`Policies for ${side}`}
      placeholder={`Choose a policy for ${side}`}
      groups={groups.map((group) => ({
        ...group,
        items: group.items.map((item) => ({ ...item, isChosen: item.title === title })),
      }))}
      empty="The list of presets is not loaded."
      onPick={(name) => {
        const policy = find(name);
        if (policy !== undefined) onPick(policy);
      }}
      head={<AfterSwitch />}
    >
      <Popover.Trigger
        className="compare-pick"
        aria-label={`Policy ${side}: ${title ?? 'Choose…'}`}
        data-testid={`compare-pick-${side.toLowerCase()}`}
      >
        <span className="ellipsis">
          <Seen text={title ?? 'Choose…'} />
        </span>
        <ChevronDown size={13} aria-hidden />
      </Popover.Trigger>
    </PickList>
  );
}

function useChoices(): {
  readonly groups: readonly PickGroup[];
  readonly find: (name: string) => ComparedPolicy | undefined;
} {
  const describe = useAppState((state) => state.describe);
  const savedPolicies = useAppState((state) => state.savedPolicies);
  const hasCompactions = useAppState((state) => (state.session.info?.compactions ?? 0) > 0);
  const hasProjections = useAppState((state) => (state.session.info?.projections ?? 0) > 0);
  const after = useAppState((state) => state.ui.afterRecorded);
  const last = useAppState((state) => state.projection.past.at(-1)?.spec ?? null);
  return useMemo(() => {
    const presets = presetsFor(describe?.presets ?? [], hasCompactions, after, hasProjections);
    const { saved } = namedPolicies({ describe, savedPolicies });
    const own = saved.map(({ name, title, spec }) => ({ name: `saved:${name}`, title, spec }));
    const before = last === null ? [] : [lastPolicy(last)];
    const groups: PickGroup[] = [
      ...(before.length === 0 ? [] : [{ title: 'This session', items: before }]),
      ...(own.length === 0 ? [] : [{ title: 'Saved by you', items: own }]),
      ...inGroups(presets, ({ group }) => group).map(({ title, items }) => ({
        title,
        items: items.map(({ name, title: itemTitle, help }) => ({ name, title: itemTitle, note: help })),
      })),
    ];
    const all: readonly ComparedPolicy[] = [...before, ...own, ...presets];
    return { groups, find: (name) => all.find((policy) => policy.name === name) };
  }, [describe, savedPolicies, hasCompactions, hasProjections, after, last]);
}
