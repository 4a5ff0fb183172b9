import { requestPricing, usageOf } from '../../core/engine/requests/index.ts';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { calibrationFor } from '../../core/insight/calibration.ts';
import { type RecordedCost, recordedCost } from '../../core/insight/money.ts';
import { PRICES } from '../../core/insight/prices.ts';
import type { Pricing } from '../../core/insight/pricing.ts';
import { recordedOverhead } from '../../core/insight/usage/index.ts';
import { includesCache } from '../../core/insight/usage/input.ts';
import type { RecordedOverhead, UsageReport } from '../../core/insight/usage/types.ts';
import { holds } from '../../core/tokens/calibrated.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { countOverhead } from '../../core/tokens/overhead.ts';
import { modelOf } from './input.ts';
import { aboutOf, requestedFrom } from './inputs.ts';

/** Counts a transcript and holds its recorded usage against what the runtime kept. */
export async function usageReport(transcript: ImportedTranscript): Promise<{
  readonly report: UsageReport;
  readonly overhead: RecordedOverhead | null;
  /** What all requests cost, as recorded; null = none is, or no price is known. */
  readonly cost: RecordedCost | null;
  /** Whether figures are calibrated by it: enough requests, near their line. */
  readonly isCalibrated: boolean;
}> {
  const { tokenizer, exact, label, images } = modelFacts(modelOf(transcript));
  const counter = await loadCounter(tokenizer);
  const plain = { counter, tokenizer, exact, images };
  const report = usageOf(MemoryTranscript.of(transcript), plain, aboutOf(transcript), label);
  const recorded = countOverhead(transcript.meta, counter, images);
  const overhead = recordedOverhead(report.fits, recorded, modelOf(transcript) ?? null);
  const isCalibrated = holds(calibrationFor(report.fits, modelOf(transcript) ?? null));
  return { report, overhead, cost: costAsRecorded(transcript).cost, isCalibrated };
}

/** What all requests cost as recorded, null = none is recorded, or no price is known; and by what prices. */
export function costAsRecorded(transcript: ImportedTranscript): {
  readonly cost: RecordedCost | null;
  readonly pricing: Pricing;
} {
  const pricing = requestPricing(requestedFrom(transcript), PRICES);
  const answers = transcript.messages.flatMap(({ meta: { apiError, usage } }, at) =>
    apiError === true || usage === undefined ? [] : [{ at, usage }],
  );
  const includes = includesCache(answers.map(({ usage }) => usage));
  return { cost: recordedCost(pricing, answers, includes), pricing };
}
