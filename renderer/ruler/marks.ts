// What the marks beside the scrollbar are, in numbers and words.
import type { UseOutcome } from '../../core/protocol/types.ts';
import type { FateKind } from '../../core/view/types.ts';
import { plural } from '../ui/format.ts';

export type RulerKind = 'change' | 'compaction' | 'finding' | 'hit' | 'use';

/** A mark at a row of the list. `count` = changes that it stands for. */
export interface RulerMark {
  readonly kind: RulerKind;
  readonly row: number;
  readonly fate?: FateKind | 'synthetic';
  readonly count: number;
  /** Of `use`: whether the request held it; `unknown` = not known yet. */
  readonly outcome?: UseOutcome | 'unknown';
}

/** Which half of the ruler a kind is in. */
export const SIDE: Readonly<Record<RulerKind, 'left' | 'right' | 'whole'>> = {
  change: 'left',
  compaction: 'whole',
  finding: 'right',
  hit: 'right',
  use: 'whole',
};

/** `12 changed rows, 1 compaction, 3 findings, 2 hits. Click to go there.` */
export function rulerWords(marks: readonly RulerMark[]): string {
  const count = (kind: RulerKind) => marks.reduce((sum, mark) => (mark.kind === kind ? sum + mark.count : sum), 0);
  const said = [
    [count('change'), 'change'],
    [count('compaction'), 'compaction'],
    [count('finding'), 'finding'],
    [count('hit'), 'hit'],
  ] as const;
  const parts = said.flatMap(([all, word]) => (all === 0 ? [] : [plural(all, word)]));
  const uses = count('use');
  if (uses > 0) parts.push(`${uses} on the trail of the selected message${goneWords(marks)}`);
  return parts.length === 0 ? 'No changes or hits in these rows' : `${parts.join(', ')}. Click to go there.`;
}

/** Rows of messages as marks of a kind; those in one row are one mark. */
export function marksAt(kind: RulerKind, rows: readonly (number | null)[]): readonly RulerMark[] {
  const counts = new Map<number, number>();
  for (const row of rows) if (row !== null) counts.set(row, (counts.get(row) ?? 0) + 1);
  return [...counts].map(([row, count]) => ({ kind, row, count }));
}

const WORST_LAST = ['original', 'elsewhere', 'unknown', 'gone'] as const;

/** Rows of messages on the trail of the selection; those in one row are one mark with the worst of their outcomes. */
export function trailMarksAt(
  places: readonly { readonly row: number | null; readonly outcome: UseOutcome | 'unknown' }[],
): readonly RulerMark[] {
  const byRow = new Map<number, (UseOutcome | 'unknown')[]>();
  for (const { row, outcome } of places) if (row !== null) byRow.set(row, [...(byRow.get(row) ?? []), outcome]);
  return [...byRow].map(([row, outcomes]) => {
    const outcome = WORST_LAST.findLast((one) => outcomes.includes(one)) ?? 'unknown';
    return { kind: 'use', row, count: outcomes.length, outcome };
  });
}

function goneWords(marks: readonly RulerMark[]): string {
  const gone = marks.filter(({ outcome }) => outcome === 'gone').length;
  return gone === 0 ? '' : `, ${gone} where the request did not hold it`;
}
