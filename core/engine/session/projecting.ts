// From a call to a projection with its rows: parse, project, hash, sum, lay out. Each step is remembered for as long as
// what it depends on is the same, so that folding or a new count costs no new projection.

import { createHash } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { withRecordedEdits } from '../../insight/appliedEdits.ts';
import { transformationProblems } from '../../insight/inputTransformations.ts';
import { positionOf, turnAt } from '../../insight/places.ts';
import type { MessageMeta } from '../../model/message.ts';
import type { Problem } from '../../model/problem.ts';
import { problemTexts } from '../../model/problem.ts';
import { naiveStages } from '../../projection/allCallPoints.ts';
import type { KeptPipeline } from '../../projection/keptPipeline.ts';
import { type ParsedSpec, parseSpec } from '../../projection/parseSpec.ts';
import { defaultSpec } from '../../projection/presets.ts';
import type { StageViews } from '../../projection/savings.ts';
import { STAGES } from '../../projection/stages.ts';
import type { MessageFates, Projection, ProjectionSpec } from '../../projection/types.ts';
import type { Params, ProtocolError } from '../../protocol/methods.ts';
import type { OverheadFigure, ProjectionInfo } from '../../protocol/types.ts';
import { SIGNED_MESSAGE } from '../../store/index.ts';
import { withLoaded } from '../../tokens/loaded.ts';
import { countOf } from '../../util/counts.ts';
import { canonicalJson } from '../../util/json/index.ts';
import { once } from '../../util/once.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { buildSourceMap } from '../../view/sourceMap.ts';
import { standingOf } from '../../view/standing.ts';
import type { View } from '../../view/types.ts';
import { type Engine, failure } from '../engine.ts';
import { chosenFor } from '../library/choice.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { goneRuns } from '../rows/goneRuns.ts';
import { budgetInfo, savedTokens } from './budgetInfo.ts';
import { type FilteredRows, filterRows } from './filterRows.ts';
import {
  changedIndices,
  fateCounts,
  type Projected,
  placeSynthetics,
  projectionLayout,
  tokenFigure,
} from './projected.ts';
import { type Computed, HASH_WAIT_MS, type ProjectedView, type Session, type StageInputs } from './session.ts';
import type { Tokenizing } from './tokenizing.ts';

const RAW = { version: 1, stages: [] } as const;

/** Characters of edits counted within one answer (about 10 ms); the rest is counted afterwards. */
const COUNT_NOW = 20_000;

/** A spec as the user gave it, parsed. Error: `spec.invalid`, the problems as JSON in its cause. */
export function readSpec(spec: unknown): Result<ParsedSpec, ProtocolError> {
  const parsed = parseSpec(spec, STAGES);
  if (parsed.ok) return parsed;
  return err(failure('spec.invalid', problemTexts(parsed.error), JSON.stringify(parsed.error)));
}

/** The call point asked for; null = after the last message. Error: `transcript.no_such_place`. */
export function readAt(session: Session, at: number | null): Result<number, ProtocolError> {
  const { length } = session.source;
  if (at === null) return ok(length);
  if (at <= length) return ok(at);
  return err(
    failure(
      'transcript.no_such_place',
      `There is no call point ${at}: the transcript has ${countOf(length, 'message')}.`,
    ),
  );
}

/**
 * Projection and what follows from it, from the session's memory if it is there; its hash may be on its way. Its fates are
 * held for the caller.
 */
export async function compute(
  engine: Engine,
  session: Session,
  parsed: ParsedSpec,
  at: number,
  inputs: StageInputs = session.inputsFor(parsed.spec),
  kept: KeptPipeline = session.pipeline,
): Promise<Computed> {
  const state = dependsOn(session, parsed, inputs);
  const key = computedKey(session, parsed, at, inputs);
  const known = await session.computed.get(key);
  if (known?.projection.said.hold() === true) return known;
  const made = computeNow(engine, session, parsed, at, inputs, kept);
  session.computed.set(key, made);
  const forget = (): void => session.computed.delete(key);
  // While user code ran a summary may have been written, and read by the stages behind it.
  made.then(({ settled }) => (settled && dependsOn(session, parsed, inputs) === state) || forget(), forget);
  return made;
}

/** What is remembered of a projection, if it was made: what is on the screen mostly was. Its fates are held for the caller. */
export async function computedBefore(
  session: Session,
  parsed: ParsedSpec,
  at: number,
  inputs: StageInputs,
): Promise<Computed | null> {
  const known = await session.computed.get(computedKey(session, parsed, at, inputs));
  return known?.projection.said.hold() === true ? known : null;
}

