import { searchFront } from '../../insight/text/places.ts';
import { presenceSteps } from '../../insight/text/present.ts';
import type { TranscriptSearch } from '../../insight/text/search.ts';
import { emptyTextTrace, pointsToFollow, type TextTraceInput, TextTracer } from '../../insight/text/trace.ts';
import type { TextTrace } from '../../insight/text/types.ts';
import { naiveStages } from '../../projection/allCallPoints.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { textPattern } from '../../util/textPattern.ts';
import type { Engine } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { askedAt } from '../session/askedOf.ts';
import { type Following, followInSlices } from '../session/callPoints.ts';
import { inTurns } from '../session/inTurns.ts';
import { projectionAt } from '../session/projectionAt.ts';
import type { Session } from '../session/session.ts';

const SAMPLES = 200;
const EVENTS_PAGE = 500;

/** Whether a text is in a request. Runs in slices: clicks never wait for it. */
export function textTraceHandlers(engine: Engine): Pick<Handlers, 'trace.text' | 'trace.present'> {
  const traces = engine.clientWork();
  const presences = engine.clientWork();
  let made = 0;
  return {
    async 'trace.text'({ id, spec, text, at, matchCase = false, wholeWord = false, samples = SAMPLES }, client) {
      const subject = askedAt(engine, { id, spec, at });
      if (!subject.ok) return subject;
      const { session, parsed, at: now } = subject.value;
      const input = traceInput(engine, session, now);
      const tracer = TextTracer.of(input, text, { matchCase, wholeWord });
      if (tracer === null) return ok(emptyTextTrace(input));
      const points = pointsToFollow(input, naiveStages(parsed.stages).length > 0, samples);
      const traced = traces.begin(client.clientId, `${++made}`, () =>
        session.work.background('asked', (turn) => {
          const tokens = session.tokenizing(null);
          const search = keptSearch(session, JSON.stringify([text, matchCase, wholeWord]), tracer);
          return traceText({ engine, session, parsed, tokens, turn, points }, tracer, search);
        }),
      );
      const trace = await traced.done;
      return trace.ok ? trace.value : err(SUPERSEDED);
    },
    async 'trace.present'({ id, spec, at, places, text, matchCase = false, wholeWord = false }, client) {
      const subject = askedAt(engine, { id, spec, at });
      if (!subject.ok) return subject;
      const { session, parsed, at: now } = subject.value;
      const pattern = text === undefined ? null : textPattern(text, { matchCase, wholeWord });
      const asked = presences.begin(client.clientId, `${++made}`, () =>
        session.work.background('asked', async (turn) => {
          const projected = await projectionAt({ engine, session, parsed, turn }, now);
          if (!projected.ok) return projected;
          const { view } = projected.value;
          const query = pattern && { pattern, finder: null };
          const inFront = query !== null && searchFront(session.source.row().meta, query).places.length > 0;
          const question = { source: session.source, view, at: now, places, pattern, inFront };
          return ok({ presence: await inTurns(presenceSteps(question), turn) });
        }),
      );
      const answer = await asked.done;
      return answer.ok ? answer.value : err(SUPERSEDED);
    },
  };
}

/** What the trace of a text goes over. */
export function traceInput(engine: Engine, session: Session, now: number): TextTraceInput {
  const { source, id } = session;
  const { callPoints, turnStarts } = session.outline;
  const { meta, counts } = source.row();
  const events = () => allEvents(engine, id, counts.events);
  return { source, front: meta, events, callPoints, turnStarts, now };
}

function* allEvents({ library }: Engine, id: string, total: number) {
  for (let from = 0; from < total; from += EVENTS_PAGE) yield* library.events(id, from, from + EVENTS_PAGE);
}

// A transcript that grew is searched again.
function keptSearch({ searches, source }: Session, question: string, tracer: TextTracer): TranscriptSearch {
  const key = `${source.length} ${question}`;
  const search = searches.get(key) ?? tracer.newSearch();
  searches.set(key, search);
  return search;
}

async function traceText(
  work: Following,
  tracer: TextTracer,
  search: TranscriptSearch,
): Promise<Result<TextTrace, ProtocolError>> {
  await inTurns(tracer.search(search), work.turn);
  const walked = await walk(work, tracer);
  if (!walked.ok) return walked;
  const points = tracer.undecided();
  if (points.length === 0) return ok(tracer.finish());
  const finer = tracer.finer();
  const looked = await walk({ ...work, points }, finer);
  if (!looked.ok) return looked;
  tracer.settle(finer);
  return ok(tracer.finish());
}

function walk(work: Following, tracer: TextTracer) {
  return followInSlices(
    { ...work, look: (point) => tracer.look(point) },
    (point) => tracer.take(point),
    () => true,
  );
}
