// Whether a newer reader makes more of a file than the one that read it.

import type { TranscriptMeta } from '../../model/transcript.ts';
import { formats } from '../formats/index.ts';

/** True if the transcript was read from a file by an older version of its format's reader. */
export function isReadByOlder({ format, readerVersion = 1, whatIf }: TranscriptMeta): boolean {
  return whatIf === undefined && (formats.get(format)?.readerVersion ?? 1) > readerVersion;
}
