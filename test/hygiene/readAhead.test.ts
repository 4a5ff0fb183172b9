// Reading ahead changes nothing but when the reading is done.
import { expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { readAhead } from '../../core/stages/hygiene/index.ts';
import { createMemo } from '../../core/view/memo.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

it('gives the same projection, piece by piece or not at all', () => {
  const stages = stagesOf({
    version: 1,
    stages: ['clean_tool_repair', { kind: 'hygiene', options: { profile: 'google' } }],
  });
  for (let seed = 1; seed <= 5; seed++) {
    const texts = randomTranscript({ seed, turns: 20, broken: true });
    let reads = 0;
    const plain = memorySource(texts);
    const text = (index: number): string => {
      reads++;
      return plain.text(index);
    };
    const source = { ...plain, text };
    const memo = createMemo();
    for (let from = 0; from < texts.length; from += 7) readAhead(source, memo, from, Math.min(from + 7, texts.length));
    const before = reads;
    const ahead = project(source, stages, texts.length, { memo });
    expect(ahead, `seed ${seed}`).toEqual(project(memorySource(texts), stages, texts.length));
    // What was read ahead is not read again: fewer texts than messages are.
    const cold = reads - before;
    reads = 0;
    project(source, stages, texts.length, { memo: createMemo() });
    expect(cold).toBeLessThan(reads);
  }
});
