// Declared against observed: what a transcript records of its requests' tokens, held against what its history amounts
// to. A recorded compaction is part of the history; what happens to the input beside that was not recorded.
import { expectedInput, LEAST_REQUESTS } from '../../tokens/calibrated.ts';
import { calibrate } from '../calibration.ts';
import { sumDiagnoses } from './diagnoses.ts';
import { diagnosisFindings, findDrift, findDrops, findOutputs, missFindings, STEADY_SHARE } from './findings.ts';
import { type Fit, fitLine } from './fit.ts';
import { includesCache, inputOf, outputOf } from './input.ts';
import { findLosses, type MissEvidence } from './misses.ts';
import type { Request, RequestFigure, RequestRecord, UsageFit, UsageReport } from './types.ts';

/** Nothing recorded, or nothing to say. */
export const NO_USAGE: UsageReport = {
  requests: [],
  fits: [],
  marks: [],
  misses: [],
  diagnoses: { answers: 0, changed: [], unknown: 0 },
  problems: [],
};

/**
 * Checks the requests of a transcript, in order. `tokenizer` = how histories and answers were counted, in words; `evidence` =
 * what stands around them, null = nothing is known of it. Pure; linear but for the fits' medians.
 */
export function checkUsage(
  records: readonly RequestRecord[],
  tokenizer: string,
  evidence: MissEvidence | null = null,
): UsageReport {
  const steps = checkUsageSteps(records, tokenizer, evidence);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in pieces of some ten milliseconds at thousands of requests, for a thread that others wait for. */
export function* checkUsageSteps(
  records: readonly RequestRecord[],
  tokenizer: string,
  evidence: MissEvidence | null = null,
): Generator<void, UsageReport, void> {
  const includes = includesCache(records.map(({ usage }) => usage));
  const known = records.flatMap((record): Known[] => {
    const input = inputOf(record.usage, includes);
    return input === null ? [] : [{ record, input, era: record.era }];
  });
  if (known.length === 0) return NO_USAGE;
  const whole = fitModels(known);
  yield;
  const drops = findDrops(requestsOf(known, whole));
  yield;
  // What is missing since a fall is missing from then on: the line continues from another base.
  const places = new Set(drops.marks.map(({ at }) => at));
  const split = splitAt(known, places);
  const fits = fitModels(split);
  yield;
  const requests = requestsOf(split, fits);
  const misses = findLosses(requests, evidence);
  yield;
  const missed = missFindings(requests, misses);
  const diagnoses = sumDiagnoses(known.map(({ record }) => record));
  const lines = linesOf(known, places);
  yield;
  return {
    requests: requests.map(({ figure, record }) => expecting(figure, lines.get(record.model ?? null))),
    fits: [...lines.values()],
    misses,
    diagnoses,
    marks: [...drops.marks, ...missed.marks].sort((a, b) => a.at - b.at),
    problems: [
      ...drops.problems,
      ...missed.problems,
      ...diagnosisFindings(diagnoses),
      ...findOutputs(requests),
      ...findDrift([...lines.values()], tokenizer),
    ],
  };
}

interface Known {
  readonly record: RequestRecord;
  readonly input: number;
  /** For the line; falls begin one too. */
  readonly era: number;
}

type Fits = ReadonlyMap<string | null, Fit>;

// What is shown, and what figures are calibrated by: one line a model. What is missing since a fall is missing from then on,
// so the line is drawn through the last stretch without one that has enough requests.
function linesOf(known: readonly Known[], drops: ReadonlySet<number>): ReadonlyMap<string | null, UsageFit> {
  const lines = new Map<string | null, UsageFit>();
  for (const [model, own] of Map.groupBy(known, ({ record }) => record.model ?? null)) {
    const line = calibrate(
      model,
      lastStretch(own, drops).map(({ record, input }) => ({ history: record.history, input })),
    );
    if (line !== null) lines.set(model, line);
  }
  return lines;
}

function lastStretch(known: readonly Known[], drops: ReadonlySet<number>): readonly Known[] {
  let to = known.length;
  for (let from = to; from > 0; from--) {
    const isStart = from === 1 || drops.has(known[from - 1]?.record.at ?? -1);
    if (!isStart) continue;
    if (to - (from - 1) >= LEAST_REQUESTS) return known.slice(from - 1, to);
    to = from - 1;
  }
  return known;
}

function expecting(figure: RequestFigure, line: UsageFit | undefined): RequestFigure {
  return line === undefined ? figure : { ...figure, expected: expectedInput(line, figure.history) };
}

function splitAt(known: readonly Known[], places: ReadonlySet<number>): readonly Known[] {
  let era = 0;
  return known.map((one, i) => {
    if (places.has(one.record.at) || one.record.era !== (known[i - 1]?.record.era ?? one.record.era)) era++;
    return { ...one, era };
  });
}

function fitModels(known: readonly Known[]): Fits {
  const fits = new Map<string | null, Fit>();
  for (const [model, own] of Map.groupBy(known, ({ record }) => record.model ?? null)) {
    const fit = fitLine(own.map(({ record, input, era }) => ({ history: record.history, era, input })));
    if (fit !== null) fits.set(model, fit);
  }
  return fits;
}

function requestsOf(known: readonly Known[], fits: Fits): readonly Request[] {
  return known.map((one): Request => {
    const fit = fits.get(one.record.model ?? null);
    const isFitted = fit !== undefined && fit.noise <= STEADY_SHARE;
    return { record: one.record, factor: fit?.factor ?? 1, isFitted, figure: figureOf(one) };
  });
}

function figureOf({ record, input }: Known): RequestFigure {
  const { at, usage, history, answer } = record;
  return {
    at,
    input,
    cacheRead: usage.cacheRead ?? null,
    cacheWrite: usage.cacheWrite ?? null,
    output: outputOf(usage),
    history,
    answer,
    expected: null,
  };
}
