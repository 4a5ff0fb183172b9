// What a sentence about a message is checked against: the view that its stage was given, read again from its messages alone.
import { type Exchange, findExchanges, type PartPlace } from '../../../core/model/exchanges.ts';
import type { MessageFacts, Part } from '../../../core/model/message.ts';
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import type { ResolvedStage } from '../../../core/projection/parseSpec.ts';
import { type Budget, TIER_LABEL } from '../../../core/tokens/budget.ts';
import { createMemo } from '../../../core/view/memo.ts';
import { readView, type ViewReader } from '../../../core/view/reader.ts';
import { itemPartTokens, itemTokens } from '../../../core/view/tokens.ts';
import type { Fate, StageReport, View } from '../../../core/view/types.ts';
import { quarterTokens } from './quarterTokens.ts';

/** A stage, what it was given and made, and what it said of each message it was given. */
export interface StageSaid {
  readonly source: TranscriptSource;
  readonly at: number;
  readonly stage: ResolvedStage;
  /** As the spec has them; those that it leaves out are not there. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly budget: Budget | null;
  readonly before: View;
  readonly after: View;
  readonly report: StageReport;
  /** By source index. */
  readonly fates: ReadonlyMap<number, Fate>;
  /** The same stage, on the same messages, with other options or another budget. */
  again(options: Readonly<Record<string, unknown>>, budget?: Budget | null): StageSaid | null;
}

/** Counts of the messages that a stage was given. Nothing is taken from the stage. */
export class Given {
  readonly said: StageSaid;
  readonly reader: ViewReader;
  readonly length: number;
  readonly memo = createMemo();
  readonly #tokens;
  #turns: readonly number[] | null = null;
  #exchanges: readonly Exchange[] | null = null;

  constructor(said: StageSaid) {
    this.said = said;
    this.reader = readView(said.before, said.source, this.memo);
    this.length = this.reader.length;
    this.#tokens = quarterTokens(said.source);
  }

  option<T>(name: string, otherwise: T): T {
    return (this.said.options[name] ?? otherwise) as T;
  }

  facts(position: number): MessageFacts {
    return this.reader.facts(position);
  }

  /** Position of the message with a source index; -1 = it was not given. */
  position(index: number): number {
    return this.said.before.items.findLastIndex((item) => item.kind === 'source' && item.index === index);
  }

