import { aboutImported, type CountedAbout } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { countsPlainly } from './counting.ts';

/** What of a transcript that was read decides how this command counts its requests. */
export function aboutOf(transcript: ImportedTranscript): CountedAbout {
  return aboutImported(transcript, countsPlainly());
}
