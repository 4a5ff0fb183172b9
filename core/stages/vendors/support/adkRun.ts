// The compactions that Google's ADK makes along a view that grows at its end, one decision after each invocation.
import type { MessageFacts } from '../../../model/message.ts';
import { callsOf } from '../../../model/readMessage.ts';
import type { StageTokens } from '../../../view/types.ts';
import { GrowingUses } from './growingUses.ts';
import type { ToolUse } from './toolUses.ts';

/** A span of positions that a summary stands for. */
export interface AdkCompaction {
  readonly from: number;
  readonly to: number;
  /** Where the invocation ended after which it was made. */
  readonly end: number;
  /** New invocations it was made for. */
  readonly invocations: number;
  /** Invocations before those that it holds too. */
  readonly again: number;
  /** Tokens of the prompt that caused it; null = it was made by number. */
  readonly byTokens: number | null;
}

/** ADK's figures; 0 in interval and threshold = off. */
export interface AdkRules {
  readonly interval: number;
  readonly overlap: number;
  readonly threshold: number;
  readonly retention: number;
  /** Tokens of system prompt and tools: the prompt's size counts them. */
  readonly beside: number;
}

interface Turn {
  readonly start: number;
  readonly end: number;
  /** The last message of the assistant in it, before which its last request was made; null = there is none. */
  readonly lastAnswer: number | null;
}

type FactsAt = (position: number) => MessageFacts;

/** Follows a view message by message. Positions are those of the view. */
export class AdkRun {
  /** How many messages of instructions the view begins with. */
  head = 0;
  readonly sums: number[] = [0];
  readonly #rules: AdkRules;
  readonly #tokens: StageTokens;
  readonly #uses = new GrowingUses();
  #closedUses = 0;
  /** Of each position the last message of the assistant before it; -1 = none. */
  readonly #assistantBefore: number[] = [-1];
  /** Of a message of the assistant the last result of its calls. */
  readonly #lastResult = new Map<number, number>();
  /** Invocations that are over, and whose calls have their results. */
  readonly #turns: Turn[] = [];
  /** Those that are over, before the assistant has spoken again. */
  #ended: Turn[] = [];
  #start: number | null = null;
  #lastAnswer: number | null = null;
  #made: AdkCompaction[] = [];
  /** Tokens of the largest prompt since the last compaction. */
  #highest = 0;
  #highestAtEnd = 0;

  constructor(rules: AdkRules, tokens: StageTokens) {
    this.#rules = rules;
    this.#tokens = tokens;
  }

