// Why did the agent forget X? Visibility of one thing at the call points, where it was first lost, and to what.
// Visibility is not monotonic (a result can become reachable again), so nothing is found by halving. Where the stages can
// follow the call points, all are looked at. Else each costs a projection: all if they are few, else evenly spaced ones,
// and every one between two samples where the first loss lies.

import { countBelow, sampleEvenly, turnAt } from './places.ts';
import type { Subject } from './subject.ts';
import type { Trace, TraceLoss, TracePoint } from './types.ts';
import type { Observation } from './visibility.ts';

/** Up to this many call points are all looked at. */
export const TRACE_ALL = 400;

/** What a trace goes over. `now` = the call point shown on screen. */
export interface TraceInput {
  readonly subject: Subject;
  readonly callPoints: readonly number[];
  readonly turnStarts: readonly number[];
  readonly now: number;
  readonly samples: number;
}

/** A trace's run: asks for the observation at a call point and resumes with it. */
export type TraceRun = Generator<number, Trace, Observation>;

/** Traces a message or part. Points at or before its own index are `not_yet` without being asked for. */
export function* traceSteps(input: TraceInput): TraceRun {
  const { subject, callPoints } = input;
  const firstPossible = countBelow(callPoints, subject.index + 1);
  const before = callPoints.slice(0, firstPossible);
  const after = callPoints.slice(firstPossible);
  const sampled = callPoints.length > TRACE_ALL && after.length > input.samples;
  const seen = new Map<number, Observation>();
  for (const at of sampled ? sampleEvenly(after, input.samples) : after) seen.set(at, yield at);
  const lostAt = yield* refineFirstLoss(after, seen);
  const now = seen.get(input.now) ?? (input.now > subject.index ? yield input.now : NOT_YET);
  const observed = [...seen].sort((a, b) => a[0] - b[0]);
  return {
    ...subject,
    points: [
      ...(sampled ? sampleEvenly(before, input.samples) : before).map((at) => pointAt(input, at, 'not_yet')),
      ...observed.map(([at, { state }]) => pointAt(input, at, state)),
    ],
    sampled,
    firstLoss: lostAt === null ? null : withTurn(input, seen.get(lostAt)?.loss ?? null),
    now: { state: now.state, loss: withTurn(input, now.loss) },
    returns: returnsIn(observed.map(([at, { state }]) => [at, state])),
  };
}

/** What is reported of a trace of which every call point was seen: `states` by call point, ascending, after the subject. */
export interface SeenStates {
  readonly states: ReadonlyMap<number, TracePoint['state']>;
  /** At the first of them that is lost; null if none is. */
  readonly firstLoss: Observation | null;
  readonly now: Observation;
}

/** A trace without samples. */
export function traceOf(input: Omit<TraceInput, 'samples'>, { states, firstLoss, now }: SeenStates): Trace {
  const points = input.callPoints.map((at) => pointAt(input, at, states.get(at) ?? 'not_yet'));
  return {
    ...input.subject,
    points,
    sampled: false,
    firstLoss: withTurn(input, firstLoss?.loss ?? null),
    now: { state: now.state, loss: withTurn(input, now.loss) },
    returns: returnsIn([...states]),
  };
}

/** The first call point at which something is lost; null if none is. */
export function firstLost(states: ReadonlyMap<number, TracePoint['state']>): number | null {
  for (const [at, state] of states) if (isLost(state)) return at;
  return null;
}

/** Before it was said. */
export const NOT_YET: Observation = { state: 'not_yet', loss: null };

/** Looks at every call point between the last visible sample and the first lost one; gives the exact first loss. */
function* refineFirstLoss(
  after: readonly number[],
  seen: Map<number, Observation>,
): Generator<number, number | null, Observation> {
  const samples = [...seen.keys()].sort((a, b) => a - b);
  const lost = samples.findIndex((at) => isLost(seen.get(at)?.state));
  if (lost < 0) return null;
  const lastVisible = samples[lost - 1] ?? -1;
  for (const at of after) {
    if (at <= lastVisible) continue;
    const observation = seen.get(at) ?? (yield at);
    seen.set(at, observation);
    if (isLost(observation.state)) return at;
  }
  return null;
}

function isLost(state: TracePoint['state'] | undefined): boolean {
  return state === 'changed' || state === 'absent';
}

function pointAt(input: Pick<TraceInput, 'turnStarts'>, at: number, state: TracePoint['state']): TracePoint {
  return { at, turn: turnAt(input.turnStarts, at) ?? 0, state };
}

function withTurn(input: Pick<TraceInput, 'turnStarts'>, loss: Observation['loss']): TraceLoss | null {
  return loss && { ...loss, turn: turnAt(input.turnStarts, loss.at) ?? 0 };
}

function returnsIn(observed: readonly (readonly [number, TracePoint['state']])[]): readonly number[] {
  const returns: number[] = [];
  let lost = false;
  for (const [at, state] of observed) {
    if (state === 'visible' && lost) returns.push(at);
    lost = isLost(state);
  }
  return returns;
}
