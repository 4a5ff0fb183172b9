// The laws of one form as ways through a transcript: each step gives what was found on the way, and what one step from
// nothing gives. Compared by a test, and counted by `npm run equality:table`.

import { effectiveFrom, type TranscriptSource } from '../../../core/model/transcript.ts';
import { followCallPoints } from '../../../core/projection/allCallPoints.ts';
import { KeptPipeline } from '../../../core/projection/keptPipeline.ts';
import type { ResolvedStage } from '../../../core/projection/parseSpec.ts';
import { type ProjectOptions, project } from '../../../core/projection/project.ts';
import type { Projection } from '../../../core/projection/types.ts';
import type { Budget } from '../../../core/tokens/budget.ts';
import { seededRng } from '../../../core/util/rng.ts';
import { createMemo } from '../../../core/view/memo.ts';
import { estimatedTokens } from '../../../core/view/tokens.ts';
import type { StageAnswer, StageEffect, StageReport } from '../../../core/view/types.ts';
import {
  behindUserCode,
  type Given,
  KINDS,
  randomRun,
  runUserCode,
  seen,
  stagesIn,
  withAnother,
} from './randomRuns.ts';

/** A step of a way. */
export interface Compared {
  /** Null where nobody looked. */
  readonly found: unknown;
  readonly expected: unknown;
  /** What repeats it. */
  readonly label: string;
  /** The projection that was found, once for each. */
  readonly projection?: Projection;
}

/** Every third run of a kind is behind user code: from call point to call point other messages are those of a stage's input. */
function drawnFor(run: number): Given {
  return Math.floor(run / KINDS.length) % 3 === 2 ? behindUserCode(run) : randomRun(run);
}

/** Any way of call points and options: eight steps on one kept pipeline. */
export function* byPointsAndOptions(run: number): Generator<Compared> {
  const { source, at: begin, spec: first, options, label } = drawnFor(run);
  const rng = seededRng(run);
  const kept = new KeptPipeline();
  const given = { ...options, memo: createMemo(), tokens: options.tokens ?? estimatedTokens(source), runUserCode };
  const end = Math.min(source.length, 120);
  let chosen = first;
  let at = rng.chance(0.5) ? Math.min(begin, end) : rng.below(end + 1);
  const way: string[] = [];
  let last: { readonly projection: Projection; readonly seen: unknown } | null = null;
  for (let step = 0; step < 8; step++) {
    way.push(`${at} ${JSON.stringify(chosen)}`);
    const replay = `${label}, by ${way.join(' → ')}`;
    const stages = stagesIn(chosen);
    const projection = project(source, stages, at, { ...given, kept });
    const expected = seen(project(source, stages, at, { ...options, runUserCode }));
    // What was given before stays as it was, whatever moves on.
    if (last !== null) yield { found: seen(last.projection), expected: last.seen, label: `${replay}, the one before` };
    // Not always looked at: what nobody asked for is made later, or never.
    const isSeen = rng.chance(0.7);
    yield { found: isSeen ? seen(projection) : null, expected: isSeen ? expected : null, label: replay, projection };
    last = { projection, seen: expected };
    if (rng.chance(0.6)) chosen = withAnother(chosen, rng);
    if (rng.chance(0.6)) at = rng.chance(0.7) ? Math.min(end, at + rng.below(6)) : rng.below(end + 1);
  }
}

/** Any way of call points, forwards: the reports of each stage. */
export function* byPoints(run: number): Generator<Compared> {
  const { source, spec: chosen, options, label } = drawnFor(run);
  const rng = seededRng(run);
  const end = Math.min(source.length, 120);
  const points = Array.from({ length: end + 1 }, (_, at) => at).filter((at) => at === end || rng.chance(0.3));
  const stages = stagesIn(chosen);
  for (const { at, reports } of reportsAlong(source, stages, points, options)) {
    const expected = project(source, stages, at, { ...options, runUserCode }).reports.slice(0, stages.length);
    for (const [position, report] of reports.entries()) {
      if (report !== null) yield { found: report, expected: expected[position], label: `${label}, followed to ${at}` };
    }
  }
}

