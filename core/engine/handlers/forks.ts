import { type Correlation, Correlator, type Wanted } from '../../insight/correlate.ts';
import type { TranscriptMeta } from '../../model/transcript.ts';
import { exportName } from '../../protocol/exportName.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { jidoThread } from '../../report/jidoThread.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { isRecord } from '../../util/unknown.ts';
import { createMemo } from '../../view/memo.ts';
import { rawView, readView } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import { type Engine, failure } from '../engine.ts';
import { writeExport } from '../files/exportFolder.ts';
import { startIndexing } from '../library/indexing.ts';
import { summaryOf } from '../library/summary.ts';
import { startUpkeep } from '../library/upkeep.ts';
import type { Session } from '../session/session.ts';
import { createSlicer } from '../slicer.ts';

const NO_FORK = {
  no_parent: (id: string) => failure('transcript.unknown', `The library has no transcript ${id}.`),
  no_place: (_id: string, at: number) => failure('transcript.no_such_place', `There is no place ${at} to fork at.`),
};

/** How many of the messages before the fork are looked at for their shape. */
const SHAPE_MESSAGES = 50;

/** What-ifs, and what belongs together by recorded ids. */
export function forkHandlers(
  engine: Engine,
): Pick<Handlers, 'transcript.fork' | 'export.thread' | 'correlate.request' | 'correlate.call'> {
  return {
    async 'transcript.fork'({ id, at, text, messages }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const typed = typedMessages(messages ?? []);
      if (!typed.ok) return typed;
      const texts = text === undefined ? typed.value : [...typed.value, userMessage(session.value, text)];
      await engine.writable();
      const fork = engine.library.fork({ parentId: id, at, texts, now: new Date().toISOString() });
      if (!fork.ok) return err(NO_FORK[fork.error](id, at));
      engine.libraryChanged();
      startUpkeep(engine);
      startIndexing(engine);
      return ok({ id: fork.value });
    },
    async 'export.thread'({ id, path }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const { source } = session.value;
      const { meta } = source.row();
      const { json, entries, losses } = jidoThread(
        source,
        meta,
        meta.sessionId ?? id,
        source.length,
        parentOf(engine, meta),
      );
      const { title } = summaryOf(source.row(), null);
      const nameOf = (nth: number) => exportName(title, source.length, 'jido', nth);
      const written = await writeExport(engine.library.dir, path, nameOf, [json]);
      return written.ok ? ok({ ...written.value, entries, losses }) : written;
    },
    'correlate.request': ({ id, requestId }) => correlateIn(engine, id, { kind: 'request', requestId }),
    'correlate.call': ({ id, callId }) => correlateIn(engine, id, { kind: 'call', callId }),
  };
}

/** The id under which the transcript that a what-if was forked from is exported. */
function parentOf({ library }: Engine, { whatIf }: TranscriptMeta): string | undefined {
  return whatIf && (library.get(whatIf.parentId)?.meta.sessionId ?? whatIf.parentId);
}

/** Texts that are messages: JSON of an object with a role. Error: `fork.not_a_message`. */
function typedMessages(texts: readonly string[]): Result<readonly string[], ProtocolError> {
  for (const [at, text] of texts.entries()) {
    const why = faultOf(text);
    if (why !== null) return err(failure('fork.not_a_message', `Message ${at + 1} ${why}.`));
  }
  return ok(texts);
}

function faultOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return 'is not an object';
    return typeof value.role === 'string' && value.role !== '' ? null : 'has no role';
  } catch (error) {
    if (error instanceof SyntaxError) return `is not JSON: ${error.message}`;
    throw error;
  }
}

// In the shape of the messages that come before.
function userMessage({ source }: Session, text: string): string {
  const memo = createMemo();
  const view = rawView(source, Math.min(source.length, SHAPE_MESSAGES), memo);
  return textMessage('user', text, readView(view, source, memo));
}

async function correlateIn(engine: Engine, id: string, wanted: Wanted): Promise<Result<Correlation, ProtocolError>> {
  const found = engine.session(id);
  if (!found.ok) return found;
  const { source } = found.value;
  const correlator = new Correlator(wanted);
  const slicer = createSlicer();
  for (let index = 0; index < source.length; index++) {
    correlator.add(index, source.facts(index), source.meta(index));
    await slicer.pause();
  }
  return ok(correlator.result());
}
