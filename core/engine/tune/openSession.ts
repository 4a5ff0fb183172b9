import { MemoryTranscript } from '../../importers/memory.ts';
import { aboutImported } from '../requests/aboutImported.ts';
import { type RequestedSession, SessionRequests } from '../requests/sessionRequests.ts';
import { openStored } from '../requests/storedSession.ts';
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
  return openStored(given, plain);
}
