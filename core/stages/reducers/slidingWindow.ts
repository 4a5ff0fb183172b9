import { capTokens, TIER_LABEL, type Tier } from '../../tokens/budget.ts';
import { keptBecause } from '../../view/fates.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { runningTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition, StageOutput, View } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { reportOf } from './report.ts';
import { runningTiers, WINDOW_TIERS } from './tiers.ts';
import { readTurns, safeTurn, type Turns } from './windowCut.ts';

const NAME = { kind: 'sliding_window', title: 'Sliding window' };

const TURNS: ParamSchema = {
  name: 'turns',
  aliases: ['window', 'keep_turns'],
  type: 'integer',
  default: 40,
  min: 0,
  softMax: 100,
  unit: 'turns',
  help: 'How many turns are kept, from the end. A turn is a user message and all up to the next one.',
};
const TOKENS: ParamSchema = {
  name: 'tokens',
  aliases: ['max_tokens', 'token_cap'],
  type: 'integer',
  default: 0,
  min: 0,
  softMax: 200_000,
  unit: 'tokens',
  help: 'What all that stays may take together; the oldest turns go until it does. The last turn always stays. 0 = no cap.',
};
const FIT: ParamSchema = {
  name: 'fit_budget',
  type: 'boolean',
  default: false,
  help: 'Also drop the oldest turns until the budget’s total is kept (window − reserves). Does nothing where no window is known.',
};
const EVERY: ParamSchema = {
  name: 'every',
  aliases: ['chunk'],
  type: 'integer',
  default: 1,
  min: 1,
  softMax: 20,
  unit: 'turns',
  help: 'Drop turns this many at a time: between the cuts the beginning stays as it is, and with it the provider’s cache.',
};
const PARAMS = [TURNS, TOKENS, FIT, EVERY];

/** The parsed parameters. `tokens` 0 = no cap. */
export interface SlidingWindowParams {
  readonly turns: number;
  readonly tokens: number;
  readonly fitBudget: boolean;
  readonly every: number;
}

/**
 * Keeps the leading messages that belong to no turn, and the last turns; cuts at the beginning of a turn only, so no pair
 * of call and result is split. Caps on the tiers user, assistant, thinking and calls let turns go earlier. Source: seed
 * of the reducer pipeline, "Sliding window on dialogue"; spec of reducers and budget.
 */