  /** Tokens of the messages at positions [from, to). */
  tokens(from: number, to: number): number {
    const items = this.said.before.items.slice(from, to);
    return items.reduce((sum, item) => sum + itemTokens(item, this.#counting), 0);
  }

  /** Tokens of the parts of a message. */
  partTokens(position: number): readonly number[] {
    return itemPartTokens(this.reader.item(position), this.#counting);
  }

  /** Tokens of the parts of which it holds, of the view before or after the stage. */
  tokensOf(which: 'before' | 'after', holds: (part: Part) => boolean, from = 0): number {
    return this.tokensIn(this.said[which], holds, from);
  }

  /** The same, of any view. */
  tokensIn(view: View, holds: (part: Part) => boolean, from = 0): number {
    const reader = readView(view, this.said.source, this.memo);
    return view.items.slice(from).reduce((sum, item, at) => {
      const counts = itemPartTokens(item, this.#counting);
      const { parts } = reader.facts(from + at);
      return sum + parts.reduce((own, part, i) => own + (holds(part) ? (counts[i] ?? 0) : 0), 0);
    }, 0);
  }

  text(...texts: readonly string[]): number {
    return this.#tokens.text(...texts);
  }

  /** Positions at which turns begin, but for those whose first message answers a call of what comes before the first. */
  get turns(): readonly number[] {
    if (this.#turns !== null) return this.#turns;
    const all = this.allTurns;
    let ofHead = 0;
    while (ofHead < all.length && this.splits(all[ofHead]!)) ofHead++;
    this.#turns = all.slice(ofHead);
    return this.#turns;
  }

  get allTurns(): readonly number[] {
    return this.range.filter((position) => this.facts(position).beginsTurn);
  }

  get range(): readonly number[] {
    return [...Array(this.length).keys()];
  }

  /** Number of a position's turn from the end; 0 = it comes before the first. */
  fromEnd(position: number): number {
    const before = this.turns.filter((start) => start <= position).length;
    return before === 0 ? 0 : this.turns.length - before + 1;
  }

  /** Where the turn with this number from the end begins. */
  turnFromEnd(number: number): number {
    return this.turns[this.turns.length - number] ?? this.length;
  }

  get exchanges(): readonly Exchange[] {
    this.#exchanges ??= findExchanges(this.length, this.reader.facts);
    return this.#exchanges;
  }

  /** Results that no call before them asked for, by id or within their turn: `position part`. */
  get orphans(): ReadonlySet<string> {
    const paired = new Set<string>();
    for (const { calls } of this.exchanges) {
      for (const { results } of calls) for (const { message, part } of results) paired.add(`${message} ${part}`);
    }
    const asked = new Set<string>();
    const found = new Set<string>();
    for (const position of this.range) {
      const { parts, role } = this.facts(position);
      for (const [at, { kind, callId }] of parts.entries()) {
        if (kind === 'tool_call' && role === 'assistant' && typeof callId === 'string') asked.add(callId);
        if (kind !== 'tool_result' || paired.has(`${position} ${at}`)) continue;
        if (typeof callId !== 'string' || !asked.has(callId)) found.add(`${position} ${at}`);
      }
    }
    return found;
  }

  /** True if a result answers no call of the turn before it. */
  get lateResults(): boolean {
    const paired = this.exchanges.flatMap(({ calls }) => calls.flatMap(({ results }) => results)).length;
    const all = this.range.flatMap((one) => this.facts(one).parts.filter(({ kind }) => kind === 'tool_result'));
    return all.length > paired;
  }

  /** True if two calls share an id: which of them a result answers is then a matter of the stage. */
  get repeatsIds(): boolean {
    const ids = this.range.flatMap((one) =>
      this.facts(one).parts.flatMap(({ kind, callId }) => (kind === 'tool_call' && callId != null ? [callId] : [])),
    );
    return new Set(ids).size < ids.length;
  }

  /** The last message that the stage left in the view. */
  get lastKept(): number {
    const left = new Set(this.said.after.items.flatMap((item) => (item.kind === 'source' ? [item.index] : [])));
    return this.range.findLast((position) => left.has(this.reader.indexOf(position) ?? -1)) ?? -1;
  }

  /** The text of a message of the view after the stage, by position. */
  textAfter(position: number): string {
    return readView(this.said.after, this.said.source, this.memo).text(position);
  }

  /** The text of a source message as the stage left it; null = it is in no place of its own. */
  left(index: number): string | null {
    const at = this.said.after.items.findIndex((item) => item.kind === 'source' && item.index === index);
    return at < 0 ? null : this.textAfter(at);
  }

  /** The budget without its cap on results. */
  get withoutCaps(): Budget | null {
    if (this.said.budget === null) return null;
    const { tool_result: _cap, ...caps } = this.said.budget.caps;
    return { ...this.said.budget, caps };
  }

  /** Turns, and before the first what is no instruction. */
  get invocations(): readonly { readonly start: number; readonly end: number }[] {
    const first = this.range.find((one) => !['system', 'developer'].includes(this.facts(one).role)) ?? this.length;
    const starts = [...new Set([first, ...this.allTurns])].sort((a, b) => a - b);
    return starts.map((start, at) => ({ start, end: starts[at + 1] ?? this.length }));
  }

  /** True if a part has as many characters as it was given. */
  isAsGiven({ message, part }: PartPlace): boolean {
    const index = this.reader.indexOf(message);
    if (index === null) return true;
    const after = readView(this.said.after, this.said.source, this.memo);
    const at = this.said.after.items.findIndex((item) => item.kind === 'source' && item.index === index);
    const id = this.facts(message).parts[part]?.callId;
    const parts = at < 0 ? [] : after.facts(at).parts;
    const { chars } = this.facts(message).parts[part] ?? { chars: 0 };
    return parts.some((own) => own.kind === 'tool_result' && own.callId === id && own.chars === chars);
  }

  /** True if a cut before a position parts a call from a result. */
  splits(cut: number): boolean {
    return this.exchanges.some(
      ({ message, calls }) => message < cut && calls.some(({ results }) => results.some((one) => one.message >= cut)),
    );
  }

  get #counting() {
    return { source: this.said.source, tokens: this.#tokens, memo: this.memo };
  }
}

/** `1,234` → 1234. */
export function number(words: string | undefined): number {
  return Number((words ?? '').replaceAll(',', ''));
}

/** The tier that a cap in words is on; null = on all. */
export function tierOf(words: string): string | null {
  const label = /^the cap on (.+) tokens$/.exec(words)?.[1];
  return label === undefined ? null : (Object.entries(TIER_LABEL).find(([, name]) => name === label)?.[0] ?? null);
}

/** One kind of sentence: what it looks like, and whether one is true of a message. */
export interface Claim {
  readonly name: string;
  readonly says: RegExp;
  /** True, or what is wrong. */
  check(match: RegExpExecArray, given: Given, index: number): true | string;
}

/** What is not so, in words; true = all is. */
export function unless(...facts: readonly (readonly [isTrue: boolean, otherwise: string])[]): true | string {
  return facts.find(([isTrue]) => !isTrue)?.[1] ?? true;
}
