// The plain form of sliding_window.

import type { Problem } from '../../../../core/model/problem.ts';
import { slidingWindow as ONE_FORM, type SlidingWindowParams } from '../../../../core/stages/reducers/slidingWindow.ts';
import { headEnd, type Turns } from '../../../../core/stages/reducers/windowCut.ts';
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
} from '../../../../core/stages/reducers/windowLimits.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, StageContext, StageOutput, View } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { readTurns, runningTokens } from '../plainReading.ts';
import { reportOf } from './report.ts';
import { runningTiers } from './tiers.ts';

const { incremental: _incremental, ...identity } = ONE_FORM;
const NAME = { kind: ONE_FORM.kind, title: ONE_FORM.title };

export const slidingWindow: PlainStage<SlidingWindowParams> = {
  ...identity,
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
