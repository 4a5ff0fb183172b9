// A record around a call may know what the call's own does not: the AI SDK's streams leave the answer out of the inner
// span, and only the outer one has it. Such an answer stands where the outer record ends, after the tools run in it.

import type { MessageMeta } from '../../../model/message.ts';
import type { TraceItem } from './item.ts';
import { type Json, joined } from './json.ts';
import type { Family } from './wrappers.ts';

/** The answer of a record around calls, where the last call in it has none, or a tool ran after it. */
export interface LateAnswer {
  readonly around: TraceItem;
  readonly call: TraceItem;
  readonly answers: readonly Json[];
  readonly meta: MessageMeta;
}

/** Late answers by the last item inside the record that knows them; `items` sorted by start. */
export function lateAnswersIn(
  items: readonly TraceItem[],
  wrappers: ReadonlySet<TraceItem>,
  family: Family,
): ReadonlyMap<TraceItem, readonly LateAnswer[]> {
  const calls = new Map<TraceItem, TraceItem>();
  const ends = new Map<TraceItem, TraceItem>();
  // Records in which a tool ran after the last call: that call's answer is not the last one.
  const goesOn = new Set<TraceItem>();
  for (const item of items) {
    const around = family.ancestors(item);
    for (const one of around) if (answersOf(one).length > 0) ends.set(one, item);
    // What happens inside a tool or an agent is its own.
    const own = around.slice(0, around.findIndex(({ isBoundary }) => isBoundary) + 1 || around.length);
    const nearest = own.find((one) => answersOf(one).length > 0);
    if (nearest && item.call && !wrappers.has(item)) {
      calls.set(nearest, item);
      goesOn.delete(nearest);
    } else if (nearest && item.tool && calls.has(nearest)) goesOn.add(nearest);
  }
  const late = new Map<TraceItem, LateAnswer[]>();
  for (const [around, call] of calls) {
    const end = ends.get(around);
    const isAnswered = call.call !== undefined && call.call.answers.length > 0 && !goesOn.has(around);
    if (!end || call.call === undefined || isAnswered || call.error !== undefined) continue;
    const meta = { ...around.call?.meta, ...call.call.meta };
    late.set(end, [...(late.get(end) ?? []), { around, call, answers: answersOf(around), meta }]);
  }
  return late;
}

function answersOf({ call, says }: TraceItem): readonly Json[] {
  return call?.answers ?? says ?? [];
}

/** The answer that must have made these calls, of what the tools recorded; null if none of them says its name. */
export function answerCalling(runs: readonly TraceItem[]): Json | null {
  const blocks = runs.flatMap(({ tool }) => {
    if (!tool || tool.name === null) return [];
    const members = [
      ['type', '"tool_use"'],
      ['id', tool.callId === null ? null : JSON.stringify(tool.callId)],
      ['name', JSON.stringify(tool.name)],
      ['input', tool.args ?? '{}'],
    ] as const;
    return [joined(...members).text];
  });
  return blocks.length === 0 ? null : joined(['role', '"assistant"'], ['content', `[${blocks.join(',')}]`]);
}
