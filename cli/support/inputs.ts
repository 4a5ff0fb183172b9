import {
  aboutImported,
  type CountedAbout,
  type RequestedSession,
  requestedImport,
} from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { countsPlainly } from './counting.ts';

/** What of a transcript that was read decides how this command counts its requests. */
export function aboutOf(transcript: ImportedTranscript): CountedAbout {
  return aboutImported(transcript, countsPlainly());
}

/** A transcript that was read, as a session whose requests this command follows. */
export function requestedFrom(transcript: ImportedTranscript, source?: RequestedSession['source']): RequestedSession {
  return requestedImport(transcript, countsPlainly(), source);
}
