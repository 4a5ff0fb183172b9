import { Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { StageInfo } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { addStage } from '../state/editSpec.ts';
import { PickList } from '../ui/PickList.tsx';
import { STARTER } from './custom/examples.ts';
import { byFamily } from './families.ts';
import { placeLast } from './placeStage.ts';
import { thinkingEffect } from './thinkingEffect.ts';
import { useThinkingStake } from './useThinkingStake.ts';

const NONE: readonly StageInfo[] = [];

/** Adds a stage of a kind chosen from a list, where the stated order has it. */
export function AddStage({ onAdd }: { readonly onAdd: (at: number) => void }) {
  const { store, actions } = useApp();
  const kinds = useAppState((state) => state.describe?.stages ?? NONE);
  const stake = useThinkingStake();
  const groups = byFamily(kinds).map(({ title, items }) => ({
    title,
    items: items.map(({ kind, title: name, help, keepsThinking }) => {
      return { name: kind, title: name, note: help, effect: thinkingEffect(keepsThinking, stake) };
    }),
  }));
  const add = (kind: string) => {
    const info = kinds.find((one) => one.kind === kind);
    if (!info) return;
    const { spec, at } = placeLast(addStage(store.getState().projection.spec, info, STARTER), kinds);
    onAdd(at);
    actions.setSpec(spec);
  };
  return (
    <PickList
      label="Stages"
      placeholder="Add a stage"
      groups={groups}
      empty="The list of stages is not loaded."
      onPick={add}
      head={stake && <p className="pick-head">{stake.words}</p>}
    >
      <Popover.Trigger className="add-stage" data-testid="add-stage">
        <Plus size={14} aria-hidden /> Add a stage
      </Popover.Trigger>
    </PickList>
  );
}
