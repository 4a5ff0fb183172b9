// `visible`: the messages of a request that the model is shown; of OpenAI's items those that the next request needs.
import { nodeSha256 } from '../../../../core/engine/nodeHash.ts';
import { MemoryTranscript } from '../../../../core/importers/memory.ts';
import { parseSpec } from '../../../../core/projection/parseSpec.ts';
import { project } from '../../../../core/projection/project.ts';
import { STAGES } from '../../../../core/projection/stages.ts';
import { arrayAt, isRecord, ownAt } from '../../../../core/util/unknown.ts';
import { createMemo } from '../../../../core/view/memo.ts';
import { isUnrendered } from '../../../../core/view/tokens.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';
import { importedFrom } from './requestImport.ts';

/** Runs one case: the request is read, and what stands before its newest compaction leaves as recorded. */
export function runVisible(vector: ProviderVector): VectorOutcome {
  const transcript = importedFrom(vector);
  const source = MemoryTranscript.of(transcript);
  const parsed = parseSpec('recorded_compaction', STAGES);
  if (!parsed.ok) throw new Error('recorded_compaction is a valid spec');
  const { view } = project(source, parsed.value.stages, source.length, { memo: createMemo(), sha256: nodeSha256 });
  const shown = view.items.flatMap((item) => (item.kind === 'source' && !isUnrendered(item) ? [item.index] : []));
  const rest = [...transcript.messages.keys()].filter((index) => !shown.includes(index));
  const outcomes = [{ visible: shown }, { needed: shown, optional: rest }];
  const accepted = (arrayAt(vector, 'accept') ?? []).filter(isRecord);
  const passed = accepted.some((one) => outcomes.some((got) => JSON.stringify(got) === JSON.stringify(one)));
  const report = passed ? [] : [`accepts ${JSON.stringify(accepted)}`, `got ${JSON.stringify(outcomes)}`];
  return { id: String(ownAt(vector, 'id')), passed, report };
}
