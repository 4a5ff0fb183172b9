// Recorded compactions of all kinds at random places, against a plain run over the messages one by one: what stands in
// the context after each. And the laws, alone and with policies after it.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { PlacedCompaction, TranscriptSource } from '../../core/model/transcript.ts';
import { project } from '../../core/projection/project.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { checkProjection } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomCompactions } from '../support/randomCompactions.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

/** The texts of the context at a call point, in order, apart from emptied results; the slow and obvious way. */
function plainContext(texts: readonly string[], compactions: readonly PlacedCompaction[], at: number): string[] {
  let context: { readonly index: number | null; readonly text: string }[] = [];
  let moved: number | null = null;
  const item = (index: number) => ({ index, text: texts[index] ?? '' });
  for (let index = 0; index <= at; index++) {
    for (const one of compactions) {
      const { summaryIndex, preserved, replacement, opaqueChars } = one;
      const begins = summaryIndex === undefined ? one.at : summaryIndex + 1;
      if (begins !== index || one.kind === 'cleared') continue;
      const kept = (preserved ?? []).map(item);
      if (one.kind === 'replacement') context = (replacement ?? []).map((text) => ({ index: null, text }));
      else if (one.kind === 'opaque') context = [{ index: null, text: `opaque ${opaqueChars}` }];
      else if (summaryIndex !== undefined) context = [item(summaryIndex), ...kept];
      else if (preserved !== undefined) context = kept;
      else continue;
    }
    if (index < at && index !== moved) context.push(item(index));
    const opens = compactions.some(({ summaryIndex }) => summaryIndex === index);
    moved = opens ? index : null;
  }
  return context.map(({ text }) => text);
}

const textsOf = (source: TranscriptSource, view: ReturnType<typeof project>['view']) =>
  view.items.map((item) => {
    if (item.kind === 'source') return source.text(item.index);
    const encrypted = /an encrypted compaction of ([\d,]+) character/.exec(item.text)?.[1];
    return encrypted === undefined ? item.text : `opaque ${Number(encrypted.replaceAll(',', ''))}`;
  });

const STAGES = [
  'recorded_compaction',
  ['recorded_compaction', 'clean_tool_repair'],
  ['squash_failed_calls', 'recorded_compaction', 'reachability_gc'],
];

describe('random compactions', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('seed %i', (seed) => {
    const rng = seededRng(seed + 1);
    const texts = randomTranscript({ seed, turns: 10, broken: seed % 3 === 0 });
    const compactions = randomCompactions(rng, texts);
    const source = memorySource(texts, null, compactions);
    const memo = createMemo();
    const stages = stagesOf('recorded_compaction');
    const replay = (at: number) => `replay: seed ${seed}, at ${at}, ${JSON.stringify(compactions)}`;
    for (let at = 0; at <= texts.length; at++) {
      const projection = project(source, stages, at, { memo });
      expect(textsOf(source, projection.view), replay(at)).toEqual(plainContext(texts, compactions, at));
      expect(project(source, stages, at), `${replay(at)}, cold`).toEqual(projection);
    }
    for (const spec of STAGES) {
      const resolved = stagesOf({ version: 1, stages: [spec].flat() });
      for (const at of [texts.length, 1 + rng.below(texts.length)]) {
        expect(checkProjection(source, resolved, at), `${replay(at)}, ${JSON.stringify(spec)}`).toEqual([]);
      }
    }
  });
});
