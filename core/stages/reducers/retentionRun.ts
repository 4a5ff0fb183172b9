// One run of tool-result retention: judge every result by its rule, then cut earlier where the tier has a cap. Written
// for long transcripts: only messages that hold results are looked at, and what stays shares its sentence.
import type { MessageFacts, Part } from '../../model/message.ts';
import { capTokens } from '../../tokens/budget.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import { BEGINS_TURN, HOLDS_RESULT, outlineOf } from '../../view/outline.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { itemPartTokens } from '../../view/tokens.ts';
import type { Fate, PartFate, StageContext, View, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { resultNames } from './callNames.ts';
import { EXPIRED, expiredItem } from './expiry.ts';
import type { RetentionParams, RetentionRule } from './retentionRules.ts';
import { KeptSentences, type Verdict, wordsFor } from './retentionWords.ts';

/** What the run gives its stage. */
export interface RetentionOutcome {
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly explain: (position: number) => Fate;
  readonly expired: number;
  readonly early: number;
  readonly reclaimedChars: number;
}

/** A message that holds results, with what was decided about each. */
interface Judged {
  readonly position: number;
  readonly facts: MessageFacts;
  readonly verdicts: Verdict[];
}

/** A run over one view. */
export class RetentionRun {
  readonly #params: RetentionParams;
  readonly #context: StageContext;
  readonly #reader: ViewReader;
  readonly #outline: (position: number) => number;
  readonly #nameOf: (position: number, part: number) => string | null;
  /** Number of turns that count, and the position behind which nothing counts: the last time the stage acted. */
  readonly #turns: number;
  readonly #end: number;
  readonly #kept: KeptSentences;

  constructor(view: View, params: RetentionParams, context: StageContext) {
    this.#params = params;
    this.#context = context;
    this.#reader = readView(view, context.source, context.memo);
    this.#outline = outlineOf(this.#reader, context);
    this.#nameOf = resultNames(this.#reader, context.source, context.memo, context.at);
    const acted = this.#lastAct();
    this.#turns = acted.turns;
    this.#end = acted.end;
    this.#kept = new KeptSentences(context.stage, params, acted.actedAt);
  }

  run(): RetentionOutcome {
    const judged = this.#judgeAll();
    const early = this.#cutEarly(judged);
    const fates = new Map<number, Fate>();
    const kept: (Fate | undefined)[] = [];
    let items: ViewItem[] | null = null;
    let reclaimedChars = 0;
    let expired = 0;
    for (const message of judged) {
      const { position, verdicts } = message;
      const gone = verdicts.filter((verdict) => verdict.expired);
      const item = gone.length === 0 ? null : this.#expire(message, gone);
      const index = this.#reader.indexOf(position);
      if (item === null) {
        kept[position] = verdicts.length === 1 ? verdicts[0]?.kept : this.#keptOf(message);
        continue;
      }
      items ??= this.#items();
      items[position] = item;
      expired += gone.length;
      const chars = gone.reduce((sum, verdict) => sum + savedChars(message.facts.parts[verdict.part]), 0);
      reclaimedChars += chars;
      if (index !== null) fates.set(index, this.#fateOf(message, gone, chars));
    }
    const none = keptBecause(this.#context.stage, NOT_CONCERNED, 'kept: holds no tool result');
    return { items, fates, explain: (position) => kept[position] ?? none, expired, early, reclaimedChars };
  }

  // With `every` the stage acts as it would have at the last turn whose number is a multiple; turns are counted in the
  // transcript, so that what earlier stages drop does not move the beat.
  #lastAct(): { readonly turns: number; readonly end: number; readonly actedAt: number | null } {
    const starts: number[] = [];
    for (let position = 0; position < this.#reader.length; position++) {
      if ((this.#outline(position) & BEGINS_TURN) !== 0) starts.push(position);
    }
    const { every } = this.#params;
    if (every <= 1) return { turns: starts.length, end: this.#reader.length, actedAt: null };
    const all = this.#turnsBefore();
    const turns = Math.max(0, starts.length - (all % every));
    return { turns, end: turns === 0 ? 0 : (starts[turns - 1] ?? 0), actedAt: all - (all % every) };
  }

  #turnsBefore(): number {
    const { source, at } = this.#context;
    let turns = 0;
    for (let index = 0; index < at; index++) if (source.facts(index).beginsTurn) turns++;
    return turns;
  }

  // From the end, so that what comes later is known: turns by subtraction, results of a tool by counting.
  #judgeAll(): readonly Judged[] {
    const judged: Judged[] = [];
    const later = new Map<string | null, number>();
    let turn = this.#totalTurns();
    for (let position = this.#reader.length - 1; position >= 0; position--) {
      const flags = this.#outline(position);
      if ((flags & HOLDS_RESULT) !== 0) judged.push(this.#judgeMessage(position, this.#turns - turn, later));
      if ((flags & BEGINS_TURN) !== 0) turn--;
    }
    return judged.reverse();
  }

  #totalTurns(): number {
    let turns = 0;
    for (let position = 0; position < this.#reader.length; position++) {
      if ((this.#outline(position) & BEGINS_TURN) !== 0) turns++;
    }
    return turns;
  }

  #judgeMessage(position: number, age: number, later: Map<string | null, number>): Judged {
    const facts = this.#reader.facts(position);
    const verdicts: Verdict[] = [];
    for (let at = facts.parts.length - 1; at >= 0; at--) {
      if (facts.parts[at]?.kind !== 'tool_result') continue;
      const name = this.#nameOf(position, at);
      const after = later.get(name) ?? 0;
      if (position < this.#end) later.set(name, after + 1);
      verdicts.push(this.#judge(at, name, age, after, position < this.#end));
    }
    return { position, facts, verdicts: verdicts.reverse() };
  }

  #judge(part: number, name: string | null, age: number, after: number, isDue: boolean): Verdict {
    const { rule, own } = this.#ruleFor(name);
    if (rule.mode === 'never') return { part, name, expired: false, kept: this.#kept.never(name, own) };
    const value = rule.mode === 'age' ? age : after;
    if (!isDue) return { part, name, expired: false, kept: this.#kept.notDue() };
    if (value < rule.value) return { part, name, expired: false, kept: this.#kept.young(rule, value, name, own) };
    return { part, name, expired: true, why: wordsFor(rule, value, name, own, this.#kept.actedAt) };
  }

  // Durable facts first; then the tool's own rule, wholly; then the default. A result of an unknown call has no tool.
  #ruleFor(name: string | null): { readonly rule: RetentionRule; readonly own: boolean } {
    if (name === null) return { rule: this.#params.rule, own: false };
    if (this.#params.neverEvict.has(name)) return { rule: { mode: 'never', value: 0 }, own: true };
    const own = this.#params.perTool.get(name);
    return own === undefined ? { rule: this.#params.rule, own: false } : { rule: own, own: true };
  }

  // A cap on the tier lets results expire before their time, the oldest first, until the rest is under it.
  #cutEarly(judged: readonly Judged[]): number {
    const cap = capTokens(this.#context.budget, 'tool_result');
    if (cap === null) return 0;
    const stub = this.#context.tokens.text(EXPIRED);
    const held = judged.flatMap((message) => this.#tokensOf(message));
    let total = held.reduce((sum, { verdict, tokens }) => sum + (verdict.expired ? Math.min(stub, tokens) : tokens), 0);
    const before = total;
    let early = 0;
    for (const { verdict, tokens } of held) {
      if (total <= cap) break;
      if (verdict.expired || this.#ruleFor(verdict.name).rule.mode === 'never' || tokens <= stub) continue;
      verdict.expired = true;
      verdict.early = true;
      verdict.why = `expired early: tool results take ${grouped(before)} tokens, over their cap of ${grouped(cap)}; the oldest go first, this one of ${grouped(tokens)}`;
      total -= tokens - stub;
      early++;
    }
    return early;
  }

  #tokensOf({ position, verdicts }: Judged): readonly { readonly verdict: Verdict; readonly tokens: number }[] {
    const tokens = itemPartTokens(this.#reader.item(position), this.#context);
    return verdicts.map((verdict) => ({ verdict, tokens: tokens[verdict.part] ?? 0 }));
  }

  #items(): ViewItem[] {
    return Array.from({ length: this.#reader.length }, (_, position) => this.#reader.item(position));
  }

  #expire({ position, facts, verdicts }: Judged, gone: readonly Verdict[]): ViewItem | null {
    const item = this.#reader.item(position);
    const made = expiredItem(
      item,
      facts,
      gone.map(({ part }) => part),
      this.#context,
    );
    if (made !== null) return made;
    for (const verdict of verdicts) if (verdict.expired) verdict.kept = this.#kept.already();
    return null;
  }

  #keptOf({ verdicts }: Judged): Fate | undefined {
    const first = verdicts.find((verdict) => verdict.kept !== undefined)?.kept;
    const reasons = [...new Set(verdicts.map(({ kept }) => kept?.reason ?? ''))];
    return first === undefined || reasons.length === 1 ? first : { ...first, reason: reasons.join('; ') };
  }

  #fateOf(message: Judged, gone: readonly Verdict[], chars: number): Fate {
    const why = [...new Set(gone.map((verdict) => verdict.why ?? ''))].join('; ');
    const early = gone.every((verdict) => verdict.early === true);
    return {
      kind: 'redacted',
      stage: this.#context.stage,
      rule: early ? 'over_tier_cap' : 'result_expired',
      reason: why,
      chip: `−${grouped(chars)}`,
      ...(message.facts.parts.length > 1 && { parts: this.#partFates(message) }),
    };
  }

  #partFates({ position, verdicts }: Judged): PartFate[] {
    return verdicts.flatMap((verdict): PartFate[] => {
      const part = this.#reader.rawPart(position, verdict.part);
      if (part === null) return [];
      return [
        verdict.expired
          ? { part, kind: 'redacted', reason: verdict.why ?? '' }
          : { part, kind: 'kept', reason: verdict.kept?.reason ?? '' },
      ];
    });
  }
}

function savedChars(part: Part | undefined): number {
  return Math.max(0, (part?.chars ?? 0) - EXPIRED.length);
}

/** The card's line. */
export function retentionSummary({ expired, early, reclaimedChars }: RetentionOutcome, messages: number): string {
  if (expired === 0) return `nothing expired in ${countOf(messages, 'message')}`;
  const before = early === 0 ? '' : `, ${grouped(early)} of them early (tier cap)`;
  return `${countOf(expired, 'result')} expired${before} · −${grouped(reclaimedChars)} chars`;
}
