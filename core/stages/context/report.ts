// What a context policy says of messages: why they leave, why they stay.
import { keptBecause } from '../../view/fates.ts';
import type { Fate } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import type { Replacement } from './made.ts';
import type { ContextPolicyParams } from './params.ts';
import { leftOf, type Room } from './segments.ts';
import type { UsedSummary } from './summary.ts';
import type { WindowTotals } from './window.ts';

/** What was decided, in numbers. */
export interface Outcome {
  readonly room: Room;
  /** The room the window was drawn in: a placeholder counts there with the most it could take. */
  readonly drawnIn: Room;
  /** What a placeholder takes at most where one is wanted, whether it fits or not; 0 = none is wanted. */
  readonly placeholder: number;
  /** False where a larger max_input_tokens lets a summary in that covers messages of this history. */
  readonly isRoomAllThatMatters: boolean;
  readonly window: WindowTotals;
  /** Source index of the first message of the history that is shown; the call point if none is. */
  readonly firstShown: number;
  /** Source index of the first message of the unit that did not fit. */
  readonly refused: number;
  readonly standIn: Replacement | null;
}

function describeBudget(room: Room): string {
  const parts = [
    ['system', room.system],
    ['summary', room.summary],
    ['pending', room.pending],
    ['tools and what is not recorded', room.beside],
  ] as const;
  const taken = parts.flatMap(([name, tokens]) => (tokens > 0 ? [` − ${name} ${grouped(tokens)}`] : []));
  return `max_input_tokens ${grouped(room.total)} − reserve_output_tokens ${grouped(room.total - room.budget)}${taken.join('')}`;
}

function describeHard(room: Room): string {
  const besides = room.system + room.summary + room.pending + room.beside;
  const names = room.beside > 0 ? 'system, summary, pending and tools' : 'system, summary and pending';
  return `max_input_tokens ${grouped(room.total)}${besides > 0 ? ` − ${grouped(besides)} for ${names}` : ''}`;
}

/** Sentences of one projection: made once, shared by the messages they hold for. */
export class Sentences {
  readonly #stage: number;
  readonly #params: ContextPolicyParams;
  readonly #outcome: Outcome;
  readonly #ofTurns = new Map<number, Fate>();
  #refused: Fate | null = null;
  #older: Fate | null = null;
  #covered: Fate | null = null;
  #system: Fate | null = null;
  #all: Fate | null = null;

  constructor(stage: number, params: ContextPolicyParams, outcome: Outcome) {
    this.#stage = stage;
    this.#params = params;
    this.#outcome = outcome;
  }

  system(): Fate {
    this.#system ??= this.#systemSegment();
    return this.#system;
  }

  #systemSegment(): Fate {
    const { drawnIn: room } = this.#outcome;
    const text = `kept: the system segment is always first; it takes ${grouped(room.system)} of ${grouped(room.budget)} tokens`;
    return keptBecause(this.#stage, 'system_segment', text);
  }

