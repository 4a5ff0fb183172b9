// One run of tool-result retention: judge every result by its rule, then cut earlier where the tier has a cap. Written
// for long transcripts: only messages that hold results are looked at, and what stays shares its sentence.
import type { MessageFacts } from '../../../../core/model/message.ts';
import { EXPIRED, expiredItem } from '../../../../core/stages/reducers/expiry.ts';
import {
  describeEarly,
  type HeldByResults,
  RetentionDecider,
  ruleFor,
  savedChars,
} from '../../../../core/stages/reducers/retentionDecider.ts';
import type { RetentionParams } from '../../../../core/stages/reducers/retentionRules.ts';
import type { RetentionDecision } from '../../../../core/stages/reducers/retentionWords.ts';
import { capTokens } from '../../../../core/tokens/budget.ts';
import { keptBecause, NOT_CONCERNED } from '../../../../core/view/fates.ts';
import { BEGINS_TURN, HOLDS_RESULT, outlineOf } from '../../../../core/view/outline.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import { itemPartTokens } from '../../../../core/view/tokens.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type Pausing,
  type StageContext,
  type View,
  type ViewItem,
} from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import { resultNames } from '../plainReading.ts';

/** Messages judged between two pauses: that is quicker than to edit them. */
const JUDGED_AT_ONCE = 4_096;

/** What the run gives its stage. */
export interface RetentionOutcome {
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly explain: (position: number) => Fate;
  readonly expired: number;
  /** Null = no cap is set. */
  readonly held: HeldByResults | null;
  readonly reclaimedChars: number;
}

/** A message that holds results, with what was decided about each. */
interface Judged {
  readonly position: number;
  readonly facts: MessageFacts;
  readonly verdicts: RetentionDecision[];
}

/** When the stage acts, with `every` K: the last turn whose number is a multiple of K; null = at every request. */
export function lastBeat(turnsBefore: number, every: number): number | null {
  return every <= 1 ? null : turnsBefore - (turnsBefore % every);
}

/** A run over one view. */
export class RetentionRun {
  readonly #view: View;
  readonly #params: RetentionParams;
  readonly #context: StageContext;
  readonly #reader: ViewReader;
  readonly #outline: (position: number) => number;
  readonly #nameOf: (position: number, part: number) => string | null;
  readonly #starts: readonly number[];
  /** Number of turns that count, and the position behind which nothing counts: the last time the stage acted. */
  readonly #turns: number;
  readonly #end: number;
  readonly #judge: RetentionDecider;

  constructor(view: View, params: RetentionParams, context: StageContext) {
    this.#view = view;
    this.#params = params;
    this.#context = context;
    this.#reader = readView(view, context.source, context.memo);
    this.#outline = outlineOf(this.#reader, context);
    this.#nameOf = resultNames(this.#reader, context.source, context.memo, context.at);
    this.#starts = this.#turnStarts();
    // Turns are counted in the transcript, so that what earlier stages drop does not move the beat.
    const before = params.every <= 1 ? 0 : this.#turnsBefore();
    const actedAt = lastBeat(before, params.every);
    this.#turns = Math.max(0, this.#starts.length - (actedAt === null ? 0 : before - actedAt));
    this.#end = actedAt === null ? this.#reader.length : (this.#starts[this.#turns - 1] ?? 0);
    this.#judge = new RetentionDecider(params, context, actedAt);
  }

