import type { FoundSession, TranscriptSummary } from '../../core/protocol/types.ts';

/** How many files below a folder are in the library. */
export function importedIn(transcripts: readonly Pick<TranscriptSummary, 'files'>[], folder: string): number {
  const below = transcripts.flatMap(({ files }) => files.filter((file) => isBelow(file, folder)));
  return new Set(below).size;
}

/** The transcript of a file, if it is in the library. */
export function transcriptOf<T extends Pick<TranscriptSummary, 'files'>>(
  transcripts: readonly T[],
  path: string,
): T | null {
  return transcripts.find(({ files }) => files.includes(path)) ?? null;
}

/** What is ticked at first: the sessions that are new, if they are few enough to be meant. */
export function tickedFirst(
  sessions: readonly FoundSession[],
  transcripts: readonly Pick<TranscriptSummary, 'files'>[],
): ReadonlySet<string> {
  const fresh = sessions.filter(({ path }) => transcriptOf(transcripts, path) === null);
  return new Set(fresh.length <= FEW ? fresh.map(({ path }) => path) : []);
}

const FEW = 3;

/** `/` and `\` both part folders: the engine may run on another system than the page. */
function isBelow(file: string, folder: string): boolean {
  const rest = file.startsWith(folder) ? file.slice(folder.length) : '';
  return /^[/\\]./.test(rest) || (/[/\\]$/.test(folder) && rest !== '');
}
