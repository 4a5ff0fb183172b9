// Findings in sums, as the list shows them.
import { FINDING_KINDS, type Finding } from '../findings/types.ts';
import { slotsCost, slotsUnpriced } from './figures.ts';
import type { CountedProvenance, FindingSums, SurveyFigures, SurveySums } from './types.ts';

/** Tools that are named in the list's line of a transcript. */
const NAMED_TOOLS = 40;

/** What is known of a transcript that was looked through. */
export interface Surveyed {
  readonly findings: readonly Pick<Finding, 'kind' | 'tokens' | 'cost'>[];
  readonly looksAtCache: boolean;
  readonly figures: SurveyFigures;
  readonly provenance: CountedProvenance;
}

/** The sums of a transcript that was looked through. */
export function surveySums({ findings, looksAtCache, figures, provenance }: Surveyed): SurveySums {
  const kinds = FINDING_KINDS.flatMap((kind) => sumsOf(kind, findings));
  return {
    findings: kinds.sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1) || (b.tokens ?? -1) - (a.tokens ?? -1)),
    looksAtCache,
    again: fetchedAgain(findings),
    provenance,
    cost: slotsCost(figures.slots),
    unpriced: slotsUnpriced(figures.slots),
    tools: figures.tools.slice(0, NAMED_TOOLS).map(({ name }) => name),
    failure: null,
  };
}

function sumsOf(kind: FindingSums['kind'], findings: Surveyed['findings']): readonly FindingSums[] {
  const own = findings.filter((finding) => finding.kind === kind);
  if (own.length === 0) return [];
  return [
    {
      kind,
      count: own.length,
      tokens: sumOf(own.map(({ tokens }) => tokens)),
      cost: sumOf(own.map(({ cost }) => cost)),
    },
  ];
}

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Tokens and money of what was fetched again; what the cache lost is recorded, and never added to it. */
export function fetchedAgain(findings: Surveyed['findings']): SurveySums['again'] {
  const own = findings.filter(({ kind }) => kind === 'forgotten' || kind === 'started_twice');
  const costs = own.map(({ cost }) => cost);
  return {
    tokens: own.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    cost: costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
  };
}
