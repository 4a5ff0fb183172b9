// Whether stand-ins changed what a policy decides: the law that every scrubbed transcript is held against.
import type { Projection } from '../projection/types.ts';
import type { Fate } from '../view/types.ts';

/** A difference of two projections that should decide the same. */
export interface OutcomeDifference {
  readonly what: 'fate' | 'kept' | 'order' | 'pointer';
  /** Source index, or position in the request. */
  readonly at: number;
}

/** What a scrubbed projection decides otherwise than the original: fates with their rules, kept messages, order, pointers. */
export function outcomeDifferences(original: Projection, scrubbed: Projection): readonly OutcomeDifference[] {
  return [
    ...differing('fate', original.fates.map(decisionOf), scrubbed.fates.map(decisionOf)),
    ...differing('kept', original.keptIndices.map(String), scrubbed.keptIndices.map(String)),
    ...differing('order', orderOf(original), orderOf(scrubbed)),
    ...differing('pointer', pointersOf(original), pointersOf(scrubbed)),
  ];
}

function differing(what: OutcomeDifference['what'], a: readonly string[], b: readonly string[]): OutcomeDifference[] {
  const found: OutcomeDifference[] = [];
  for (let at = 0; at < Math.max(a.length, b.length); at++) if (a[at] !== b[at]) found.push({ what, at });
  return found;
}

// What was decided, and by which rule; the sentences may name a stand-in.
function decisionOf({ kind, stage, rule, because, parts = [] }: Fate): string {
  return JSON.stringify([kind, stage, rule, because ?? null, parts.map((part) => [part.part, part.kind])]);
}

function orderOf({ view }: Projection): readonly string[] {
  return view.items.map((item) => (item.kind === 'synthetic' ? 'synthetic' : `${item.kind} ${item.index}`));
}

function pointersOf({ pointers }: Projection): readonly string[] {
  return pointers.map((pointer) => `${pointer.policy} ${pointer.source} ${pointer.content_chars}`);
}
