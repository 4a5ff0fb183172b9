import { MemoryTranscript } from '../../importers/memory.ts';
import { recordedFormat } from '../../model/transcript.ts';
import { Library } from '../../store/index.ts';
import { aboutImported } from '../requests/aboutImported.ts';
import type { CountedAbout } from '../requests/counting.ts';
import { type RequestedSession, SessionRequests } from '../requests/sessionRequests.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { TriedSession, type TryOptions } from './triedSession.ts';
import type { GivenSession, SessionSource, SweepOptions } from './types.ts';

/** A session that is open, and how what it reads from is closed. */
export interface OpenedSession {
  readonly session: TriedSession;
  close(): void;
}

/** Opens a session; throws where the library cannot be read, or does not have it. */
export async function openTried(
  { source, scopes, watched = [] }: GivenSession,
  { tokens, plain, cachePoints, prices, texts }: SweepOptions,
  trying: TryOptions,
): Promise<OpenedSession> {
  const { requested, close } = requestedFrom(source, plain);
  const requests = await SessionRequests.open(requested, { tokens, cachePoints, prices });
  return { session: new TriedSession(requests, scopes, { texts, own: watched }, trying), close };
}

function requestedFrom(
  given: SessionSource,
  plain: boolean,
): { readonly requested: RequestedSession; readonly close: () => void } {
  if (given.from === 'memory') {
    const { transcript } = given;
    const source = MemoryTranscript.of(transcript);
    const about = aboutImported(transcript, plain);
    return { requested: { source, meta: transcript.meta, about }, close: () => {} };
  }
  const library = Library.open(given.dir, { readonly: true });
  if (!library.ok) throw new Error(library.error.text);
  const source = library.value.source(given.id);
  if (source === null) throw new Error(`The library has no transcript ${given.id}.`);
  const row = source.row();
  const { meta, models } = row;
  const metaAt = (index: number) => source.meta(index);
  const model = modelOf(row);
  const about: CountedAbout = {
    ...{ model: model ?? undefined, beside: meta, format: recordedFormat(meta), metaAt, plain },
    kept: { usage: null },
    ...(meta.bundle && { stated: meta.bundle.transcript.calibration ?? null }),
    binding: { model, models, meta, metaAt },
  };
  return { requested: { source, meta, about }, close: () => library.value.close() };
}