  ofLastTurns(turnsAfter: number): Fate {
    const known = this.#ofTurns.get(turnsAfter);
    if (known !== undefined) return known;
    const { drawnIn: room, window } = this.#outcome;
    const turn = turnsAfter === 0 ? 'the last turn' : `turn ${turnsAfter + 1} from the end`;
    const text = `kept: ${turn}, keep_last_turns is ${this.#params.keepLastTurns}; history takes ${grouped(window.tokens)} of ${formatLeft(room.total, room)} tokens (${describeHard(room)})`;
    const made = keptBecause(this.#stage, 'keep_last_turns', text);
    this.#ofTurns.set(turnsAfter, made);
    return made;
  }

  /** All of the history is shown: one sentence for all of it. */
  allFits(): Fate {
    this.#all ??= this.#fits();
    return this.#all;
  }

  #fits(): Fate {
    const { drawnIn: room, window } = this.#outcome;
    const text = `kept: all of the history fits; it takes ${grouped(window.tokens)} of ${formatLeft(room.budget, room)} tokens (${describeBudget(room)})`;
    return keptBecause(this.#stage, 'token_budget', text);
  }

  /** `turnsAfter` = turns that begin after its unit; `used` = tokens of the unit and all newer ones. */
  inBudget(turnsAfter: number, used: number): Fate {
    const { drawnIn: room } = this.#outcome;
    const text = `kept: with all that is newer it takes ${grouped(used)} of ${formatLeft(room.budget, room)} tokens (${describeBudget(room)}); turn ${turnsAfter + 1} from the end, keep_last_turns is ${this.#params.keepLastTurns}`;
    return keptBecause(this.#stage, 'token_budget', text);
  }

  /** A message the window does not reach. `isRefused` = of the unit at which it ended. */
  outside(isRefused: boolean): Fate {
    if (isRefused) this.#refused ??= this.#left(`left out: ${this.#limit('it')}${this.#whatItNeeds()}`);
    else {
      const first = `#${this.#outcome.refused}`;
      this.#older ??= this.#left(`left out: older than ${first}, where the window ended: ${this.#limit(first)}`);
    }
    return (isRefused ? this.#refused : this.#older) ?? this.#left('left out');
  }

  #left(reason: string): Fate {
    const { window, standIn } = this.#outcome;
    const rule = window.end ?? 'token_budget';
    if (standIn === null) return { kind: 'dropped', stage: this.#stage, rule, reason };
    const placed = standIn.isOwn
      ? 'the transcript’s own summary replaces it'
      : 'no summary covers it, a placeholder replaces it';
    const details = `${reason}; ${placed}`;
    return { kind: 'summarised', stage: this.#stage, rule, reason: details };
  }

  // `unit` names the unit at which the window ended.
  #limit(unit: string): string {
    const { drawnIn: room, window } = this.#outcome;
    const { keepLastTurns, maxMessages } = this.#params;
    const what = `with ${unit} history would`;
    const tokens = grouped(this.#tokensWithRefused);
    switch (window.end) {
      case 'max_messages':
        return `${what} be ${countOf(window.messages + (window.refused?.messages ?? 0), 'message')}, max_messages is ${grouped(maxMessages)}`;
      case 'hard_total':
        return `${what} take ${tokens} of ${formatLeft(room.total, room)} tokens (${describeHard(room)}), too many even for the last ${countOf(keepLastTurns, 'turn')}`;
      default:
        return `${what} take ${tokens} of ${formatLeft(room.budget, room)} tokens (${describeBudget(room)})`;
    }
  }

  get #tokensWithRefused(): number {
    const { tokens, refused } = this.#outcome.window;
    return tokens + (refused?.tokens ?? 0);
  }

  // What would let in the unit at which the window ended: the least that does. A message that is older needs room for all
  // between, too, which nobody has counted.
  #whatItNeeds(): string {
    const { drawnIn: room, placeholder, window, isRoomAllThatMatters } = this.#outcome;
    if (window.end === 'max_messages' || window.end === null) return '';
    const { keepLastTurns, maxInputTokens, reserveOutputTokens } = this.#params;
    // A total that the policy names leaves tools beside it. A placeholder is left away where all fits: then less will do.
    const beside = maxInputTokens === null ? 0 : room.beside;
    const reserve = window.end === 'hard_total' ? 0 : reserveOutputTokens;
    const summary = Math.max(room.summary, placeholder);
    const total = this.#tokensWithRefused + room.system + summary + room.pending + beside + reserve;
    const most = placeholder > 0 ? 'at most ' : '';
    const needs = isRoomAllThatMatters ? [`${most}max_input_tokens ${grouped(total)}`] : [];
    const turn = (window.refused?.turnsAfter ?? 0) + 1;
    const fitsLastTurns = this.#tokensWithRefused <= leftOf(room.total, room);
    if (window.end === 'token_budget' && fitsLastTurns)
      needs.push(`keep_last_turns ${grouped(turn)} (it is ${grouped(keepLastTurns)})`);
    return needs.length === 0 ? '' : `; it would need ${needs.join(', or ')}`;
  }

  /** A message that the summary stands for. */
  covered(used: UsedSummary): Fate {
    this.#covered ??= this.#coveredBy(used);
    return this.#covered;
  }

  #coveredBy(used: UsedSummary): Fate {
    const origin = used.kind === 'artifact' ? `the ${used.artifact.origin} summary` : 'the summary';
    const to = used.kind === 'artifact' ? used.artifact.to : used.item.covers.to;
    const text = `${origin} of the messages before #${to} replaces it; with summarization none it would be history again`;
    return { kind: 'summarised', stage: this.#stage, rule: 'covered_by_summary', reason: text };
  }

  /** The source message that is the summary in use: presented at the head. */
  presented(): Fate {
    const text = `it is the latest summary: presented before the history, as ${this.#params.summaryRole} (summary_role)`;
    return { kind: 'merged', stage: this.#stage, rule: 'summary_segment', reason: text };
  }

  /** A summary that is not in use. */
  otherSummary(isUsed: boolean, isOff: boolean): Fate {
    const { maxInputTokens } = this.#params;
    const why = isUsed
      ? 'a later summary covers more'
      : isOff
        ? `summaries are left out (summarization ${this.#params.summarization}, include_kinds ${[...this.#params.includeKinds].join(', ')})`
        : `it covers nothing of this history, or does not fit the token budget (max_input_tokens ${maxInputTokens === null ? 'of the model' : grouped(maxInputTokens)})`;
    return { kind: 'dropped', stage: this.#stage, rule: 'summary_left_out', reason: `a summary: ${why}` };
  }

  /** A system message that the policy's own prompt replaces. */
  replacedSystem(): Fate {
    const reason = 'the policy’s system_prompt replaces it';
    return { kind: 'dropped', stage: this.#stage, rule: 'system_prompt', reason };
  }
}

// More may be reserved than there is: then nothing is left.
function formatLeft(limit: number, room: Room): string {
  return grouped(Math.max(0, leftOf(limit, room)));
}
