// browser-safe
import type { TranscriptSummary } from '../protocol/types.ts';
import {
  FLAG_FACETS,
  type FlagFacet,
  hasFlag,
  type LibraryFacets,
  VALUE_FACETS,
  type ValueFacet,
  valuesOf,
} from './query.ts';

/** A value of a facet with the number of transcripts it would show; `chosen` ones are shown now. */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
  readonly chosen: boolean;
}

/** All facets with counts, each under what the others let through. */
export interface FacetCounts {
  readonly values: Readonly<Record<ValueFacet, readonly FacetValue[]>>;
  readonly flags: Readonly<Record<FlagFacet, number>>;
}

/** What transcripts are found by, in small letters: kept by whoever asks more than once. */
export type FoundBy = WeakMap<TranscriptSummary, string>;

function textOf(one: TranscriptSummary, texts: FoundBy): string {
  const known = texts.get(one);
  if (known !== undefined) return known;
  const { title, toolTitle, firstText, project, format, model, noteText } = one;
  const parts = [title, toolTitle, firstText, project, format, model, noteText, ...one.files.map(baseName)];
  const made = [...parts, ...one.tags.map((tag) => `#${tag}`)].join('\n').toLowerCase();
  texts.set(one, made);
  return made;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Filters that name a field, as search has them: `project:api`. What is written without one is looked for everywhere. */
const FIELDS: Readonly<Record<string, (one: TranscriptSummary) => readonly (string | null)[]>> = {
  project: ({ project }) => [project],
  model: ({ model }) => [model],
  format: ({ format }) => [format],
  tool: ({ format }) => [format],
  title: ({ title }) => [title],
  tag: ({ tags }) => tags,
  file: ({ files }) => files,
  note: ({ noteText }) => [noteText],
};

/** The names of the filters that matchText knows. */
export const FILTER_FIELDS: readonly string[] = Object.keys(FIELDS);

/** Folders would match too much; a word with a slash, or the beginning of an id, is meant to. */
function hasWord(one: TranscriptSummary, word: string, texts: FoundBy): boolean {
  const [, name = '', value = ''] = /^([a-z]+):"?([^"]*)"?$/.exec(word) ?? [];
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field !== undefined) return field(one).some((text) => text?.toLowerCase().includes(value));
  if (textOf(one, texts).includes(word)) return true;
  if (/[\\/]/.test(word)) return one.files.some((path) => path.toLowerCase().includes(word));
  return word.length >= 8 && one.id.startsWith(word);
}

/**
 * Transcripts in which every word occurs, or holds of its field (`project:api`, `tag:"to do"`; see FILTER_FIELDS): in title, first words, project, format, model, file name (with a slash, path), tags (`#tag`) or notes.
 * If there are none, those whose title, project or file name has the letters of every word in that order.
 */
export function matchText(
  transcripts: readonly TranscriptSummary[],
  text: string,
  texts: FoundBy = new WeakMap(),
): readonly TranscriptSummary[] {
  const words = text.toLowerCase().match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  if (words.length === 0) return transcripts;
  const found = transcripts.filter((one) => words.every((word) => hasWord(one, word, texts)));
  if (found.length > 0) return found;
  const long = words.every((word) => word.length >= 3);
  return long ? transcripts.filter((one) => words.every((word) => isFuzzy(one, word))) : found;
}

function isFuzzy({ title, project, files }: TranscriptSummary, word: string): boolean {
  return [title, project ?? '', ...files].some((text) => hasLetters(text.toLowerCase(), word));
}

/** Letters in order, each at most a few after the one before: `lgntst` finds `login test`. */
function hasLetters(text: string, word: string): boolean {
  for (let start = text.indexOf(word[0]!); start !== -1; start = text.indexOf(word[0]!, start + 1)) {
    let at = start;
    let i = 1;
    for (; i < word.length; i++) {
      const next = text.indexOf(word[i]!, at + 1);
      if (next === -1 || next - at > 4) break;
      at = next;
    }
    if (i === word.length) return true;
  }
  return false;
}

/** Transcripts that the facets let through; values of one facet are alternatives, facets and flags all have to hold. */
export function matchFacets(
  transcripts: readonly TranscriptSummary[],
  facets: LibraryFacets,
  except: ValueFacet | null = null,
): readonly TranscriptSummary[] {
  const wanted = VALUE_FACETS.filter((facet) => facet !== except && facets.values[facet].length > 0).map(
    (facet) => [facet, new Set(facets.values[facet])] as const,
  );
  if (wanted.length === 0 && facets.flags.length === 0) return transcripts;
  return transcripts.filter(
    (one) =>
      facets.flags.every((flag) => hasFlag(one, flag)) &&
      wanted.every(([facet, values]) => valuesOf(one, facet).some((value) => values.has(value))),
  );
}

/** Counts of all facets over transcripts that the text filter let through; the most frequent values first. */
export function countFacets(transcripts: readonly TranscriptSummary[], facets: LibraryFacets): FacetCounts {
  const values = Object.fromEntries(
    VALUE_FACETS.map((facet) => [facet, countValues(matchFacets(transcripts, facets, facet), facet, facets)]),
  );
  const shown = matchFacets(transcripts, facets);
  const flags = Object.fromEntries(FLAG_FACETS.map((flag) => [flag, shown.filter((one) => hasFlag(one, flag)).length]));
  // Made from the lists of all facets.
  return { values, flags } as FacetCounts;
}

function countValues(
  transcripts: readonly TranscriptSummary[],
  facet: ValueFacet,
  facets: LibraryFacets,
): readonly FacetValue[] {
  const chosen = new Set(facets.values[facet]);
  const counts = new Map([...chosen].map((value) => [value, 0]));
  for (const one of transcripts) {
    for (const value of valuesOf(one, facet)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count, chosen: chosen.has(value) }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}
