import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { checkUsage, eraStarts, recordedOverhead, requestRecord } from '../../core/insight/usage/index.ts';
import type { CountedEra } from '../../core/insight/usage/records.ts';
import type { RecordedOverhead, UsageReport } from '../../core/insight/usage/types.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { project } from '../../core/projection/project.ts';
import { countBeside } from '../../core/tokens/beside.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';
import { itemText } from '../../core/view/reader.ts';
import { modelOf } from './input.ts';
import { parsedOrFail } from './spec.ts';

/** Counts a transcript and holds its recorded usage against what the runtime kept. */
export async function usageReport(transcript: ImportedTranscript): Promise<{
  readonly report: UsageReport;
  readonly overhead: RecordedOverhead | null;
}> {
  const source = MemoryTranscript.of(transcript);
  const { tokenizer, label, images } = modelFacts(modelOf(transcript));
  const counter = await loadCounter(tokenizer);
  const count = (value: unknown): number =>
    partTokens(value, readMessage(value), counter, images).tokens.reduce((sum, tokens) => sum + tokens, 0);
  const before = [0];
  for (const { text } of transcript.messages) before.push((before.at(-1) ?? 0) + count(JSON.parse(text)));
  const range = (from: number, to: number): number => (before[to] ?? 0) - (before[from] ?? 0);
  const { stages } = parsedOrFail('recorded_compaction');
  const eras = eraStarts(source.compactions(), source.length).map((from): CountedEra => {
    const { items } = project(source, stages, from).view;
    return { from, tokens: items.reduce((sum, item) => sum + count(JSON.parse(itemText(item, source))), 0) };
  });
  const records = transcript.messages.flatMap(({ meta }, at) => requestRecord(at, meta, eras, range) ?? []);
  const report = checkUsage(records, label);
  const recorded = countBeside(transcript.meta, counter, images);
  return { report, overhead: recordedOverhead(report.fits, recorded, modelOf(transcript) ?? null) };
}
