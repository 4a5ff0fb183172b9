import { randomUUID } from 'node:crypto';
import { cutText } from '../../insight/text/loss.ts';
import { pointsToFollow } from '../../insight/text/trace.ts';
import { WatchedAlong, type WatchTracer } from '../../insight/watch/along.ts';
import { WATCHED_CHARS, WATCHPOINTS_MOST, type WatchedTexts } from '../../insight/watch/types.ts';
import { decodedFields, parseMessage } from '../../model/decode.ts';
import { naiveStages } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { Watchpoints } from '../../protocol/watchTypes.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { failure, SUPERSEDED } from '../failures.ts';
import { askedOf } from '../session/askedOf.ts';
import { type Following, followInSlices } from '../session/callPoints.ts';
import { inTurns } from '../session/inTurns.ts';
import type { Session } from '../session/session.ts';
import type { Turn } from '../session/workQueue.ts';
import { traceInput } from './textTrace.ts';

type WatchMethods = 'watch.list' | 'watch.add' | 'watch.set' | 'watch.remove' | 'watch.states';

const SAMPLES = 200;
const UNKNOWN = failure('watch.unknown', 'This text is not watched any more.');

/** Texts that are watched in a transcript, and what becomes of them under a policy. */
export function watchHandlers(engine: Engine): Pick<Handlers, WatchMethods> {
  const { watchpoints } = engine.library.tables;
  const walks = engine.clientWork();
  const changed = (id: string): Watchpoints => {
    engine.broadcast('watchpoints', { id });
    return { watchpoints: watchpoints.list(id) };
  };
  return {
    'watch.list': ({ id }) => ok({ watchpoints: watchpoints.list(id) }),
    async 'watch.add'({ id, text, message, matchCase = false, wholeWord = false, name = null, color }) {
      await engine.writable();
      if (engine.library.get(id) === null) {
        return err(failure('transcript.unknown', `The library has no transcript ${id}.`));
      }
      const said = message === undefined ? ok(text ?? '') : textOf(engine, id, message);
      if (!said.ok) return said;
      const query = { text: said.value.trim(), matchCase, wholeWord };
      if (query.text === '') return err(failure('watch.empty', 'There is nothing to watch.'));
      const known = () => watchpoints.find(id, query)?.id;
      if (known() === undefined && watchpoints.list(id).length >= WATCHPOINTS_MOST) {
        return err(failure('watch.too_many', `${WATCHPOINTS_MOST} texts are watched already; remove one first.`));
      }
      const added = { ...query, id: randomUUID(), name, ...(color === undefined ? {} : { color }) };
      watchpoints.add(id, added, new Date().toISOString());
      return ok({ ...changed(id), watchpoint: known() ?? added.id });
    },
    async 'watch.set'({ id, watchpoint, ...change }) {
      await engine.writable();
      return watchpoints.set(id, watchpoint, change) ? ok(changed(id)) : err(UNKNOWN);
    },
    async 'watch.remove'({ id, watchpoint }) {
      await engine.writable();
      return watchpoints.remove(id, watchpoint) ? ok(changed(id)) : err(UNKNOWN);
    },
    async 'watch.states'({ id, spec }, client) {
      const subject = askedOf(engine, { id, spec });
      if (!subject.ok) return subject;
      const { session, parsed } = subject.value;
      const question = JSON.stringify([id, parsed.spec, watchpoints.list(id), session.source.length]);
      const walk = walks.begin(client.clientId, question, () =>
        session.work.background('series', (turn) => follow(engine, session, parsed, turn)),
      );
      const answer = await walk.done;
      return answer.ok ? answer.value : err(SUPERSEDED);
    },
  };
}

/** The longest text that a message, or a part of it, holds. */
function textOf(
  engine: Engine,
  id: string,
  { index, part }: { readonly index: number; readonly part: number | null },
): Result<string, ProtocolError> {
  const found = engine.session(id);
  if (!found.ok) return found;
  const { source } = found.value;
  if (index >= source.length) return err(failure('transcript.no_such_place', `There is no message #${index}.`));
  const message = parseMessage(source.text(index));
  const { parts } = source.facts(index);
  const chosen = part === null ? parts : parts.slice(part, part + 1);
  const fields = chosen.flatMap((one) => decodedFields(message, one));
  const longest = fields.reduce((best, field) => (field.length > best.length ? field : best), '');
  return ok(cutText(longest.trim(), WATCHED_CHARS));
}

async function follow(
  engine: Engine,
  session: Session,
  parsed: ParsedSpec,
  turn: Turn,
): Promise<Result<WatchedTexts, ProtocolError>> {
  const input = traceInput(engine, session, session.source.length);
  const along = new WatchedAlong(input, engine.library.tables.watchpoints.list(session.id));
  for (const watched of along.tracers) await inTurns(watched.tracer.search(keptSearch(session, watched)), turn);
  const points = pointsToFollow(input, naiveStages(parsed.stages).length > 0, SAMPLES);
  const work: Following = { engine, session, parsed, tokens: session.tokenizing(null), turn, points };
  if (along.tracers.length === 0) return ok(along.finish());
  const walked = await followInSlices(
    { ...work, look: (point) => along.look(point) },
    (point) => along.take(point),
    () => true,
  );
  if (!walked.ok) return walked;
  for (const { tracer, points: between } of along.undecided()) {
    const finer = tracer.finer();
    const looked = await followInSlices(
      { ...work, points: between, look: (point) => finer.look(point) },
      (point) => finer.take(point),
      () => true,
    );
    if (!looked.ok) return looked;
    tracer.settle(finer);
  }
  return ok(along.finish());
}

// A transcript that grew is searched again.
function keptSearch({ watchedSearches, source }: Session, { query, tracer }: WatchTracer) {
  const key = JSON.stringify([source.length, query.text, query.matchCase, query.wholeWord]);
  const search = watchedSearches.get(key) ?? tracer.newSearch();
  watchedSearches.set(key, search);
  return search;
}
