// A transcript in memory, counted, with what its requests record: as the engine does it for an open one.

import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { eraStarts, requestRecord } from '../../core/insight/usage/index.ts';
import type { CountedEra } from '../../core/insight/usage/records.ts';
import type { RequestRecord } from '../../core/insight/usage/types.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { project } from '../../core/projection/project.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';
import { itemText } from '../../core/view/reader.ts';
import { stagesOf } from './projecting.ts';

/** Records of a transcript's requests, with the recorded compactions applied to the history, and without. */
export interface CountedUsage {
  readonly recorded: readonly RequestRecord[];
  readonly raw: readonly RequestRecord[];
}

/** Counts a transcript with o200k_base, images by the rule of its model. */
export async function countedUsage(transcript: ImportedTranscript): Promise<CountedUsage> {
  const source = MemoryTranscript.of(transcript);
  const counter = await loadCounter('o200k_base');
  const metas = transcript.messages.map(({ meta }) => meta);
  const { images } = modelFacts(metas.findLast(({ model }) => model !== undefined)?.model);
  const count = (value: unknown) =>
    partTokens(value, readMessage(value), counter, images).tokens.reduce((sum, tokens) => sum + tokens, 0);
  const sums = [0];
  for (const { text } of transcript.messages) sums.push((sums.at(-1) ?? 0) + count(JSON.parse(text)));
  const range = (from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0);
  const stages = stagesOf('recorded_compaction');
  const eras = eraStarts(source.compactions(), source.length).map((from): CountedEra => {
    const { items } = project(source, stages, from).view;
    return { from, tokens: items.reduce((sum, item) => sum + count(JSON.parse(itemText(item, source))), 0) };
  });
  const recordsIn = (bases: readonly CountedEra[]) =>
    metas.flatMap((meta, at) => requestRecord(at, meta, bases, range) ?? []);
  return { recorded: recordsIn(eras), raw: recordsIn(eras.map(({ from }) => ({ from, tokens: range(0, from) }))) };
}
