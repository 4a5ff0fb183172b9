// `roundtrip`: a body that was read and is written again holds the same messages.
import { nodeSha256 } from '../../../../core/engine/nodeHash.ts';
import { MemoryTranscript } from '../../../../core/importers/memory.ts';
import { project } from '../../../../core/projection/project.ts';
import { jsonEqual } from '../../../../core/util/json/index.ts';
import { boolAt, isRecord, ownAt, recordAt, stringAt } from '../../../../core/util/unknown.ts';
import { createMemo } from '../../../../core/view/memo.ts';
import { bodyText, toWire } from '../../../../core/wire/toWire.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';
import { importedFrom } from './requestImport.ts';

/** Runs one case. */
export function runRoundtrip(vector: ProviderVector): VectorOutcome {
  const id = String(ownAt(vector, 'id'));
  const isOpenAi = stringAt(vector, 'provider') === 'openai';
  const list = isOpenAi ? 'input' : 'messages';
  const transcript = importedFrom(vector);
  const expected = comparable(ownAt(recordAt(vector, 'request') ?? {}, list));
  const source = MemoryTranscript.of(transcript);
  const memo = createMemo();
  const { view } = project(source, [], source.length, { memo, sha256: nodeSha256 });
  const body = toWire(view, source, memo, isOpenAi ? 'responses' : 'anthropic', { meta: transcript.meta });
  const written: unknown = JSON.parse(bodyText(body));
  const got = comparable(recordAt({ written }, 'written')?.[list]);
  const report = jsonEqual(expected, got) ? [] : [`expected ${expected}`, `got ${got}`];
  const hasCompaction = boolAt(vector, 'compaction');
  if (hasCompaction !== undefined && hasCompaction !== transcript.compactions.length > 0) {
    report.push(`${transcript.compactions.length} compactions recorded; expected ${hasCompaction ? 'some' : 'none'}`);
  }
  return { id, passed: report.length === 0, report };
}

// An input item without a type is a message.
function comparable(list: unknown): string {
  const items = Array.isArray(list) ? list : [];
  return JSON.stringify(items.map((item: unknown) => (isRecord(item) ? { type: 'message', ...item } : item)));
}
