import type { TranscriptSummary } from '../../core/protocol/types.ts';

/** Transcripts of one project, newest first. */
export interface LibraryGroup {
  readonly name: string;
  readonly transcripts: readonly TranscriptSummary[];
}

export const NO_PROJECT = 'No project';

/** Groups by project; groups and transcripts in order of the last activity, those without a project last. */
export function groupTranscripts(transcripts: readonly TranscriptSummary[]): readonly LibraryGroup[] {
  const groups = new Map<string, TranscriptSummary[]>();
  for (const one of [...transcripts].sort(newestFirst)) {
    const name = one.project ?? NO_PROJECT;
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return [...groups.entries()]
    .map(([name, members]) => ({ name, transcripts: members }))
    .sort((a, b) => Number(a.name === NO_PROJECT) - Number(b.name === NO_PROJECT));
}

/** A project as it is shown: the last step of a path, anything else as it is. */
export function projectName(project: string): string {
  return /^([a-zA-Z]:)?[\\/]/.test(project)
    ? (project.split(/[\\/]/).findLast((step) => step !== '') ?? project)
    : project;
}

/** Transcripts in which every word of the filter occurs: in title, project, format, model or file name. */
export function filterTranscripts(
  transcripts: readonly TranscriptSummary[],
  filter: string,
): readonly TranscriptSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return transcripts;
  return transcripts.filter((one) => {
    const text = [one.title, one.project, one.format, one.model, ...one.files].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A line of the list: a project's name, or a transcript with its place among all of them. */
export type LibraryLine =
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'transcript'; readonly transcript: TranscriptSummary; readonly position: number };

/** The groups as lines, in the order shown. */
export function libraryLines(groups: readonly LibraryGroup[]): readonly LibraryLine[] {
  let position = 0;
  return groups.flatMap((group): LibraryLine[] => [
    { kind: 'group', name: group.name },
    ...group.transcripts.map((transcript): LibraryLine => {
      position += 1;
      return { kind: 'transcript', transcript, position };
    }),
  ]);
}

/** The transcript `delta` places from the one focused, in the order shown. */
export function neighbour(groups: readonly LibraryGroup[], id: string | null, delta: number): TranscriptSummary | null {
  const all = groups.flatMap((group) => group.transcripts);
  const here = all.findIndex((one) => one.id === id);
  if (here === -1) return all[delta > 0 ? 0 : all.length - 1] ?? null;
  return all[Math.max(0, Math.min(all.length - 1, here + delta))] ?? null;
}

function newestFirst(a: TranscriptSummary, b: TranscriptSummary): number {
  const order = lastActivity(b).localeCompare(lastActivity(a));
  return order === 0 ? a.title.localeCompare(b.title) : order;
}

/** ISO time of the last thing known of a transcript. */
function lastActivity(one: TranscriptSummary): string {
  return one.endedAt ?? one.startedAt ?? one.importedAt;
}
