// The heart: a transcript, stages, a call point → view, fates, reports. Pure and deterministic. Everything else in the
// program either prepares its input or presents its output.
import type { TranscriptSource } from '../model/transcript.ts';
import { type Sha256, sha256 } from '../util/hash.ts';
import { once } from '../util/once.ts';
import { FATE_KINDS, standsInView } from '../view/fates.ts';
import { createMemo } from '../view/memo.ts';
import { estimatedTokens } from '../view/tokens.ts';
import {
  PAUSE,
  type RedactionPointer,
  type ResizeAnswer,
  type RunUserCode,
  type StageAnswer,
  type StageContext,
  type StageEffect,
  type StageMemo,
  type StageRead,
  type StageReport,
  type StageTokens,
  type UserCodeAnswer,
  type View,
} from '../view/types.ts';
import { WholeView } from '../view/wholeView.ts';
import { stepsOfViews } from './binding/clientSteps.ts';
import type { BindingInputs, ThinkingOutcome } from './binding/types.ts';
import type { KeptPipeline } from './keptPipeline.ts';
import type { ResolvedStage } from './parseSpec.ts';
import { Pipeline } from './pipeline.ts';
import { providerStages } from './providerStages.ts';
import { StagesSaid } from './stagesSaid.ts';
import type { Projection } from './types.ts';

/** What a projection may be given besides its input. `memo` and `sha256` change nothing but its speed. */
export interface ProjectOptions {
  /** Kept per transcript between projections, so that only what a parameter changed is computed again. */
  readonly memo?: StageMemo;
  /** The host's SHA-256; default: plain JavaScript. */
  readonly sha256?: Sha256;
  /** Counts for stages that use them; default: the estimate. */
  readonly tokens?: StageTokens;
  /** What the request may hold; default: not known. */
  readonly budget?: StageContext['budget'];
  /** How the provider checks the thinking in the request; default: it does not. */
  readonly binding?: BindingInputs | null | undefined;
  /** Keeps the stages for the next projection: where one's option changes, those before it stay, those behind it move. */
  readonly kept?: KeptPipeline;
  /** False: nobody will read why kept messages were kept. Their fates stay `kept`, without the sentence. */
  readonly explain?: boolean;
  /** Called with each enabled stage that has run, in order: for what looks at a projection stage by stage. */
  readonly observe?: (step: StageStep) => void;
}

/** One stage's run: what it was given, and what it gave. */
export interface StageStep {
  readonly stage: ResolvedStage;
  readonly before: View;
  readonly output: StageRead;
}

/**
 * A projection in progress: yields what a stage asks its host for, resumes with the answer, returns the projection. Between
 * stages it pauses; stages that take long may do so themselves.
 */
export type ProjectionSteps = Generator<StageEffect, Projection, StageAnswer>;

/** Projects messages [0, at) through the stages in order. Throws RangeError if there is no such call point. */
export function* projectSteps(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  at: number,
  options: ProjectOptions = {},
): ProjectionSteps {
  if (!Number.isInteger(at) || at < 0 || at > source.length) {
    throw new RangeError(`no call point ${at} in a transcript of ${source.length} messages`);
  }
  const memo = options.memo ?? createMemo();
  const tokens = options.tokens ?? estimatedTokens(source);
  const budget = options.budget ?? null;
  const given = { source, memo, sha256: options.sha256 ?? sha256, tokens, budget };
  if (options.kept !== undefined) yield* options.kept.settle();
  const pipeline = options.kept?.take(given) ?? new Pipeline(given);
  yield* pipeline.become(stages, at, given);
  let view = pipeline.before;
  const said = new StagesSaid(at, options.explain !== false);
  const reports: StageReport[] = [];
  const steps: StageStep[] = [];
  const running = pipeline.stages.values();
  for (const stage of stages) {
    const { value } = stage.enabled ? running.next() : { value: undefined };
    if (value === undefined) {
      reports.push(disabledReport(stage));
      continue;
    }
    const step = { stage, before: view, output: value.read(view) };
    const { output } = step;
    said.take(step);
    yield PAUSE;
    options.observe?.(step);
    steps.push(step);
    view = output.view;
    reports.push(output.report);
  }
  const behind = providerStages(given, stages, stepsOfViews(steps), options.binding, at);
  for (const live of behind.stages) {
    yield* live.open(new WholeView(view, source.length), at);
    const step = { stage: live.stage, before: view, output: live.read(view) };
    const { output } = step;
    said.take(step, false);
    options.observe?.(step);
    view = output.view;
    reports.push(output.report);
  }
  options.kept?.put(pipeline, source, said);
  return assemble(at, view, said, reports, behind.thinking?.outcome ?? null);
}

/**
 * Projects in one go. `runUserCode` runs the code of custom stages; without it such a stage reports that it could not
 * run, and changes nothing. Images are left as they are.
 */
export function project(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  at: number,
  options: ProjectOptions & { readonly runUserCode?: (request: RunUserCode) => UserCodeAnswer } = {},
): Projection {
  const steps = projectSteps(source, stages, at, options);
  const run = options.runUserCode ?? noSandbox;
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next(answerAtOnce(step.value, run));
  }
  return step.value;
}

function answerAtOnce(effect: StageEffect, run: (request: RunUserCode) => UserCodeAnswer): StageAnswer {
  switch (effect.effect) {
    case 'run_user_code':
      return run(effect);
    case 'resize_image':
      return NO_IMAGES;
    case 'pause':
      return PAUSE;
  }
}

const NO_IMAGES: ResizeAnswer = {
  effect: 'resize_image',
  ok: false,
  code: 'unavailable',
  message: 'no image library is available here',
};

function noSandbox(): UserCodeAnswer {
  return {
    ok: false,
    code: 'result',
    message: 'no sandbox is available here to run the code in',
    line: null,
    column: null,
    logs: [],
  };
}

function disabledReport(stage: ResolvedStage): StageReport {
  return {
    stage: stage.position,
    kind: stage.kind,
    title: stage.title,
    enabled: false,
    summary: 'off',
    reason: 'disabled',
    counts: {},
    reclaimedChars: 0,
    reclaimedTokens: 0,
    rootsConsulted: [],
    blockedBy: null,
    problems: [],
  };
}

function assemble(
  at: number,
  view: View,
  said: StagesSaid,
  reports: readonly StageReport[],
  thinking: ThinkingOutcome | null,
): Projection {
  // A slider that passes by asks for none of these lists, which are as long as the session.
  const redacted = once(() => said.indicesOf('redacted'));
  const kept = once(() => said.indicesOf(...FATE_KINDS.filter(standsInView)));
  const dropped = once(() => said.indicesOf(...FATE_KINDS.filter((kind) => !standsInView(kind))));
  let pointers: readonly RedactionPointer[] | null = null;
  return {
    at,
    view,
    said,
    get fates() {
      return said.fates;
    },
    reports,
    problems: reports.flatMap((report) => report.problems),
    get keptIndices() {
      return kept();
    },
    get droppedIndices() {
      return dropped();
    },
    get redactedIndices() {
      return redacted();
    },
    // When they are asked for: each is the hash of a body.
    get pointers() {
      pointers ??= redacted().flatMap((index) => said.fateOf(index).pointers ?? []);
      return pointers;
    },
    thinking,
    providerSafetyBlocked: reports.some((report) => report.blockedBy !== null),
  };
}
