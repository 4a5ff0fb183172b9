import {
  findChanges,
  findPins,
  type KeepFound,
  type KeepSearch,
  type KeepSubject,
  keptThing,
  priceOf,
} from '../../insight/keep/index.ts';
import type { StageStep } from '../../projection/project.ts';
import type { Params, ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { measured } from '../session/measured.ts';
import { readAt } from '../session/projecting.ts';
import type { Session } from '../session/session.ts';
import type { Turn } from '../session/workQueue.ts';

const NOTHING: KeepFound = { state: 'not_said', changes: [], takers: [], useless: [], tried: 0 };

/** What would have kept a message or a text, and at what price. Runs in slices: clicks never wait for it. */
export function keepHandlers(engine: Engine): Pick<Handlers, 'keep.find' | 'keep.pins' | 'keep.price'> {
  const searches = engine.clientWork();
  const pinned = engine.clientWork();
  const prices = engine.clientWork();
  let made = 0;
  return {
    async 'keep.find'(params, client) {
      const found = engine.session(params.id);
      if (!found.ok) return found;
      const session = found.value;
      const subject = subjectOf(session, params);
      if (!subject.ok) return subject;
      const now = readAt(session, params.at);
      if (!now.ok) return now;
      const asked = searches.begin(client.clientId, `${++made}`, () =>
        session.work.background('asked', (turn) =>
          search(engine, session, params.spec, now.value, subject.value, turn),
        ),
      );
      const answer = await asked.done;
      return answer.ok ? answer.value : err(SUPERSEDED);
    },
    async 'keep.pins'({ id, spec, at, message, words }, client) {
      const found = engine.session(id);
      if (!found.ok) return found;
      const session = found.value;
      const now = readAt(session, at);
      if (!now.ok) return now;
      const { source, memo } = session;
      if (message >= source.length) return subjectGone(message);
      const asked = pinned.begin(client.clientId, `${++made}`, () =>
        session.work.background('asked', async (turn) => {
          const parsed = readSpecFor(engine, id, spec);
          if (!parsed.ok) return parsed;
          const question = {
            source,
            memo,
            front: source.row().meta,
            spec: parsed.value.spec,
            at: now.value,
            message,
            words,
          };
          return ok({ choices: await answered(engine, session, findPins(question), now.value, turn) });
        }),
      );
      const answer = await asked.done;
      return answer.ok ? answer.value : err(SUPERSEDED);
    },
    async 'keep.price'({ id, spec, changed, at }, client) {
      const found = engine.session(id);
      if (!found.ok) return found;
      const session = found.value;
      const now = readAt(session, at);
      if (!now.ok) return now;
      // Prices against one policy are asked for by a list and by the banner of what is tried, beside each other.
      const asked = prices.begin(client.clientId, `${id} ${JSON.stringify(spec)}`, () =>
        session.work.background('asked', async (turn) => {
          const before = await measured(engine, session, spec, now.value, turn);
          if (!before.ok) return before;
          const after = await measured(engine, session, changed, now.value, turn);
          return after.ok ? ok(priceOf(before.value, after.value)) : after;
        }),
      );
      const answer = await asked.done;
      return answer.ok ? answer.value : err(SUPERSEDED);
    },
  };
}

function subjectOf(
  { source }: Session,
  { message, text, matchCase = false, wholeWord = false }: Params<'keep.find'>,
): Result<KeepSubject, ProtocolError> {
  if (text !== undefined) return ok({ text, matchCase, wholeWord });
  if (message !== undefined && message < source.length) return ok({ message });
  return subjectGone(message);
}

function subjectGone(message: number | undefined): Result<never, ProtocolError> {
  return err(failure('transcript.no_such_place', `There is no message ${message ?? ''} to keep.`));
}

async function search(
  engine: Engine,
  session: Session,
  given: unknown,
  at: number,
  subject: KeepSubject,
  turn: Turn,
): Promise<Result<KeepFound, ProtocolError>> {
  const parsed = readSpecFor(engine, session.id, given);
  if (!parsed.ok) return parsed;
  const { source, memo } = session;
  const { spec } = parsed.value;
  const thing = keptThing(subject, at, source, memo, source.row().meta);
  if (thing === null) return ok(NOTHING);
  const { tokens } = session.inputsFor(spec);
  return ok(await answered(engine, session, findChanges({ source, spec, at, subject, thing, tokens }), at, turn));
}

/** Answers a search with projections until it is through. */
async function answered<T>(engine: Engine, session: Session, run: KeepSearch<T>, at: number, turn: Turn): Promise<T> {
  for (let step = run.next(null); ; ) {
    if (step.done === true) return step.value;
    const pause = turn.pause();
    if (pause) await pause;
    const { parsed: asked, steps: isAsked } = step.value;
    const own = readSpecFor(engine, session.id, asked.spec);
    if (!own.ok) {
      step = run.next(null);
      continue;
    }
    const steps: StageStep[] = [];
    const observe = isAsked ? { observe: (one: StageStep) => void steps.push(one) } : {};
    const inputs = { ...session.inputsFor(own.value.spec), explain: false, ...observe };
    const projected = await engine.projectInBackground(session, own.value.stages, at, turn, inputs);
    step = run.next(projected.ok ? { view: projected.value.view, steps } : null);
  }
}
