// The compactions that Google's ADK would have made by the end of a view, one decision after each invocation.
import { callsOf } from '../../../model/readMessage.ts';
import { IS_ASSISTANT, outlineOf, turnsOf } from '../../../view/outline.ts';
import type { ViewReader } from '../../../view/reader.ts';
import type { StageContext } from '../../../view/types.ts';
import { toolUsesOf } from './toolUses.ts';

/** A span of positions that a summary stands for. */
export interface AdkCompaction {
  readonly from: number;
  readonly to: number;
  /** Where the invocation ended after which it was made. */
  readonly end: number;
  /** New invocations it was made for. */
  readonly invocations: number;
  /** Tokens of the prompt that caused it; null = it was made by number. */
  readonly byTokens: number | null;
}

interface Rules {
  readonly interval: number;
  readonly overlap: number;
  readonly threshold: number;
  readonly retention: number;
}

interface Turn {
  readonly start: number;
  readonly end: number;
  /** The last message of the assistant in it, before which its last request was made; null = there is none. */
  readonly lastAnswer: number | null;
}

/** The compactions that count at the end of the view, in order: none of them lies inside another. */
export function adkCompactions(
  reader: ViewReader,
  context: StageContext,
  rules: Rules,
  head: number,
  sums: Float64Array,
): readonly AdkCompaction[] {
  const run = new AdkRun(reader, context, rules, head, sums);
  return run.all();
}

class AdkRun {
  readonly #context: StageContext;
  readonly #rules: Rules;
  readonly #head: number;
  readonly #sums: Float64Array;
  readonly #turns: readonly Turn[];
  /** The latest place at or before each position that stands between no call and its result. */
  readonly #splits: Int32Array;
  readonly #made: AdkCompaction[] = [];

  constructor(reader: ViewReader, context: StageContext, rules: Rules, head: number, sums: Float64Array) {
    this.#context = context;
    this.#rules = rules;
    this.#head = head;
    this.#sums = sums;
    this.#turns = completeTurns(reader, context, head);
    this.#splits = splitPlaces(reader, context);
  }

  all(): readonly AdkCompaction[] {
    for (const at of this.#turns.keys()) {
      const next = this.#byTokens(at) ?? this.#byNumber(at);
      if (next === null) continue;
      // Spans begin and end one behind the other: only the latest can lie in the new one.
      for (let last = this.#made.at(-1); last !== undefined && contains(next, last); last = this.#made.at(-1)) {
        this.#made.pop();
      }
      this.#made.push(next);
    }
    return this.#made;
  }

  get #end(): number {
    return this.#made.at(-1)?.to ?? this.#head;
  }

  // What stands for the compacted spans is short beside them, whatever it says: the size of their placeholders is taken.
  #promptTokens(turn: Turn): number {
    const at = turn.lastAnswer ?? turn.end;
    const summaries = this.#made.length * this.#context.tokens.text('[100 earlier messages summarized]');
    return (this.#sums[this.#head] ?? 0) + summaries + (this.#sums[at] ?? 0) - (this.#sums[this.#end] ?? 0);
  }

  #byTokens(at: number): AdkCompaction | null {
    const turn = this.#turns[at];
    const { threshold, retention } = this.#rules;
    if (turn === undefined || threshold === 0) return null;
    const tokens = this.#promptTokens(turn);
    if (tokens < threshold || turn.end - this.#end <= retention) return null;
    const to = this.#splits[turn.end - retention] ?? 0;
    if (to <= this.#end) return null;
    // The summary before is summarised with it: the new span takes its place.
    return { from: this.#made.at(-1)?.from ?? this.#head, to, end: turn.end, invocations: at + 1, byTokens: tokens };
  }

  #byNumber(at: number): AdkCompaction | null {
    const turn = this.#turns[at];
    const { interval, overlap } = this.#rules;
    if (turn === undefined || interval === 0) return null;
    let firstNew = at;
    while (firstNew > 0 && (this.#turns[firstNew - 1]?.end ?? 0) > this.#end) firstNew--;
    const invocations = at - firstNew + 1;
    const to = this.#splits[turn.end] ?? 0;
    if (invocations < interval || to <= this.#end) return null;
    const start = this.#turns[Math.max(0, firstNew - overlap)]?.start ?? this.#head;
    return { from: start, to, end: turn.end, invocations, byTokens: null };
  }
}

function contains(outer: AdkCompaction, inner: AdkCompaction): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

function splitPlaces(reader: ViewReader, context: StageContext): Int32Array {
  const opened = new Int32Array(reader.length + 2);
  for (const { call, results } of toolUsesOf(reader, context)) {
    const last = results.reduce((latest, { message }) => Math.max(latest, message), call.message);
    opened[call.message + 1]!++;
    opened[last + 1]!--;
  }
  const splits = new Int32Array(reader.length + 1);
  let open = 0;
  for (let position = 0; position <= reader.length; position++) {
    open += opened[position] ?? 0;
    splits[position] = open === 0 ? position : (splits[position - 1] ?? 0);
  }
  return splits;
}

function completeTurns(reader: ViewReader, context: StageContext, head: number): readonly Turn[] {
  const outline = outlineOf(reader, context);
  const starts = turnsOf(reader, context).filter((start) => start >= head);
  if (head < reader.length && starts[0] !== head) starts.unshift(head);
  const turns = starts.map((start, at): Turn => {
    const end = starts[at + 1] ?? reader.length;
    let lastAnswer = end - 1;
    while (lastAnswer >= start && (outline(lastAnswer) & IS_ASSISTANT) === 0) lastAnswer--;
    return { start, end, lastAnswer: lastAnswer < start ? null : lastAnswer };
  });
  const last = turns.at(-1);
  const isOpen =
    last !== undefined && !(last.lastAnswer === last.end - 1 && callsOf(reader.facts(last.end - 1)).length === 0);
  return isOpen ? turns.slice(0, -1) : turns;
}