function computedKey(session: Session, parsed: ParsedSpec, at: number, inputs: StageInputs): string {
  const stages = canonicalJson(JSON.stringify(parsed.spec.stages));
  return `${at} ${session.source.length} ${stages} ${dependsOn(session, parsed, inputs)}`;
}

// What besides stages and call point the result depends on: summaries, and counts and budget where a stage uses them.
function dependsOn({ summariesKey }: Session, { stages }: ParsedSpec, { state, binding }: StageInputs): string {
  const usesTokens = stages.some((stage) => stage.enabled && stage.usesTokens);
  return `${summariesKey} ${usesTokens ? state : ''} ${binding?.key ?? ''}`;
}

async function computeNow(
  engine: Engine,
  session: Session,
  parsed: ParsedSpec,
  at: number,
  inputs: StageInputs,
  kept: KeptPipeline,
): Promise<Computed> {
  const { tokens, budget } = inputs;
  const views: StageViews[] = [];
  const projection = await engine.project(session, parsed.stages, at, {
    tokens,
    budget,
    binding: inputs.binding,
    kept,
    observe: ({ stage, before, output }) => views.push({ stage: stage.position, before, after: output.view }),
  });
  const partsOf = (index: number): number => session.source.facts(index).parts.length;
  const standing = standingOf(projection.view, session.outline.rows, partsOf);
  return {
    projection,
    inputs,
    views,
    settled: (tokens.guesses ?? 0) === 0,
    hash: session.hash(projection.view),
    map: buildSourceMap(projection.view, at),
    synthetics: placeSynthetics(projection.view, at),
    changed: once(() => changedIndices(projection)),
    standing,
    // What stands elsewhere is sent.
    gone: goneRuns(at, projection.said, standing.messages),
  };
}

/** How long a projection waits to hear what recorded usage makes of its counts; it mostly takes a few milliseconds. */
const CALIBRATION_WAIT_MS = 250;

// Figures that change after a moment are worse than figures that come a moment later.
async function calibrateSoon(engine: Engine, session: Session): Promise<void> {
  // Whoever asks for the report gets its failure.
  const begun = engine.calibrating(session).catch(() => false);
  if (session.isCalibrating) await Promise.race([begun, setTimeout(CALIBRATION_WAIT_MS, undefined, { ref: false })]);
}

/**
 * Makes the rows that a page asks for when it has drawn that a transcript is open: those of what happened. Only where nothing was
 * asked for yet: whoever opens it again looks at something else, which the stages would leave.
 */
export async function projectRawAhead(engine: Engine, session: Session): Promise<void> {
  const parsed = readSpec(RAW);
  if (parsed.ok && session.asked === 0) await projectAhead(engine, session, parsed.value, session.inputsFor({}));
}

// What is asked for when the rows of what happened are drawn: what was chosen for the transcript. User code waits until
// somebody asks.
async function projectChosenAhead(engine: Engine, session: Session): Promise<void> {
  const { asked, source } = session;
  const choice = chosenFor(engine.library, source.row());
  const wanted = choice?.spec ?? defaultSpec(source.compactions().length > 0, source.projections().length > 0);
  const parsed = readSpecFor(engine, session.id, wanted);
  if (!parsed.ok || naiveStages(parsed.value.stages).length > 0) return;
  await calibrateSoon(engine, session);
  if (session.asked !== asked) return;
  await projectAhead(engine, session, parsed.value, session.inputsFor(parsed.value.spec, choice ?? {}));
}

async function projectAhead(engine: Engine, session: Session, parsed: ParsedSpec, inputs: StageInputs): Promise<void> {
  const { asked, source } = session;
  // The answer goes out first.
  await setImmediate();
  // Stages leave what was asked for meanwhile when they move on.
  const isLate = session.asked !== asked || engine.holdersOf(session.id) === 0;
  if (isLate || source.row().state === 'importing') return;
  const at = source.length;
  // Not in the foreground: nobody waits for it, and background work need not give way.
  const { projection } = await compute(engine, session, parsed, at, inputs);
  projection.said.release();
}

/** Messages of a transcript whose fates are cheap enough to be made while the screen paints. */
const FATES_AHEAD = 20_000;

// A slider that comes back to a value finds its projection whole, and nothing is projected again.
async function makeFatesSoon(said: MessageFates): Promise<void> {
  try {
    await setImmediate();
    for (const _ of said.makeRest()) await setImmediate();
  } catch {
    // Whoever asks for such a fate gets the failure.
  }
}

