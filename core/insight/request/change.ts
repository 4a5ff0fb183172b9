// Why a request differs from the one before it: what came, what was taken out and by which stage, what came back. Both
// requests are projections, so each cause is a stage's own word, and the causes add up to the difference.
// Source: spec of insight, 9.
import type { Projection } from '../../projection/types.ts';
import { UNTOUCHED } from '../../view/fates.ts';
import type { Fate, FateKind, SourceItem, SyntheticItem, View, ViewItem } from '../../view/types.ts';

/**
 * `new` = messages that the request before could not hold; the kinds of fates = what a stage made of messages that the
 * request before held as they were, or otherwise; `put_back` = messages that stages had taken out or changed before, and
 * no longer do; `put_in` and `taken_out` = messages that a stage writes; `tools` = definitions that messages load.
 */
export type CauseKind = 'new' | Exclude<FateKind, 'kept'> | 'put_back' | 'put_in' | 'taken_out' | 'tools';

/** One message in the exact difference: what was there before, and what is there now; null = nothing. */
export interface Difference {
  readonly before: ViewItem | null;
  readonly now: ViewItem | null;
  /** Tokens more now; below 0 = fewer. */
  readonly tokens: number;
}

/** What one rule of one stage, or the growth of the history, does to the request. */
export interface Cause {
  readonly kind: CauseKind;
  /** Position in the spec of the stage that decided; null = no stage did. */
  readonly stage: number | null;
  readonly rule: string | null;
  /** The stage's sentence of the first message: it names threshold and value. Empty where no stage decided. */
  readonly reason: string;
  /** Tokens more now; below 0 = fewer. All causes together are the difference of the requests. */
  readonly tokens: number;
  /** In the order of the request: what is gone first, then what is there now. */
  readonly differences: readonly Difference[];
}

/** As much of a projection as finding a change needs. */
export type Requested = Pick<Projection, 'at' | 'view' | 'said'>;

/** Tokens of one message of a request. */
export type CountItem = (item: ViewItem) => number;

/** What makes `now` another request than `before`: largest cause first. `tools` = tokens more of tools that messages load. */
export function requestChange(before: Requested, now: Requested, count: CountItem, tools = 0): readonly Cause[] {
  const causes = new Causes();
  const was = partsOf(before.view);
  const is = partsOf(now.view);
  for (const [index, item] of was.sources) {
    if (is.sources.has(index)) continue;
    causes.add(decidedBy(index < now.at ? now.said.fateOf(index) : UNTOUCHED, 'dropped'), {
      before: item,
      now: null,
      tokens: -count(item),
    });
  }
  for (const [index, item] of is.sources) {
    const old = was.sources.get(index) ?? null;
    if (old !== null && isSame(old, item)) continue;
    causes.add(causeOf(index, item, before, now), {
      before: old,
      now: item,
      tokens: count(item) - (old === null ? 0 : count(old)),
    });
  }
  for (const item of without(was.made, is.made)) {
    causes.add(madeBy(item, 'taken_out'), { before: item, now: null, tokens: -count(item) });
  }
  for (const item of without(is.made, was.made)) {
    causes.add(madeBy(item, 'put_in'), { before: null, now: item, tokens: count(item) });
  }
  if (tools !== 0) causes.addTools(tools);
  return causes.list();
}

interface Parts {
  readonly sources: ReadonlyMap<number, SourceItem>;
  readonly made: readonly SyntheticItem[];
}

function partsOf({ items }: View): Parts {
  const sources = new Map<number, SourceItem>();
  const made: SyntheticItem[] = [];
  for (const item of items) {
    if (item.kind === 'source') sources.set(item.index, item);
    else made.push(item);
  }
  return { sources, made };
}

function isSame(a: SourceItem, b: SourceItem): boolean {
  return a === b || (a.text === b.text && a.unrendered === b.unrendered);
}

// Two of one text count as two: what is there more often now was put in.
function without(items: readonly SyntheticItem[], others: readonly SyntheticItem[]): readonly SyntheticItem[] {
  const left = new Map<string, number>();
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1);
  return items.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    return count === 0;
  });
}

type Decided = Pick<Cause, 'kind' | 'stage' | 'rule' | 'reason'>;

function decidedBy({ kind, stage, rule, reason }: Fate, otherwise: CauseKind): Decided {
  return { kind: kind === 'kept' ? otherwise : kind, stage, rule, reason };
}

// A message of the new part of the history is new whatever stages made of it: the request before never held it.
function causeOf(index: number, item: SourceItem, before: Requested, now: Requested): Decided {
  if (index >= before.at) return { kind: 'new', stage: null, rule: null, reason: '' };
  const isRaw = item.text === undefined && item.unrendered === undefined;
  if (isRaw) return { ...decidedBy(before.said.fateOf(index), 'put_back'), kind: 'put_back' };
  return decidedBy(now.said.fateOf(index), 'rewritten');
}

function madeBy({ stage, made }: SyntheticItem, kind: CauseKind): Decided {
  return { kind, stage, rule: made?.rule ?? null, reason: made?.reason ?? '' };
}

class Causes {
  readonly #byKey = new Map<string, Decided & { tokens: number; differences: Difference[] }>();

  add(decided: Decided, difference: Difference): void {
    const cause = this.#of(decided);
    cause.tokens += difference.tokens;
    cause.differences.push(difference);
  }

  addTools(tokens: number): void {
    this.#of({ kind: 'tools', stage: null, rule: null, reason: '' }).tokens += tokens;
  }

  #of(decided: Decided) {
    const key = `${decided.kind} ${decided.stage} ${decided.rule}`;
    const known = this.#byKey.get(key) ?? { ...decided, tokens: 0, differences: [] };
    this.#byKey.set(key, known);
    return known;
  }

  list(): readonly Cause[] {
    return [...this.#byKey.values()].sort((a, b) => Math.abs(b.tokens) - Math.abs(a.tokens));
  }
}
