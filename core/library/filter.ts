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
