import { usageOf } from '../../core/engine/requests/index.ts';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { recordedCost } from '../../core/insight/money.ts';
import { PRICES, priceOf } from '../../core/insight/prices.ts';
import { recordedOverhead } from '../../core/insight/usage/index.ts';
import { includesCache } from '../../core/insight/usage/input.ts';
import type { RecordedOverhead, UsageReport } from '../../core/insight/usage/types.ts';
import type { BundleCost } from '../../core/report/bundle.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { bareModelId, modelFacts } from '../../core/tokens/models.ts';
import { countOverhead } from '../../core/tokens/overhead.ts';
import { modelOf } from './input.ts';
import { aboutOf } from './inputs.ts';

/** Counts a transcript and holds its recorded usage against what the runtime kept. */
export async function usageReport(transcript: ImportedTranscript): Promise<{
  readonly report: UsageReport;
  readonly overhead: RecordedOverhead | null;
  /** What all inputs cost, as recorded; null = no price is known. US dollars. */
  readonly cost: number | null;
}> {
  const { tokenizer, exact, label, images } = modelFacts(modelOf(transcript));
  const counter = await loadCounter(tokenizer);
  const plain = { counter, tokenizer, exact, images };
  const report = usageOf(MemoryTranscript.of(transcript), plain, aboutOf(transcript), label);
  const recorded = countOverhead(transcript.meta, counter, images);
  const overhead = recordedOverhead(report.fits, recorded, modelOf(transcript) ?? null);
  return { report, overhead, cost: costAsRecorded(transcript)?.recorded ?? null };
}

/** What all inputs that are recorded cost, in US dollars; null = none is, or no price is known. */
export function costAsRecorded(
  transcript: ImportedTranscript,
): Pick<BundleCost, 'requests' | 'recordedRequests' | 'recorded' | 'model'> | null {
  const model = modelOf(transcript);
  const price = model === undefined ? null : priceOf(PRICES, bareModelId(model));
  const usages = transcript.messages.flatMap(({ meta }) => (meta.apiError === true ? [] : (meta.usage ?? [])));
  const recorded = recordedCost(price, usages, includesCache(usages));
  if (price === null || recorded === null) return null;
  return { requests: usages.length, recordedRequests: usages.length, recorded, model: price.model };
}