export const slidingWindow: StageDefinition<SlidingWindowParams> = {
  ...NAME,
  aliases: ['window'],
  family: 'reducers',
  help: 'Keeps what stands before the first turn, and the last turns; everything between goes, whole turns at a time.',
  params: PARAMS,
  usesTokens: true,
  parse: (options) =>
    parseParams(PARAMS, options, (reader) => ({
      turns: reader.count(TURNS),
      tokens: reader.count(TOKENS),
      fitBudget: reader.flag(FIT),
      every: reader.count(EVERY),
    })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask its host; this one need not
  *run(view, params, context) {
    const reader = readView(view, context.source, context.memo);
    const turns = readTurns(reader, context);
    return cutAt(findCut(view, reader, turns, params, context), view, reader, turns, params, context);
  },
};

/** Where the window begins: the first turn that stays, and for each that goes why. */
interface Cut {
  readonly turn: number;
  readonly limits: readonly Limit[];
}

/** One reason to cut: turns before `turn` go because of it. */
interface Limit {
  readonly turn: number;
  readonly rule: string;
  /** Said of the turn with this number from the end. */
  readonly why: (fromEnd: number) => string;
}

function findCut(
  view: View,
  reader: ViewReader,
  turns: Turns,
  params: SlidingWindowParams,
  context: StageContext,
): Cut {
  const limits = [byTurns(reader, turns, params), ...byTokens(view, reader, turns, params, context)];
  return { turn: Math.max(...limits.map((limit) => limit.turn)), limits };
}

function byTurns(reader: ViewReader, turns: Turns, { turns: keep, every }: SlidingWindowParams): Limit {
  const over = Math.max(0, turns.starts.length - keep);
  const turn = safeTurn(reader, turns, over - (over % every), 'before');
  const chunk = every > 1 ? `, dropped ${grouped(every)} at a time` : '';
  return {
    turn,
    rule: 'older_than_window',
    why: (fromEnd) => `dropped: turn ${grouped(fromEnd)} from the end > ${countOf(keep, 'turn')} to keep${chunk}`,
  };
}

function byTokens(
  view: View,
  reader: ViewReader,
  turns: Turns,
  params: SlidingWindowParams,
  context: StageContext,
): readonly Limit[] {
  const caps: { readonly name: string; readonly cap: number; readonly sums: Float64Array; readonly rule: string }[] =
    [];
  const { budget } = context;
  if (params.tokens > 0 || (params.fitBudget && budget !== null)) {
    const sums = runningTokens(view.items, context);
    if (params.tokens > 0) caps.push({ name: 'the cap (tokens)', cap: params.tokens, sums, rule: 'over_tokens' });
    if (params.fitBudget && budget !== null) {
      caps.push({ name: 'the budget', cap: budget.total, sums, rule: 'over_budget' });
    }
  }
  for (const tier of WINDOW_TIERS) {
    const cap = capTokens(budget, tier);
    if (cap === null) continue;
    caps.push({ name: capName(tier), cap, sums: runningTiers(reader, tier, context), rule: 'over_tier_cap' });
  }
  return caps.map(({ name, cap, sums, rule }) => underCap(reader, turns, { name, cap, sums, rule }));
}

function capName(tier: Tier): string {
  return `the cap on ${TIER_LABEL[tier]} tokens`;
}

// The latest turn always stays, whatever it takes: a request without it answers nothing.
function underCap(
  reader: ViewReader,
  turns: Turns,
  {
    name,
    cap,
    sums,
    rule,
  }: { readonly name: string; readonly cap: number; readonly sums: Float64Array; readonly rule: string },
): Limit {
  const head = sums[turns.head] ?? 0;
  const all = sums[turns.length] ?? 0;
  const from = (turn: number): number => head + all - (sums[turns.starts[turn] ?? turns.length] ?? 0);
  const last = Math.max(0, turns.starts.length - 1);
  let turn = 0;
  while (turn < last && from(turn) > cap) turn++;
  const safe = Math.min(last, safeTurn(reader, turns, turn, 'after'));
  return {
    turn: safeTurn(reader, turns, safe, 'before'),
    rule,
    why: (fromEnd) =>
      `dropped: with turn ${grouped(fromEnd)} from the end it would be ${grouped(from(turns.starts.length - fromEnd))} tokens > ${grouped(cap)}, ${name}`,
  };
}

function cutAt(
  { turn, limits }: Cut,
  view: View,
  reader: ViewReader,
  turns: Turns,
  params: SlidingWindowParams,
  context: StageContext,
): StageOutput {
  const fates = new Map<number, Fate>();
  const begin = turn === 0 ? turns.head : (turns.starts[turn] ?? turns.length);
  for (let t = 0; t < turn; t++) {
    const fate = droppedFate(t, turns, limits, context.stage);
    const end = turns.starts[t + 1] ?? turns.length;
    for (let position = turns.starts[t] ?? 0; position < end; position++) {
      const index = reader.indexOf(position);
      if (index !== null) fates.set(index, fate);
    }
  }
  const kept = turns.starts.length - turn;
  const summary =
    turn === 0
      ? `nothing to drop: ${countOf(turns.starts.length, 'turn')}, ${grouped(params.turns)} to keep`
      : `${countOf(turn, 'turn')} dropped, ${grouped(kept)} kept`;
  return {
    view: turn === 0 ? view : { items: [...view.items.slice(0, turns.head), ...view.items.slice(begin)] },
    fates,
    explain: explainer(turns, params, context.stage),
    report: reportOf(NAME, context, { summary, fates }),
  };
}

// The limit that reaches furthest decides; of equals the first, which is the plainest.
function droppedFate(turn: number, turns: Turns, limits: readonly Limit[], stage: number): Fate {
  const limit = limits.find((one) => turn < one.turn);
  const fromEnd = turns.starts.length - turn;
  return { kind: 'dropped', stage, rule: limit?.rule ?? null, reason: limit?.why(fromEnd) ?? '' };
}

function explainer(turns: Turns, params: SlidingWindowParams, stage: number): (position: number) => Fate {
  const head = keptBecause(stage, 'before_first_turn', 'kept: stands before the first turn');
  const byTurn: Fate[] = [];
  let turn = 0;
  return (position) => {
    if (position < turns.head) return head;
    while ((turns.starts[turn] ?? 0) > position) turn--;
    while ((turns.starts[turn + 1] ?? turns.length) <= position) turn++;
    const fromEnd = turns.starts.length - turn;
    const known = byTurn[turn];
    if (known !== undefined) return known;
    const reason =
      fromEnd > params.turns
        ? `kept: turn ${grouped(fromEnd)} from the end, of more than ${grouped(params.turns)} to keep; turns go ${grouped(params.every)} at a time and never between a call and its result`
        : `kept: turn ${grouped(fromEnd)} from the end ≤ ${countOf(params.turns, 'turn')} to keep`;
    const made = keptBecause(stage, 'in_window', reason);
    byTurn[turn] = made;
    return made;
  };
}
