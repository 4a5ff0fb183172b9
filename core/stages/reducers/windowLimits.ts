// Why turns go: each limit says from which turn on they stay. The one that reaches furthest counts.
import { type Budget, capTokens, TIER_LABEL, type Tier } from '../../tokens/budget.ts';
import { keptBecause } from '../../view/fates.ts';
import type { Fate } from '../../view/types.ts';
import { countOf, describeRoom, grouped } from '../../view/words.ts';
import type { SlidingWindowParams } from './slidingWindow.ts';
import { type FactsReader, safeTurn, type Turns } from './windowCut.ts';

/** The tiers whose caps let whole turns go; that of tool results lets results expire, the others only report. */
const WINDOW_TIERS: readonly Tier[] = ['user', 'assistant', 'thinking', 'tool_call'];

/** One reason to cut: turns before `turn` go because of it. */
export interface Limit {
  readonly turn: number;
  readonly rule: string;
  /** Said of the turn with this number from the end. */
  readonly why: (fromEnd: number) => string;
}

/** A number of tokens that what stays may take. `tier` null = all of it. */
export interface WindowCap {
  readonly name: string;
  readonly rule: string;
  readonly cap: number;
  readonly tier: Tier | null;
}

/** The caps in tokens that parameters and budget set. */
export function windowCaps({ tokens, fitBudget }: SlidingWindowParams, budget: Budget | null): readonly WindowCap[] {
  const caps: WindowCap[] = [];
  if (tokens > 0) caps.push({ name: 'the cap (tokens)', cap: tokens, rule: 'over_tokens', tier: null });
  if (fitBudget && budget !== null) {
    const { room, beside } = budget;
    const name = beside.total === 0 ? 'the budget' : `the budget (${describeRoom(budget)})`;
    caps.push({ name, cap: room, rule: 'over_budget', tier: null });
  }
  for (const tier of WINDOW_TIERS) {
    const cap = capTokens(budget, tier);
    if (cap === null) continue;
    caps.push({ name: `the cap on ${TIER_LABEL[tier]} tokens`, cap, rule: 'over_tier_cap', tier });
  }
  return caps;
}

/** All limits. `held(cap, turn)` = what the head and the turns from this one on take of a cap. */
export function limitsOf(
  reader: FactsReader,
  turns: Turns,
  params: SlidingWindowParams,
  caps: readonly WindowCap[],
  held: (cap: WindowCap, turn: number) => number,
): readonly Limit[] {
  return [
    byTurns(reader, turns, params),
    ...caps.map((cap) => underCap(reader, turns, cap, (turn) => held(cap, turn))),
  ];
}

function byTurns(reader: FactsReader, turns: Turns, { turns: keep, every }: SlidingWindowParams): Limit {
  const over = Math.max(0, turns.count - keep);
  const turn = safeTurn(reader, turns, over - (over % every), 'before');
  const chunk = every > 1 ? `, dropped ${grouped(every)} at a time` : '';
  return {
    turn,
    rule: 'older_than_window',
    why: (fromEnd) => `dropped: turn ${grouped(fromEnd)} from the end > ${countOf(keep, 'turn')} to keep${chunk}`,
  };
}

// The latest turn always stays, whatever it takes: a request without it answers nothing.
function underCap(
  reader: FactsReader,
  turns: Turns,
  { name, cap, rule }: WindowCap,
  from: (turn: number) => number,
): Limit {
  const last = Math.max(0, turns.count - 1);
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from(middle) > cap) low = middle + 1;
    else high = middle;
  }
  const safe = Math.min(last, safeTurn(reader, turns, low, 'after'));
  const over = (turn: number): string => `it would be ${grouped(from(turn))} tokens > ${grouped(cap)}, ${name}`;
  return {
    turn: safeTurn(reader, turns, safe, 'before'),
    rule,
    why(fromEnd) {
      const turn = turns.count - fromEnd;
      const which = `turn ${grouped(fromEnd)} from the end`;
      if (turn < low) return `dropped: with ${which} ${over(turn)}`;
      // By itself it would fit: it goes with the turn whose calls it answers.
      const bound = safeTurn(reader, turns, turn, 'before');
      return `dropped: a call and its result bind ${which} to turn ${grouped(turns.count - bound)}; with both ${over(bound)}`;
    },
  };
}

/** The first turn that stays. */
export function firstKept(limits: readonly Limit[]): number {
  return Math.max(...limits.map((limit) => limit.turn));
}

/** The fate of a turn that goes: the first limit that takes it decides, which is the plainest. */
export function droppedFate(turn: number, turns: Turns, limits: readonly Limit[], stage: number): Fate {
  const limit = limits.find((one) => turn < one.turn);
  return { kind: 'dropped', stage, rule: limit?.rule ?? null, reason: limit?.why(turns.count - turn) ?? '' };
}

/** Said of the messages before the first turn. */
export function headFate(stage: number): Fate {
  return keptBecause(stage, 'before_first_turn', 'kept: comes before the first turn');
}

/** What of a cap the head and the turns from one on take. */
export interface HeldByCap {
  readonly cap: WindowCap;
  readonly tokens: number;
}

/** Said of a turn that stays, by its number from the end; `held` with it, of each cap that is set. */
export function turnFate(
  fromEnd: number,
  params: SlidingWindowParams,
  stage: number,
  held: readonly HeldByCap[] = [],
): Fate {
  const reason =
    fromEnd > params.turns
      ? `kept: turn ${grouped(fromEnd)} from the end, of more than ${grouped(params.turns)} to keep; turns go ${grouped(params.every)} at a time and never between a call and its result`
      : `kept: turn ${grouped(fromEnd)} from the end ≤ ${countOf(params.turns, 'turn')} to keep`;
  const caps = held.map(({ cap, tokens }) => {
    const stays = tokens <= cap.cap ? '' : ', but what stays cannot be parted further';
    return `; with it ${grouped(tokens)} tokens ${tokens <= cap.cap ? '≤' : '>'} ${grouped(cap.cap)}, ${cap.name}${stays}`;
  });
  return keptBecause(stage, 'in_window', `${reason}${caps.join('')}`);
}
