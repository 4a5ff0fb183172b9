import { type RequestOptions, SessionRequests } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { aboutOf } from './inputs.ts';

/** The requests of a transcript that was read, whatever the spec. */
export function openRequests(
  transcript: ImportedTranscript,
  source: TranscriptSource,
  options: RequestOptions,
): Promise<SessionRequests> {
  return SessionRequests.open({ source, meta: transcript.meta, about: aboutOf(transcript) }, options);
}