/** A transcript that grows while it is read. `grown` is told of each time that nothing but messages came. */
export function* byGrowth(run: number, grown: () => void = () => undefined): Generator<Compared> {
  const { source: whole, spec: chosen, options, label } = drawnFor(run);
  const rng = seededRng(run + 1);
  const end = Math.min(whole.length, 120);
  const growing = growingSource(whole, rng.below(end + 1));
  const stages = stagesIn(chosen);
  const kept = new KeptPipeline();
  const tokens = options.tokens ?? estimatedTokens(growing.source);
  const given = { ...options, memo: createMemo(), tokens, runUserCode };
  const way: number[] = [];
  while (way.length < 12) {
    const at = rng.chance(0.8) ? growing.source.length : rng.below(growing.source.length + 1);
    way.push(at);
    const projection = project(growing.source, stages, at, { ...given, kept });
    const expected = project(growing.source, stages, at, { ...options, tokens, runUserCode });
    yield { found: seen(projection), expected: seen(expected), label: `${label}, grown by ${way.join(' → ')}` };
    const more = rng.chance(0.7) ? 1 + rng.below(6) : 0;
    if (more > 0 && growing.grow(Math.min(end, growing.source.length + more))) grown();
  }
}

/** Call points of a real transcript in any order, under one spec. */
export function* acrossPoints(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  points: readonly number[],
  budget: Budget | null,
): Generator<Compared> {
  const kept = new KeptPipeline();
  const given = { budget, memo: createMemo(), tokens: estimatedTokens(source), runUserCode, kept };
  for (const [step, at] of points.entries()) {
    const projection = project(source, stages, at, given);
    const expected = project(source, stages, at, { budget, runUserCode });
    const label = `by ${points.slice(0, step + 1).join(' → ')}`;
    yield { found: seen(projection), expected: seen(expected), label, projection };
  }
}

/** A transcript of which only some messages are there yet. `grow` tells if nothing but messages came. */
function growingSource(whole: TranscriptSource, begin: number) {
  let length = begin;
  let compactions = whole.compactions();
  let projections = whole.projections?.() ?? [];
  const take = (): boolean => {
    const [had, told] = [compactions, projections];
    const there = whole.compactions().filter((one) => effectiveFrom(one) <= length && (one.summaryIndex ?? 0) < length);
    const events = (whole.projections?.() ?? []).filter(({ at }) => at <= length);
    if (there.length !== compactions.length) compactions = there;
    if (events.length !== projections.length) projections = events;
    return had === compactions && told === projections;
  };
  take();
  const source: TranscriptSource = {
    get length() {
      return length;
    },
    summary: whole.summary,
    text: (index) => whole.text(index),
    facts: (index) => whole.facts(index),
    compactions: () => compactions,
    summaries: () => whole.summaries().filter(({ to }) => to <= length),
    projections: () => projections,
  };
  return {
    source,
    grow(to: number): boolean {
      const hasGrown = to > length;
      length = to;
      return take() && hasGrown;
    },
  };
}

function* reportsAlong(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  points: readonly number[],
  options: ProjectOptions,
): Generator<{ readonly at: number; readonly reports: readonly (StageReport | null)[] }> {
  const run = followCallPoints({ source, stages, points, options }, ({ at, stages: live }) => ({
    at,
    reports: live.slice(0, stages.length).map((one) => ('report' in one ? (one.report as StageReport) : null)),
  }));
  let step = run.next(null);
  while (step.done !== true) {
    if (step.value.kind === 'point') yield step.value.figures;
    step = run.next(step.value.kind === 'effect' ? answer(step.value.effect) : null);
  }
}

function answer(effect: StageEffect): StageAnswer {
  return effect.effect === 'run_user_code' ? runUserCode(effect) : IMAGES;
}

const IMAGES: StageAnswer = {
  effect: 'resize_image',
  ok: false,
  code: 'unavailable',
  message: 'no image library is available here',
};
