import type { LibraryGroup } from '../../core/library/order.ts';
import { type GroupKey, NO_VALUE } from '../../core/library/query.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import type { Nested } from './nested.ts';
import { formatName } from './words.ts';

const NO_GROUP: Readonly<Record<GroupKey, string>> = {
  none: '',
  project: 'No project',
  format: 'No format',
  model: 'No model',
  day: 'No date',
};

/** The heading of a group. */
export function groupName(value: string, group: GroupKey): string {
  if (value === NO_VALUE) return NO_GROUP[group];
  return group === 'project' ? projectName(value) : group === 'format' ? formatName(value) : value;
}

/** A project as it is shown: the last step of a path, anything else as it is. */
export function projectName(project: string): string {
  return /^([a-zA-Z]:)?[\\/]/.test(project)
    ? (project.split(/[\\/]/).findLast((step) => step !== '') ?? project)
    : project;
}

/** A line of the list: a project's name, or a transcript with its place among all of them. */
export type LibraryLine =
  | { readonly kind: 'group'; readonly value: string; readonly count: number }
  | {
      readonly kind: 'transcript';
      readonly transcript: TranscriptSummary;
      readonly position: number;
      /** How deep it stands under others: 0 = a session. */
      readonly depth: number;
      /** What stands under it, shown or not. */
      readonly under: readonly TranscriptSummary[];
      readonly isUnfolded: boolean;
      /** The value of its group, where it is the only one in it: no heading stands above it. */
      readonly alone: string | null;
    };

const NOTHING_UNDER: Nested['under'] = new Map();

/** The groups as lines, in the order shown: sessions, and under those that are unfolded what belongs to them. */
export function libraryLines(
  groups: readonly LibraryGroup[],
  under = NOTHING_UNDER,
  unfolded: ReadonlySet<string> = new Set(),
  hasHeadings = true,
): readonly LibraryLine[] {
  const lines: LibraryLine[] = [];
  let position = 0;
  const add = (transcript: TranscriptSummary, depth: number, alone: string | null) => {
    const own = under.get(transcript.id) ?? [];
    const isUnfolded = own.length > 0 && unfolded.has(transcript.id);
    position += 1;
    lines.push({ kind: 'transcript', transcript, position, depth, under: own, isUnfolded, alone });
    if (isUnfolded) for (const one of own) add(one, depth + 1, null);
  };
  for (const group of groups) {
    // A heading for each single transcript would double the list.
    const isAlone = groups.length > 1 && group.transcripts.length === 1;
    if (hasHeadings && !isAlone) lines.push({ kind: 'group', value: group.value, count: group.transcripts.length });
    for (const one of group.transcripts) add(one, 0, hasHeadings && isAlone ? group.value : null);
  }
  return lines;
}
