import { StateFollower } from '../../insight/followed.ts';
import { countBelow } from '../../insight/places.ts';
import type { Subject } from '../../insight/subject.ts';
import { firstLost, NOT_YET, type TraceInput, traceOf, traceSteps } from '../../insight/trace.ts';
import type { Trace, TracePoint } from '../../insight/types.ts';
import { type Observation, observe } from '../../insight/visibility.ts';
import { naiveStages } from '../../projection/allCallPoints.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { askedAt } from '../session/askedOf.ts';
import { type Following, followInSlices } from '../session/callPoints.ts';
import { projectionAt } from '../session/projectionAt.ts';

const SAMPLES = 200;

/** Why something is not visible. Runs in slices: clicks never wait for it. */
export function traceHandlers(engine: Engine): Pick<Handlers, 'trace.message'> {
  const traces = engine.clientWork();
  let made = 0;
  return {
    async 'trace.message'({ id, spec, index, part, at, samples }, client) {
      const question = askedAt(engine, { id, spec, at });
      if (!question.ok) return question;
      const { session, parsed, at: now } = question.value;
      const parts = index < session.source.length ? session.source.facts(index).parts.length : -1;
      if (parts < 0 || (part ?? 0) >= Math.max(1, parts)) {
        return err(failure('transcript.no_such_place', `There is no part ${part ?? 0} of message #${index}.`));
      }
      const { callPoints, turnStarts } = session.outline;
      const subject: Subject = { index, part };
      const input = { subject, callPoints, turnStarts, now };
      const isNaive = naiveStages(parsed.stages).length > 0;
      const { work } = session;
      const traced = traces.begin(client.clientId, `${++made}`, () =>
        work.background('asked', (turn) => {
          const through = { engine, session, parsed, tokens: session.tokenizing(null), turn };
          return isNaive ? traceSamples(through, { ...input, samples: samples ?? SAMPLES }) : traceAll(through, input);
        }),
      );
      const trace = await traced.done;
      return trace.ok ? trace.value : err(SUPERSEDED);
    },
  };
}

type Traced = Omit<TraceInput, 'samples'>;
type Work = Omit<Following, 'points'>;

/** Projects at call points one after the other, as many as the search for the places asks for. */
async function traceSamples(
  { engine, session, parsed, turn }: Work,
  input: TraceInput,
): Promise<Result<Trace, ProtocolError>> {
  const run = traceSteps(input);
  let step = run.next();
  while (!step.done) {
    await turn.pause();
    const given = session.inputsFor(parsed.spec);
    const projected = await engine.projectInBackground(session, parsed.stages, step.value, turn, given);
    if (!projected.ok) return projected;
    step = run.next(observe(session.source, projected.value, input.subject));
  }
  return ok(step.value);
}

/** Looks at every call point; only where something was lost first, and now, the sentences are made by a projection. */
async function traceAll(work: Work, input: Traced): Promise<Result<Trace, ProtocolError>> {
  const { session } = work;
  const { subject, callPoints } = input;
  const states = new Map<number, TracePoint['state']>();
  const follower = new StateFollower(session.source, subject);
  const points = callPoints.slice(countBelow(callPoints, subject.index + 1));
  const followed = await followInSlices(
    { ...work, points },
    (point) => [point.at, follower.at(point)] as const,
    ([at, state]) => {
      states.set(at, state);
      return true;
    },
  );
  if (!followed.ok) return followed;
  const observeAt = async (at: number | null): Promise<Result<Observation, ProtocolError>> => {
    if (at === null || at <= subject.index) return ok(NOT_YET);
    const projected = await projectionAt(work, at);
    return projected.ok ? ok(observe(session.source, projected.value, subject)) : projected;
  };
  const lostAt = firstLost(states);
  const firstLoss = await observeAt(lostAt);
  if (!firstLoss.ok) return firstLoss;
  const now = lostAt === input.now ? firstLoss : await observeAt(input.now);
  if (!now.ok) return now;
  return ok(traceOf(input, { states, firstLoss: lostAt === null ? null : firstLoss.value, now: now.value }));
}
