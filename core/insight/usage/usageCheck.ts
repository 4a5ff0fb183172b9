// Declared against observed: what a transcript records of its requests' tokens, held against what its history amounts
// to. A recorded compaction is part of the history; what happens to the input beside that was not recorded.
import { findDrift, findDrops, findMisses, findOutputs, type Request, STEADY_SHARE } from './findings.ts';
import { type Fit, fitLine } from './fit.ts';
import { includesCache, inputOf } from './input.ts';
import type { RequestFigure, RequestRecord, UsageFit, UsageReport } from './types.ts';

/** Nothing recorded, or nothing to say. */
export const NO_USAGE: UsageReport = { requests: [], fits: [], marks: [], problems: [] };

/**
 * Checks the requests of a transcript, in order. `tokenizer` = how histories and answers were counted, in words. Pure;
 * linear but for the fits' medians.
 */
export function checkUsage(records: readonly RequestRecord[], tokenizer: string): UsageReport {
  const includes = includesCache(records.map(({ usage }) => usage));
  const known = records.flatMap((record): Known[] => {
    const input = inputOf(record.usage, includes);
    return input === null ? [] : [{ record, input, era: record.era }];
  });
  if (known.length === 0) return NO_USAGE;
  const drops = findDrops(requestsOf(known, fitModels(known)));
  // What is missing since a fall is missing from then on: the line goes on from a base of its own.
  const split = splitAt(known, new Set(drops.marks.map(({ at }) => at)));
  const fits = fitModels(split);
  const requests = requestsOf(split, fits);
  const misses = findMisses(requests);
  const told = [...fits].map(([model, { fit, count }]): UsageFit => {
    const { factor, base, spread, residual } = fit;
    return { model, requests: count, factor, base, spread, residual };
  });
  return {
    requests: requests.map(({ figure }) => figure),
    fits: told,
    marks: [...drops.marks, ...misses.marks].sort((a, b) => a.at - b.at),
    problems: [...drops.problems, ...misses.problems, ...findOutputs(requests), ...findDrift(told, tokenizer)],
  };
}

interface Known {
  readonly record: RequestRecord;
  readonly input: number;
  /** For the line; falls begin one too. */
  readonly era: number;
}

type Fits = ReadonlyMap<string | null, { readonly fit: Fit; readonly count: number }>;

function splitAt(known: readonly Known[], places: ReadonlySet<number>): readonly Known[] {
  let era = 0;
  return known.map((one, i) => {
    if (places.has(one.record.at) || one.record.era !== (known[i - 1]?.record.era ?? one.record.era)) era++;
    return { ...one, era };
  });
}

function fitModels(known: readonly Known[]): Fits {
  const fits = new Map<string | null, { fit: Fit; count: number }>();
  for (const [model, own] of Map.groupBy(known, ({ record }) => record.model ?? null)) {
    const fit = fitLine(own.map(({ record, input, era }) => ({ history: record.history, era, input })));
    if (fit !== null) fits.set(model, { fit, count: own.length });
  }
  return fits;
}

function requestsOf(known: readonly Known[], fits: Fits): readonly Request[] {
  return known.map((one): Request => {
    const fit = fits.get(one.record.model ?? null)?.fit;
    const isFitted = fit !== undefined && fit.noise <= STEADY_SHARE;
    return { record: one.record, factor: fit?.factor ?? 1, isFitted, figure: figureOf(one, fit) };
  });
}

function figureOf({ record, input, era }: Known, fit: Fit | undefined): RequestFigure {
  const { at, usage, history, answer } = record;
  return {
    at,
    input,
    cacheRead: usage.cacheRead ?? null,
    cacheWrite: usage.cacheWrite ?? null,
    output: usage.output ?? null,
    history,
    answer,
    expected: fit === undefined ? null : Math.max(0, Math.round(fit.baseOf(era) + fit.factor * history)),
  };
}
