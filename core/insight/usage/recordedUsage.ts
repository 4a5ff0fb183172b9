// A transcript's recorded usage held against what the runtime kept of it: for hosts that have it all at hand.
import type { MessageMeta } from '../../model/message.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { KEPT_HISTORY } from '../../projection/presets.ts';
import { project } from '../../projection/project.ts';
import { STAGES } from '../../projection/stages.ts';
import { createMemo } from '../../view/memo.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { StageTokens } from '../../view/types.ts';
import { type CountedEra, eraStarts, requestRecord } from './records.ts';
import type { UsageReport } from './types.ts';
import { checkUsage } from './usageCheck.ts';

/**
 * The report of a transcript. `tokens` = plain counts; `label` = how they were made, in words; `format` = what recorded it,
 * '' = not known.
 */
export function recordedUsage(
  source: TranscriptSource,
  metaAt: (index: number) => MessageMeta,
  tokens: StageTokens,
  label: string,
  format = '',
): UsageReport {
  const indices = Array.from({ length: source.length }, (_, index) => index);
  // Few transcripts record any: the others need not be counted for it.
  if (!indices.some((index) => metaAt(index).usage?.input !== undefined)) return checkUsage([], label);
  const eras = countedEras(source, tokens);
  const records = indices.flatMap(
    (at) => requestRecord(at, metaAt(at), eras, (from, to) => tokens.range(from, to)) ?? [],
  );
  const facts = (index: number) => source.facts(index);
  return checkUsage(records, label, { format, facts, timestamp: (index) => metaAt(index).timestamp });
}

function countedEras(source: TranscriptSource, tokens: StageTokens): readonly CountedEra[] {
  const parsed = parseSpec(KEPT_HISTORY, STAGES);
  if (!parsed.ok) throw new Error('the spec of the kept history is not valid');
  const context = { source, tokens, memo: createMemo() };
  return eraStarts(source.compactions(), source.length).map((from) => {
    const { items } = project(source, parsed.value.stages, from).view;
    return { from, tokens: items.reduce((sum, item) => sum + itemTokens(item, context), 0) };
  });
}
