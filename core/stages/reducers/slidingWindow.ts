import type { Problem } from '../../model/problem.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { runningTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition, StageOutput, View } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { LiveWindow } from './liveWindow.ts';
import { reportOf } from './report.ts';
import { runningTiers } from './tiers.ts';
import { headEnd, readTurns, type Turns } from './windowCut.ts';
import {
  droppedFate,
  firstKept,
  type HeldByCap,
  headFate,
  type Limit,
  limitsOf,
  turnFate,
  type WindowCap,
  windowCaps,
} from './windowLimits.ts';

const NAME = { kind: 'sliding_window', title: 'Sliding window' };

const TURNS: ParamSchema = {
  name: 'turns',
  label: 'Turns to keep',
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
  label: 'Most tokens',
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
  label: 'Fit the budget',
  type: 'boolean',
  default: false,
  help: 'Also drop the oldest turns until the rest fits the budget (window − reserves − overhead). Does nothing where no window is known.',
};
const EVERY: ParamSchema = {
  name: 'every',
  label: 'Drop N turns at a time',
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
  *run(view, params, context) {
    const reader = readView(view, context.source, context.memo);
    const turns = readTurns(reader, context);
    const caps = windowCaps(params, context.budget);
    const held = holding(view, reader, turns, context);
    const limits = limitsOf(reader, turns, params, caps, held);
    const problems = overCaps(caps, (cap) => held(cap, firstKept(limits)));
    const heldBy = (turn: number) => caps.map((cap) => ({ cap, tokens: held(cap, turn) }));
    return cutAt({ limits, problems, heldBy }, view, reader, turns, params, context);
  },
  incremental: (params, context) => new LiveWindow(params, context),
};

// Tokens of the head and of the turns from one on; sums are made once for each cap.
function holding(view: View, reader: ViewReader, turns: Turns, context: StageContext) {
  const sums = new Map<WindowCap, Float64Array>();
  return (cap: WindowCap, turn: number): number => {
    const known =
      sums.get(cap) ??
      (cap.tier === null ? runningTokens(view.items, context) : runningTiers(reader, cap.tier, context));
    sums.set(cap, known);
    return (known[headEnd(turns)] ?? 0) + (known[turns.length] ?? 0) - (known[turns.start(turn)] ?? 0);
  };
}

// What cannot go, the head and the last turn, may be too much by itself: said, not cut.
function overCaps(caps: readonly WindowCap[], held: (cap: WindowCap) => number): readonly Problem[] {
  return caps.flatMap((cap): readonly Problem[] => {
    const tokens = held(cap);
    if (tokens <= cap.cap) return [];
    const text = `What a window cannot drop, the beginning and the last turn, takes ${grouped(tokens)} tokens: more than ${grouped(cap.cap)}, ${cap.name}.`;
    const where = cap.tier === null ? {} : { where: { path: `budget.caps.${cap.tier}` } };
    return [{ code: 'window.over_cap', severity: 'warning', text, ...where }];
  });
}

interface Cut {
  readonly limits: readonly Limit[];
  readonly problems: readonly Problem[];
  readonly heldBy: (turn: number) => readonly HeldByCap[];
}

function cutAt(
  { limits, problems, heldBy }: Cut,
  view: View,
  reader: ViewReader,
  turns: Turns,
  params: SlidingWindowParams,
  context: StageContext,
): StageOutput {
  const turn = firstKept(limits);
  const fates = new Map<number, Fate>();
  for (let t = 0; t < turn; t++) {
    const fate = droppedFate(t, turns, limits, context.stage);
    for (let position = turns.start(t); position < turns.start(t + 1); position++) {
      const index = reader.indexOf(position);
      if (index !== null) fates.set(index, fate);
    }
  }
  const items = [...view.items.slice(0, headEnd(turns)), ...view.items.slice(turns.start(turn))];
  const summary =
    turn === 0
      ? `nothing to drop: ${countOf(turns.count, 'turn')}, ${grouped(params.turns)} to keep`
      : `${countOf(turn, 'turn')} dropped, ${grouped(turns.count - turn)} kept`;
  return {
    view: turn === 0 ? view : { items },
    fates,
    explain: explainer(turns, heldBy, params, context.stage),
    report: reportOf(NAME, context, { summary, fates, problems }),
  };
}

// Asked position after position: the turn of the last one is the place to look from.
function explainer(
  turns: Turns,
  heldBy: Cut['heldBy'],
  params: SlidingWindowParams,
  stage: number,
): (position: number) => Fate {
  const head = headFate(stage);
  const byTurn: Fate[] = [];
  let turn = 0;
  return (position) => {
    if (position < headEnd(turns)) return head;
    while (turns.start(turn) > position) turn--;
    while (turn + 1 < turns.count && turns.start(turn + 1) <= position) turn++;
    const known = byTurn[turn] ?? turnFate(turns.count - turn, params, stage, heldBy(turn));
    byTurn[turn] = known;
    return known;
  };
}