// What the first step of a slider needs is made in the pause before it.
function prepareSlider(session: Session): void {
  const task = session.work.background('counts', async (turn) => {
    for (const _ of session.pipeline.prepare()) {
      const pause = turn.pause();
      if (pause) await pause;
    }
  });
  // What fails here fails again for whoever moves a slider.
  task.done.catch(() => undefined);
}

/** Answers projection.set. */
export async function setProjection(
  engine: Engine,
  session: Session,
  params: Params<'projection.set'>,
): Promise<Result<ProjectionInfo, ProtocolError>> {
  const started = performance.now();
  session.asked++;
  const parsed = readSpecFor(engine, session.id, params.spec);
  if (!parsed.ok) return parsed;
  const at = readAt(session, params.at);
  if (!at.ok) return at;
  const { spec, warnings } = parsed.value;
  // Of a projection that needs no hash only the rows are wanted, at once: the one with the figures follows.
  if (params.hash === 'none') void engine.calibrating(session).catch(() => false);
  else await calibrateSoon(engine, session);
  const inputs = session.inputsFor(spec, params);
  const { info, computed } = await session.work.foreground(async () => {
    const computed = await compute(engine, session, parsed.value, at.value, inputs);
    const state = dependsOn(session, parsed.value, inputs);
    const filtered = await filterRows(session, spec, computed, params, state);
    const view = layOut(session, spec, computed, params, { state, filtered });
    session.remember(view);
    const described = describe(session, view, computed, inputs.budget, warnings);
    const info = filtered === null ? described : { ...described, filter: filtered.info };
    const aroundRow = rowAround(view.projected, params.around);
    const window = windowOf(aroundRow, params);
    const rows = window && session.rowSource.window(view.projected, view.tokens, window.from, window.to);
    // A slider passes by most projections: whoever wants more of one than is on screen says so. Another window's
    // slider must not take away what this one scrolls through.
    if (engine.holdersOf(session.id) <= 1) computed.projection.said.release();
    if (session.source.length <= FATES_AHEAD) void makeFatesSoon(computed.projection.said);
    return { info: { ...info, rows, aroundRow }, computed };
  });
  if (params.hash !== 'none') prepareSlider(session);
  // Background work, that must not be waited for in the foreground.
  const prefixHash = await hashFor(params.hash ?? 'now', computed, session.hasher.lastMs);
  // A failure is reported to whoever asks for that projection.
  if (params.hash === 'none' && session.asked === 1) projectChosenAhead(engine, session).catch(() => undefined);
  return ok({ ...info, prefixHash, ms: Math.round((performance.now() - started) * 10) / 10 });
}

function rowAround({ layout, messages }: Projected, around: Params<'projection.set'>['around']): number | null {
  return around === undefined || around.index >= messages ? null : layout.rowOf(around.index, 0);
}

function windowOf(
  aroundRow: number | null,
  { rows, around }: Params<'projection.set'>,
): { readonly from: number; readonly to: number } | null {
  if (aroundRow === null || around === undefined) return rows ?? null;
  return { from: Math.max(0, aroundRow - around.before), to: aroundRow + around.after };
}

// The first hash reads the whole transcript, and a very long one's are never quick: waiting would only keep the rows.
function hashFor(
  when: 'now' | 'later' | 'none',
  { hash }: Computed,
  lastMs: number,
): Promise<string | null> | string | null {
  switch (when) {
    case 'now':
      return hash.ready();
    case 'later':
      return hash.within(lastMs < HASH_WAIT_MS ? HASH_WAIT_MS : 0);
    case 'none':
      return hash.known;
  }
}

function layOut(
  session: Session,
  spec: ProjectionSpec,
  computed: Computed,
  params: Params<'projection.set'>,
  { state, filtered }: { readonly state: string; readonly filtered: FilteredRows | null },
): ProjectedView {
  const tokens = session.tokenizing(params.tokenizer ?? spec.tokenizer);
  const { fold = false, foldGone = false, unfold = [], visible, ghosts = true } = params;
  const open = visible === undefined ? unfold : [...unfold, { from: visible, to: visible + 1 }];
  const fitting = filtered?.fitting ?? null;
  const options = { fold, foldGone, open, ghosts };
  const { rows, messages } = session.outline;
  const layout = projectionLayout(computed, rows, fitting === null ? options : { ...options, fitting });
  const counts = [tokens.state];
  const { revision } = session.source.row();
  const identity = [session.id, revision, session.links, spec, computed.projection.at, messages, ...counts, state];
  const projected: Projected = {
    ...computed,
    id: createHash('sha256')
      .update(JSON.stringify([...identity, options, filtered?.key ?? '']))
      .digest('hex')
      .slice(0, 32),
    transcriptId: session.id,
    spec,
    layout,
    messages,
    ...(filtered && { marksOf: filtered.marksOf(rows) }),
  };
  return { projected, tokens };
}

