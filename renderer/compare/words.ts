// What the mode Compare says. One place, so that screen and tests agree.
import { costMade } from '../../core/insight/costMade.ts';
import type {
  AlignedMark,
  ComparedKind,
  ComparedMessage,
  ComparedSums,
  WithinMessage,
} from '../../core/protocol/compareTypes.ts';
import type { Provenance } from '../../core/protocol/types.ts';
import { comparedDollars } from '../../core/util/dollars.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { figureSign, formatChange, formatCost, formatCount, formatTokens } from '../ui/format.ts';

export const MARK_SIGN: Readonly<Record<AlignedMark, string>> = {
  equal: '=',
  text: '≠',
  only_a: '◀ A',
  only_b: 'B ▶',
};

export const MARK_WORDS: Readonly<Record<AlignedMark, string>> = {
  equal: 'equal in both',
  text: 'other text',
  only_a: 'only in A',
  only_b: 'only in B',
};

/** In place of a message that a request has no message for. */
export function absentWords(within: WithinMessage | null): string {
  if (within === null) return 'not in this request';
  return within.index === null ? 'within a message that a stage made' : `within #${within.index}`;
}

export const KIND_TITLE: Readonly<Record<ComparedKind, string>> = {
  all: 'All',
  only_a: 'Only A',
  only_b: 'Only B',
  text: 'Text',
  fate: 'Neither',
};

/** `◀ A only`, `≠ text`. */
export function whereWords({ differs }: Pick<ComparedMessage, 'differs'>): string {
  return { only_a: '◀ A only', only_b: 'B ▶ only', text: '≠ text', fate: 'in neither' }[differs];
}

/** A column of the table of sums. */
export interface SumColumn {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly text: (sums: ComparedSums, other: ComparedSums) => string;
  /** B against A; `tone` = whether that is good news for B. null = nothing to say. */
  readonly change: (a: ComparedSums, b: ComparedSums) => SumChange | null;
}

export interface SumChange {
  readonly text: string;
  readonly tone: 'better' | 'worse' | 'plain';
}

/** The columns, in their order. */
export function sumColumns(provenance: Provenance, hasWindow: boolean): readonly SumColumn[] {
  const tokens = (id: string, title: string, help: string, of: (sums: ComparedSums) => number): SumColumn => ({
    id,
    title,
    help,
    text: (sums) => formatTokens(Math.round(of(sums)), provenance),
    change: (a, b) => toned(formatChange(of(a), of(b)), of(b) - of(a)),
  });
  const count = (
    id: string,
    title: string,
    help: string,
    of: (sums: ComparedSums) => number,
    all?: (sums: ComparedSums) => number,
  ): SumColumn => ({
    id,
    title,
    help,
    text: (sums) => (all ? `${formatCount(of(sums))} of ${formatCount(all(sums))}` : formatCount(of(sums))),
    change: (a, b) => toned(signed(of(b) - of(a)), of(b) - of(a)),
  });
  return [
    tokens('mean', 'Mean tok', 'Tokens of the messages of a request, on average', (sums) => sums.tokens.mean),
    tokens('p95', 'p95', '95% of the requests have at most this many', (sums) => sums.tokens.p95),
    tokens('peak', 'Peak', 'The largest request', (sums) => sums.tokens.peak),
    costColumn(provenance),
    count(
      'breaks',
      'Cache breaks',
      'Requests that do not continue the one before, the next one included',
      (sums) => sums.cacheBreaks,
    ),
    count(
      'gone',
      'Uses gone',
      'Of what messages relied on, as far as the text shows: not in the request then',
      (sums) => sums.usesGone,
      (sums) => sums.uses,
    ),
    ...(hasWindow ? [count('over', 'Over window', 'Requests that do not fit the window', (sums) => sums.over)] : []),
    count('refused', 'Refused', 'Requests that the provider would refuse for bound thinking', (sums) => sums.refused),
  ];
}

function costColumn(provenance: Provenance): SumColumn {
  const sign = figureSign(provenance);
  return {
    id: 'cost',
    title: 'Input cost',
    help: 'Input of the requests that were made, with what the cache serves; the next one is not counted',
    text(sums, other) {
      const { cost, unpriced } = costMade(sums);
      if (cost === null) return '–';
      const beside = costMade(other).cost;
      const text = beside === null ? formatCost(cost) : comparedDollars(cost, beside).a;
      return partialSum(`${sign}${text}`, unpriced);
    },
    change(a, b) {
      const [costA, costB] = [costMade(a).cost, costMade(b).cost];
      if (costA === null || costB === null) return null;
      const { more } = comparedDollars(costA, costB);
      if (more === null) return null;
      return toned(`${sign}${costB < costA ? '−' : '+'}${more}`, costB - costA);
    },
  };
}

function signed(more: number): string | null {
  if (more === 0) return null;
  return `${more < 0 ? '−' : '+'}${formatCount(Math.abs(more))}`;
}

function toned(text: string | null, more: number): SumChange | null {
  if (text === null) return null;
  return { text, tone: more === 0 ? 'plain' : more < 0 ? 'better' : 'worse' };
}

/** The table of sums as CSV: what a spreadsheet reads. Plain figures, as `parallax compare` gives them. */
export function sumsCsv(a: ComparedSums, b: ComparedSums, names: readonly [string, string]): string {
  const rows = (
    [
      ['tokens, mean', (sums) => sums.tokens.mean],
      ['tokens, 95%', (sums) => sums.tokens.p95],
      ['tokens, peak', (sums) => sums.tokens.peak],
      ['input cost, US dollars', (sums) => sums.cost],
      ['cache breaks', (sums) => sums.cacheBreaks],
      ['uses', (sums) => sums.uses],
      ['uses gone', (sums) => sums.usesGone],
      ['over the window', (sums) => sums.over],
      ['refused', (sums) => sums.refused],
      ['requests', (sums) => sums.requests],
      ['requests without a price', (sums) => sums.unpriced],
    ] satisfies readonly (readonly [string, (sums: ComparedSums) => number | null])[]
  ).map(([title, of]) => [title, of(a) ?? '', of(b) ?? '']);
  return [['', ...names], ...rows].map((cells) => cells.map(csvCell).join(',')).join('\n');
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
