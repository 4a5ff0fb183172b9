// A message that a stage wrote is counted by the rule for raw ones: the same text has the same tokens, whoever counts it.
import { describe, expect, test } from 'vitest';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemPartTokens } from '../../core/view/tokens.ts';
import { FORMATS } from '../support/formats.ts';
import { corpusTranscripts } from '../support/wireBodies.ts';

describe.each([1, 1.37])('by a factor of %d', (factor) => {
  test('every message of the corpora, as it was recorded and as somebody else made it', async () => {
    const counter = await loadCounter('o200k_base');
    const differ: string[] = [];
    for (const format of FORMATS) {
      for (const { name, transcript } of corpusTranscripts(format, false, 1)) {
        const source = MemoryTranscript.of(transcript);
        const counting = { counter, tokenizer: 'o200k_base', exact: true, images: 'openai', factor } as const;
        const tokens = countedTokens(source, counting);
        const given = { source, tokens, memo: createMemo() };
        for (let index = 0; index < Math.min(source.length, 200); index++) {
          const raw = tokens.parts(index);
          const text = source.text(index);
          const edited = itemPartTokens({ kind: 'source', index, text }, given);
          const made = itemPartTokens({ kind: 'synthetic', text, covers: { from: 0, to: 0 }, stage: 0 }, given);
          if (`${edited}` !== `${raw}` || `${made}` !== `${raw}`)
            differ.push(`${name} #${index}: ${raw} raw, ${edited} edited, ${made} made`);
        }
      }
    }
    expect(differ).toEqual([]);
  }, 120_000);
});
