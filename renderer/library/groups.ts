import type { TranscriptSummary } from '../../core/protocol/types.ts';
import type { Kin } from './kin.ts';

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
  | {
      readonly kind: 'transcript';
      readonly transcript: TranscriptSummary;
      readonly position: number;
      /** How deep it stands under others: 0 = a session. */
      readonly depth: number;
      /** What stands under it, shown or not. */
      readonly under: readonly TranscriptSummary[];
      readonly isUnfolded: boolean;
    };

const NOTHING_UNDER: Kin['under'] = new Map();

/** The groups as lines, in the order shown: sessions, and under those that are unfolded what belongs to them. */
export function libraryLines(
  groups: readonly LibraryGroup[],
  under = NOTHING_UNDER,
  unfolded: ReadonlySet<string> = new Set(),
): readonly LibraryLine[] {
  const lines: LibraryLine[] = [];
  let position = 0;
  const add = (transcript: TranscriptSummary, depth: number) => {
    const own = under.get(transcript.id) ?? [];
    const isUnfolded = own.length > 0 && unfolded.has(transcript.id);
    position += 1;
    lines.push({ kind: 'transcript', transcript, position, depth, under: own, isUnfolded });
    if (isUnfolded) for (const one of own) add(one, depth + 1);
  };
  for (const group of groups) {
    lines.push({ kind: 'group', name: group.name });
    for (const one of group.transcripts) add(one, 0);
  }
  return lines;
}

/** The transcript `delta` lines from the one focused, in the order shown. */
export function neighbour(lines: readonly LibraryLine[], id: string | null, delta: number): TranscriptSummary | null {
  const all = lines.flatMap((line) => (line.kind === 'transcript' ? [line.transcript] : []));
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