function describe(
  session: Session,
  view: ProjectedView,
  computed: Computed,
  budget: StageInputs['budget'],
  problems: readonly Problem[],
): Omit<ProjectionInfo, 'rows' | 'aroundRow' | 'ms' | 'prefixHash'> {
  const { projected, tokens } = view;
  const { projection } = computed;
  const { callPoints, turnStarts } = session.outline;
  const allowance = { chars: COUNT_NOW };
  const { last } = session;
  const { byCategory, counted } = tokens.view(projection.view, allowance, last?.projection.view);
  const stages = savedTokens(computed.views, projection.reports.length, tokens, allowance, last?.views);
  session.last = computed;
  const allCounted = counted && stages.counted && computed.settled;
  if (!allCounted) session.countLater(tokens, viewsOf(computed));
  const { at, thinking } = projection;
  const counts = fateCounts(projection, computed.synthetics.length);
  const answered = { source: session.source, spec: projected.spec, at, thinking, meta: recordedMeta(session, at) };
  const reported = transformationProblems(answered);
  const subject = { source: session.source, edits: session.edits, projection, tokens, allowance };
  return {
    projectionId: projected.id,
    transcriptId: session.id,
    at,
    callPoint: positionOf(callPoints, at),
    turn: turnAt(turnStarts, at),
    spec: projected.spec,
    rowCount: projected.layout.rowCount,
    keptCount: counts.kept + counts.redacted + counts.rewritten,
    counts,
    raw: tokens.rawFigure(at),
    projected: tokenFigure(byCategory, counted ? tokens.provenance : 'estimated'),
    window: budget?.window ?? null,
    beside: overheadAt(tokens, projected.spec, projection),
    budget: budgetInfo(budget, byCategory, subject),
    calibration: tokens.calibration,
    final: allCounted && tokens.table.complete && tokens.loadsCounted && !session.isCalibrating,
    savedTokens: stages.saved,
    reports: withRecordedEdits(projection.reports, answered.meta, projected.spec.stages.length),
    problems: [...problems, ...projection.problems, ...reported],
    thinking,
    providerSafetyBlocked: projection.providerSafetyBlocked,
    protectedSigned: protectedSigned(session, projection),
  };
}

function viewsOf({ projection, views }: Computed): ReadonlySet<View> {
  return new Set([projection.view, ...views.flatMap(({ before, after }) => [before, after])]);
}

// The request at a call point is answered by the message that is there.
function recordedMeta({ source }: Session, at: number): MessageMeta {
  return at < source.length ? source.meta(at) : {};
}

/** The overhead of a spec's requests. */
export function overheadFigure(tokens: Tokenizing, spec: Pick<ProjectionSpec, 'budget'>): OverheadFigure {
  const { overhead } = spec.budget ?? {};
  return {
    ...tokens.besideWith(overhead),
    given: overhead ?? null,
    unrecorded: tokens.known.unrecorded ?? null,
    provenance: tokens.besideProvenance,
  };
}

/** The same of one request: with the tools that its messages load. */
function overheadAt(
  tokens: Tokenizing,
  spec: Pick<ProjectionSpec, 'budget'>,
  { view, at }: Projection,
): OverheadFigure {
  const { loads } = tokens;
  const raw = loads.before(at);
  const beside = withLoaded(overheadFigure(tokens, spec), loads.inView(view.items));
  return raw === null || raw.tokens === 0 ? beside : { ...beside, rawLoaded: raw.tokens };
}

const LISTED = 20;

function protectedSigned(session: Session, projection: Projection): ProjectionInfo['protectedSigned'] {
  const indices: number[] = [];
  let count = 0;
  if (!projection.providerSafetyBlocked) return { indices, count };
  const { roles } = session.source.digest();
  for (let index = 0; index < projection.at; index++) {
    if ((roles[index]! & SIGNED_MESSAGE) === 0 || projection.said.fateOf(index).rule !== 'provider_safety') continue;
    count++;
    if (indices.length < LISTED) indices.push(index);
  }
  return { indices, count };
}