  /** The view has one more message, of so many tokens. */
  push(position: number, factsAt: FactsAt, tokens: number): void {
    const { role, beginsTurn } = factsAt(position);
    if (position === this.head && (role === 'system' || role === 'developer')) this.head++;
    else if (beginsTurn || this.#start === null) this.#beginTurn(position);
    this.#uses.push(position, factsAt);
    if (role === 'assistant') {
      this.#takeResults(this.#uses.closed.slice(this.#closedUses));
      this.#closedUses = this.#uses.closed.length;
      this.#made = this.#takeTurns(this.#ended, this.#made);
      this.#ended = [];
      this.#lastAnswer = position;
    }
    this.#assistantBefore.push(role === 'assistant' ? position : (this.#assistantBefore[position] ?? -1));
    this.sums.push((this.sums[position] ?? 0) + tokens);
  }

  /** The compactions that count for a request at the end of the view, in order: none of them lies inside another. */
  atEnd(factsAt: FactsAt): readonly AdkCompaction[] {
    const length = this.sums.length - 1;
    const ended = [...this.#ended, ...this.#lastTurn(length, factsAt)];
    const { length: known } = this.#turns;
    const highest = this.#highest;
    if (ended.length > 0) this.#takeResults(this.#uses.open(length, factsAt));
    const made = ended.length > 0 ? this.#takeTurns(ended, [...this.#made]) : this.#made;
    this.#highestAtEnd = this.#highest;
    this.#turns.length = known;
    this.#highest = highest;
    return made;
  }

  /** Tokens of the largest prompt since the last of the compactions that `atEnd` gave. */
  get highest(): number {
    return this.#highestAtEnd;
  }

  #beginTurn(position: number): void {
    if (this.#start !== null) this.#ended.push({ start: this.#start, end: position, lastAnswer: this.#lastAnswer });
    this.#start = position;
    this.#lastAnswer = null;
  }

  // The last invocation is over if an answer without calls ends it.
  #lastTurn(length: number, factsAt: FactsAt): Turn[] {
    const last = this.#lastAnswer;
    if (this.#start === null || last !== length - 1 || callsOf(factsAt(last)).length > 0) return [];
    return [{ start: this.#start, end: length, lastAnswer: last }];
  }

  #takeResults(uses: readonly ToolUse[]): void {
    for (const { call, results } of uses) {
      const last = results.reduce((latest, { message }) => Math.max(latest, message), call.message);
      this.#lastResult.set(call.message, Math.max(last, this.#lastResult.get(call.message) ?? 0));
    }
  }

  #takeTurns(ended: readonly Turn[], made: AdkCompaction[]): AdkCompaction[] {
    for (const turn of ended) {
      this.#turns.push(turn);
      const next = this.#byTokens(turn, made) ?? this.#byNumber(turn, made);
      if (next === null) continue;
      this.#highest = 0;
      // Spans begin and end one behind the other: only the latest can lie in the new one.
      for (let last = made.at(-1); last !== undefined && contains(next, last); last = made.at(-1)) made.pop();
      made.push(next);
    }
    return made;
  }

  // The latest place at or before a position that stands between no call and its result.
  #splitAt(position: number): number {
    const assistant = this.#assistantBefore[position] ?? -1;
    return position <= (this.#lastResult.get(assistant) ?? -1) ? assistant : position;
  }

  // What stands for the compacted spans is short beside them, whatever it says: the size of their placeholders is taken.
  #promptTokens({ lastAnswer, end }: Turn, made: readonly AdkCompaction[]): number {
    const summaries = made.length * this.#tokens.text('[100 earlier messages summarized]');
    const raw = (this.sums[lastAnswer ?? end] ?? 0) - (this.sums[made.at(-1)?.to ?? this.head] ?? 0);
    return this.#rules.beside + (this.sums[this.head] ?? 0) + summaries + raw;
  }

  #byTokens(turn: Turn, made: readonly AdkCompaction[]): AdkCompaction | null {
    const { threshold, retention } = this.#rules;
    const compacted = made.at(-1)?.to ?? this.head;
    if (threshold === 0) return null;
    const tokens = this.#promptTokens(turn, made);
    this.#highest = Math.max(this.#highest, tokens);
    if (tokens < threshold || turn.end - compacted <= retention) return null;
    const to = this.#splitAt(turn.end - retention);
    if (to <= compacted) return null;
    // The summary before is summarised with it: the new span takes its place.
    const from = made.at(-1)?.from ?? this.head;
    return { from, to, end: turn.end, invocations: this.#turns.length, again: 0, byTokens: tokens };
  }

  #byNumber(turn: Turn, made: readonly AdkCompaction[]): AdkCompaction | null {
    const { interval, overlap } = this.#rules;
    if (interval === 0) return null;
    const compacted = made.at(-1)?.to ?? this.head;
    const at = this.#turns.length - 1;
    let firstNew = at;
    while (firstNew > 0 && (this.#turns[firstNew - 1]?.end ?? 0) > compacted) firstNew--;
    const invocations = at - firstNew + 1;
    const to = this.#splitAt(turn.end);
    if (invocations < interval || to <= compacted) return null;
    const again = Math.min(firstNew, overlap);
    const from = this.#turns[firstNew - again]?.start ?? this.head;
    return { from, to, end: turn.end, invocations, again, byTokens: null };
  }
}

function contains(outer: AdkCompaction, inner: AdkCompaction): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}
