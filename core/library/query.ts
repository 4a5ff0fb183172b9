// browser-safe
// What a person asks of the list of transcripts: which, in what order, in what groups. Shared by screen and commands.
import type { TranscriptSummary } from '../protocol/types.ts';

export const SORT_KEYS = [
  'activity',
  'started',
  'imported',
  'title',
  'format',
  'project',
  'model',
  'bytes',
  'messages',
  'tokens',
  'errors',
  'compactions',
  'problems',
  'findings',
  'again',
  'cost',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export const GROUP_KEYS = ['none', 'project', 'format', 'model', 'day'] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

/** How the list is laid out. */
export interface LibraryView {
  readonly sort: SortKey;
  readonly descending: boolean;
  readonly group: GroupKey;
}

/** Facets with values to choose from. Nothing chosen = all. */
export type ValueFacet = 'format' | 'model' | 'project' | 'tag' | 'finding';
/** Facets that are or are not. */
export type FlagFacet = 'errors' | 'compactions' | 'problems' | 'bookmarks' | 'notes' | 'copies';

export interface LibraryFacets {
  readonly values: Readonly<Record<ValueFacet, readonly string[]>>;
  readonly flags: readonly FlagFacet[];
}

export const VALUE_FACETS: readonly ValueFacet[] = ['finding', 'format', 'project', 'model', 'tag'];
export const FLAG_FACETS: readonly FlagFacet[] = ['errors', 'compactions', 'problems', 'bookmarks', 'notes', 'copies'];

export const NO_FACETS: LibraryFacets = {
  values: { finding: [], format: [], project: [], model: [], tag: [] },
  flags: [],
};
export const DEFAULT_VIEW: LibraryView = { sort: 'activity', descending: true, group: 'project' };

/** Stands for a project or model that is not known. */
export const NO_VALUE = '';

/** ISO time of the last thing known of a transcript. */
export function lastActivity(one: TranscriptSummary): string {
  return one.endedAt ?? one.startedAt ?? one.importedAt;
}

/** A transcript's values under a facet; {@link NO_VALUE} where it has none. Tags: none at all. */
export function valuesOf(one: TranscriptSummary, facet: ValueFacet): readonly string[] {
  switch (facet) {
    case 'format':
      return [one.format];
    case 'project':
      return [one.project ?? NO_VALUE];
    case 'model':
      return [one.model ?? NO_VALUE];
    case 'tag':
      return one.tags;
    case 'finding':
      return findingKinds(one);
  }
}

/** Findings of a transcript; null = it was not looked through as it is now, or could not be. */
export function findingCount({ survey }: Pick<TranscriptSummary, 'survey'>): number | null {
  if (survey === null || survey.failure !== null) return null;
  return survey.findings.reduce((sum, { count }) => sum + count, 0);
}

/** As values of a facet: kinds, `none`, or `unknown` for what was not looked through. */
function findingKinds(one: TranscriptSummary): readonly string[] {
  const count = findingCount(one);
  if (count === null) return ['unknown'];
  return count === 0 ? ['none'] : (one.survey?.findings.map(({ kind }) => kind) ?? []);
}

/** Whether a transcript is one of those a flag asks for. */
export function hasFlag(one: TranscriptSummary, flag: FlagFacet): boolean {
  switch (flag) {
    case 'errors':
      return (one.errors ?? 0) > 0;
    case 'compactions':
      return one.compactions > 0;
    case 'problems':
      return one.problems > 0 || one.state === 'failed';
    case 'bookmarks':
      return one.bookmarks > 0;
    case 'notes':
      return one.notes > 0;
    case 'copies':
      return one.base !== null;
  }
}

/** Whether facets narrow anything. */
export function isNarrowed({ values, flags }: LibraryFacets): boolean {
  return flags.length > 0 || VALUE_FACETS.some((facet) => values[facet].length > 0);
}

/** Sets or unsets a value. */
export function toggleValue(facets: LibraryFacets, facet: ValueFacet, value: string): LibraryFacets {
  return { ...facets, values: { ...facets.values, [facet]: toggled(facets.values[facet], value) } };
}

export function toggleFlag(facets: LibraryFacets, flag: FlagFacet): LibraryFacets {
  return { ...facets, flags: toggled(facets.flags, flag) };
}

function toggled<T>(list: readonly T[], value: T): readonly T[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}
