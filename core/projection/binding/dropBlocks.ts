// Takes thinking that the provider drops out of a view: what the model does not see is not in the prompt.

import type { TranscriptSource } from '../../model/transcript.ts';
import { removeParts } from '../../view/editMessage.ts';
import { editWithout, originOf } from '../../view/origins.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import type { Fate, PartFate, StageMemo, ViewItem } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import type { ThinkingDecider } from './decider.ts';
import { causeOf, type FateOf } from './outcome.ts';
import { isThinking } from './places.ts';
import type { BindingInputs } from './types.ts';

export const PREFIX_MISMATCH = 'prefix_binding_mismatch';
export const MODEL_MISMATCH = 'model_binding_mismatch';

/** What drops, and why it is reported. */
export interface DropContext {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly judge: ThinkingDecider;
  readonly inputs: BindingInputs;
}

/** Whether a block is dropped by the provider. */
export function isDropped({ judge, inputs }: Pick<DropContext, 'judge' | 'inputs'>, ordinal: number): boolean {
  return judge.isForeign(ordinal) || (inputs.onMismatch === 'drop_block' && judge.fails(ordinal));
}

/** The item without dropped blocks; null = nothing of it is left; the item itself if it holds none. */
export function withoutDropped(context: DropContext, item: ViewItem): ViewItem | null {
  const { source, memo } = context;
  const facts = itemFacts(item, source, memo);
  if (!facts.signed) return item;
  const gone = new Set<number>();
  for (const [part, each] of facts.parts.entries()) {
    if (
      isThinking(each) &&
      each.signed === true &&
      ordinalsOf(context, item, part).some((at) => isDropped(context, at))
    )
      gone.add(part);
  }
  if (gone.size === 0) return item;
  if (gone.size === facts.parts.length) return null;
  return editWithout(item, removeParts(itemText(item, source), facts, gone), facts, gone);
}

function ordinalsOf({ judge }: DropContext, item: ViewItem, part: number): number[] {
  return originOf(item, part).flatMap(({ message, part: raw }) => {
    const ordinal = ordinalOf(judge, message, raw);
    return ordinal === null ? [] : [ordinal];
  });
}

/** The position of a block in the table; null if the part is not one. */
export function ordinalOf({ table: { blocks, firstOf } }: ThinkingDecider, index: number, part: number): number | null {
  for (let at = firstOf.get(index) ?? blocks.length; blocks[at]?.index === index; at++)
    if (blocks[at]?.part === part) return at;
  return null;
}

/** True if one of a message's own blocks is dropped. */
export function losesOwn(context: DropContext, index: number): boolean {
  const { blocks, firstOf } = context.judge.table;
  for (let at = firstOf.get(index) ?? blocks.length; blocks[at]?.index === index; at++)
    if (isDropped(context, at)) return true;
  return false;
}

/** The fate of a message whose blocks are dropped; null = none is. `stands` = something of it is left. */
export function dropFate(
  context: DropContext,
  stages: readonly ResolvedStage[],
  index: number,
  stands: boolean,
  fateOf: FateOf,
): Fate | null {
  const { judge, inputs } = context;
  const { blocks, firstOf } = judge.table;
  const parts: PartFate[] = [];
  let rule = PREFIX_MISMATCH;
  for (let at = firstOf.get(index) ?? blocks.length; blocks[at]?.index === index; at++) {
    const block = blocks[at];
    if (block === undefined || !isDropped(context, at)) continue;
    const foreign = judge.isForeign(at);
    if (foreign) rule = MODEL_MISMATCH;
    const reason = foreign
      ? foreignReason(inputs, index)
      : `dropped by the provider (drop_block): ${causeOf(judge.breakOf(at), stages, fateOf).reason}`;
    parts.push({ part: block.part, kind: 'dropped', reason });
  }
  const gone = new Set(parts.map(({ part }) => part));
  const all = [...context.source.facts(index).parts.keys()];
  const others = stands ? all.filter((part) => !gone.has(part)) : [];
  const [first] = parts;
  if (first === undefined) return null;
  return {
    kind: stands ? 'rewritten' : 'dropped',
    stage: stages.length,
    rule,
    reason: first.reason,
    chip: `${countOf(parts.length, 'thinking block')} dropped`,
    parts: [...parts, ...others.map((part): PartFate => ({ part, kind: 'kept', reason: 'it stays' }))],
  };
}

function foreignReason({ reader, makerOf }: BindingInputs, index: number): string {
  return `${reader ?? 'the model'} does not read thinking of ${makerOf(index) ?? 'another model'}: the provider drops it without a word`;
}