  *run(): Pausing<RetentionOutcome> {
    const judged = yield* this.#judgeAll();
    yield PAUSE;
    const held = this.#cutEarly(judged);
    const fates = new Map<number, Fate>();
    const kept = new Array<Fate | undefined>(this.#reader.length);
    let items: ViewItem[] | null = null;
    let reclaimedChars = 0;
    let expired = 0;
    for (const [at, message] of judged.entries()) {
      if (at % PAUSE_EVERY === 0) yield PAUSE;
      const { position, verdicts, facts } = message;
      const gone = goneOf(verdicts);
      const item = gone.length === 0 ? null : this.#expire(message, gone);
      if (item === null) {
        kept[position] = this.#judge.keptFate(verdicts, held);
        continue;
      }
      items ??= this.#view.items.slice();
      items[position] = item;
      expired += gone.length;
      reclaimedChars += savedChars(facts, gone);
      const before = this.#reader.item(position);
      if (before.kind === 'source') fates.set(before.index, this.#judge.expiredFate(before, facts, verdicts, gone));
    }
    const none = keptBecause(this.#context.stage, NOT_CONCERNED, NO_RESULT);
    return { items, fates, explain: (position) => kept[position] ?? none, expired, held, reclaimedChars };
  }

  #turnStarts(): readonly number[] {
    const starts: number[] = [];
    for (let position = 0; position < this.#reader.length; position++) {
      if ((this.#outline(position) & BEGINS_TURN) !== 0) starts.push(position);
    }
    return starts;
  }

  #turnsBefore(): number {
    const { source, at } = this.#context;
    let turns = 0;
    for (let index = 0; index < at; index++) if (source.facts(index).beginsTurn) turns++;
    return turns;
  }

  // From the end, so that what comes later is known: turns by subtraction, results of a tool by counting.
  *#judgeAll(): Pausing<readonly Judged[]> {
    const judged: Judged[] = [];
    const later = new Map<string | null, number>();
    let turn = this.#starts.length;
    for (let position = this.#reader.length - 1; position >= 0; position--) {
      if (position % JUDGED_AT_ONCE === 0) yield PAUSE;
      const flags = this.#outline(position);
      if ((flags & HOLDS_RESULT) !== 0) judged.push(this.#judgeMessage(position, this.#turns - turn, later));
      if ((flags & BEGINS_TURN) !== 0) turn--;
    }
    return judged.reverse();
  }

  #judgeMessage(position: number, turns: number, counts: Map<string | null, number>): Judged {
    const facts = this.#reader.facts(position);
    const verdicts: RetentionDecision[] = [];
    const isDue = position < this.#end;
    for (let at = facts.parts.length - 1; at >= 0; at--) {
      if (facts.parts[at]?.kind !== 'tool_result') continue;
      const name = this.#nameOf(position, at);
      const later = counts.get(name) ?? 0;
      if (isDue) counts.set(name, later + 1);
      verdicts.push(this.#judge.judge(at, name, { turns, later, isDue }));
    }
    return { position, facts, verdicts: verdicts.reverse() };
  }

  // A cap on the tier lets results expire before their time, the oldest first, until the rest is under it.
  #cutEarly(judged: readonly Judged[]): HeldByResults | null {
    const cap = capTokens(this.#context.budget, 'tool_result');
    if (cap === null) return null;
    const held = judged.flatMap((message) => this.#tokensOf(message));
    return cutEarly(held, cap, this.#context.tokens.text(EXPIRED), this.#params);
  }

  #tokensOf({ position, verdicts }: Judged): readonly HeldResult[] {
    const tokens = itemPartTokens(this.#reader.item(position), this.#context);
    return verdicts.map((verdict) => ({ verdict, tokens: tokens[verdict.part] ?? 0 }));
  }

  #expire({ position, facts }: Judged, gone: readonly RetentionDecision[]): ViewItem | null {
    return expiredItem(this.#reader.item(position), facts, gone, this.#context);
  }
}

// Most messages hold one result.
function goneOf(verdicts: readonly RetentionDecision[]): readonly RetentionDecision[] {
  const [only] = verdicts;
  if (verdicts.length === 1 && only !== undefined) return only.expired ? verdicts : NONE;
  return verdicts.filter((verdict) => verdict.expired);
}

const NONE: readonly RetentionDecision[] = [];

/** Said of messages without results. */
export const NO_RESULT = 'kept: holds no tool result';

/** The card's line. */
export function retentionSummary({ expired, held, reclaimedChars }: RetentionOutcome, messages: number): string {
  const early = held?.early ?? 0;
  if (expired === 0) return `nothing expired in ${countOf(messages, 'message')}`;
  const before = early === 0 ? '' : `, ${grouped(early)} of them early (tier cap)`;
  return `${countOf(expired, 'result')} expired${before} · −${grouped(reclaimedChars)} chars`;
}

/** A result and what it costs. */
interface HeldResult {
  readonly verdict: RetentionDecision;
  readonly tokens: number;
}

/**
 * Lets results expire before their time, the oldest first, until those that stay are under the tier's cap; gives how
 * many. `stub` = tokens of what stands in place of a body.
 */
function cutEarly(held: readonly HeldResult[], cap: number, stub: number, params: RetentionParams): HeldByResults {
  const before = held.reduce(
    (sum, { verdict, tokens }) => sum + (verdict.expired ? Math.min(stub, tokens) : tokens),
    0,
  );
  let after = before;
  let early = 0;
  for (const { verdict, tokens } of held) {
    if (after <= cap) break;
    if (verdict.expired || tokens <= stub || ruleFor(params, verdict.name).rule.mode === 'never') continue;
    verdict.expired = true;
    verdict.early = true;
    verdict.why = describeEarly(before, cap, tokens);
    after -= tokens - stub;
    early++;
  }
  return { cap, before, after, early };
}
