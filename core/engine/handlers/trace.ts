import { alignParts } from '../../insight/alignParts.ts';
import { StateFollower } from '../../insight/followed.ts';
import { countBelow } from '../../insight/places.ts';
import { firstLost, NOT_YET, type TraceInput, traceOf, traceSteps } from '../../insight/trace.ts';
import type { Trace, TracePoint } from '../../insight/types.ts';
import { type Observation, observe, type SeenMessage, type Subject } from '../../insight/visibility.ts';
import { partText } from '../../model/partText.ts';
import { naiveStages } from '../../projection/allCallPoints.ts';
import type { Projection } from '../../projection/types.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { type Following, followInSlices } from '../callPoints.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { readSpecFor } from '../policyScopes.ts';
import { readAt } from '../projecting.ts';
import { projectionAt } from '../projectionAt.ts';
import type { Session } from '../session/session.ts';

const SAMPLES = 200;

/** Why something is not visible. Runs in slices: clicks never wait for it. */
export function traceHandlers(engine: Engine): Pick<Handlers, 'trace.message'> {
  const traces = engine.clientWork();
  let made = 0;
  return {
    async 'trace.message'({ id, spec, index, part, at, samples }, client) {
      const found = engine.session(id);
      if (!found.ok) return found;
      const session = found.value;
      const parsed = readSpecFor(engine, id, spec);
      if (!parsed.ok) return parsed;
      const now = readAt(session, at);
      if (!now.ok) return now;
      const parts = index < session.source.length ? session.source.facts(index).parts.length : -1;
      if (parts < 0 || (part ?? 0) >= Math.max(1, parts)) {
        return err(failure('transcript.no_such_place', `There is no part ${part ?? 0} of message #${index}.`));
      }
      const { callPoints, turnStarts } = session.outline;
      const subject: Subject = { index, part };
      const input = { subject, callPoints, turnStarts, now: now.value };
      const isNaive = naiveStages(parsed.value.stages).length > 0;
      const { work } = session;
      const traced = traces.begin(client.clientId, `${++made}`, () =>
        work.background('asked', (turn) => {
          const through = { engine, session, parsed: parsed.value, tokens: session.tokenizing(null), turn };
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
    step = run.next(observeIn(session, projected.value, input.subject));
  }
  return ok(step.value);
}

/** Looks at every call point; only where something was lost first, and now, the sentences are made by a projection. */
async function traceAll(work: Work, input: Traced): Promise<Result<Trace, ProtocolError>> {
  const { session } = work;
  const { subject, callPoints } = input;
  const states = new Map<number, TracePoint['state']>();
  const follower = new StateFollower(subject, (item, fate) => seenMessage(session, item, fate));
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
    return projected.ok ? ok(observeIn(session, projected.value, subject)) : projected;
  };
  const lostAt = firstLost(states);
  const firstLoss = await observeAt(lostAt);
  if (!firstLoss.ok) return firstLoss;
  const now = lostAt === input.now ? firstLoss : await observeAt(input.now);
  if (!now.ok) return now;
  return ok(traceOf(input, { states, firstLoss: lostAt === null ? null : firstLoss.value, now: now.value }));
}

function observeIn(session: Session, projection: Projection, subject: Subject): Observation {
  let item: ViewItem | null = null;
  let standIn: string | null = null;
  for (const candidate of projection.view.items) {
    if (candidate.kind === 'source') {
      if (candidate.index === subject.index) item = candidate;
    } else if (candidate.covers.from <= subject.index && subject.index < candidate.covers.to) {
      standIn = seenMessage(session, candidate, undefined).text(null);
    }
  }
  const edited = item?.text === undefined ? null : seenMessage(session, item, projection.fates[subject.index]);
  return observe(projection, subject, { present: item !== null, edited, standIn });
}

function seenMessage(session: Session, item: ViewItem, fate: Fate | undefined): SeenMessage {
  const text = item.text ?? '';
  const edit = session.edits.read({ ...item, text });
  const { facts } = edit;
  const index = item.kind === 'source' ? item.index : -1;
  const same = (raw: number, at: number): boolean => {
    const place = edit.sameAs[at];
    return place?.message === index && place.part === raw;
  };
  const isOwn = fate !== undefined && item.kind === 'source';
  const aligned = isOwn ? alignParts(item, session.source.facts(index), facts.parts.length, fate, same) : [];
  return {
    facts,
    aligned,
    text(part) {
      const message: unknown = JSON.parse(text);
      const shown = part === null ? facts.parts : facts.parts.slice(part, part + 1);
      return shown.map((each) => partText(message, each)).join('\n\n');
    },
  };
}
