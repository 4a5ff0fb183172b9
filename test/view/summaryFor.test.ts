import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { createMemo } from '../../core/view/memo.ts';
import { summaryFor } from '../../core/view/summaryFor.ts';

const summary = (from: number, to: number, version = 1): SummaryArtifact => ({
  from,
  to,
  version,
  content: `${from}-${to}`,
  origin: 'written',
});

function sourceOf(roles: readonly string[], summaries: readonly SummaryArtifact[]): TranscriptSource {
  const source = memorySource(roles.map((role) => JSON.stringify({ role, content: 'x' })));
  return new Proxy(source, {
    get: (target, name) => {
      const value: unknown = name === 'summaries' ? () => summaries : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const PLAIN = ['user', 'assistant', 'user', 'assistant'];
const PROMPTED = ['system', 'developer', 'user', 'assistant', 'user'];

describe('the summary that applies', () => {
  it.each<readonly [string, readonly string[], readonly SummaryArtifact[], number, readonly number[] | null]>([
    ['none is there', PLAIN, [], 4, null],
    ['it begins at the beginning', PLAIN, [summary(0, 2)], 4, [0, 2]],
    ['it begins later', PLAIN, [summary(1, 2)], 4, null],
    ['it begins behind the system prompt', PROMPTED, [summary(2, 4)], 5, [2, 4]],
    ['it begins within the system prompt', PROMPTED, [summary(1, 4)], 5, [1, 4]],
    ['it begins behind the first turn', PROMPTED, [summary(3, 4)], 5, null],
    ['it ends too late', PLAIN, [summary(0, 3)], 2, null],
    ['the longer one', PLAIN, [summary(0, 3), summary(0, 1)], 4, [0, 3]],
  ])('%s', (_title, roles, summaries, to, span) => {
    const found = summaryFor({ source: sourceOf(roles, summaries), memo: createMemo() }, roles.length, to);
    expect(found === null ? null : [found.from, found.to]).toEqual(span);
  });

  it('is the latest version of its span', () => {
    const source = sourceOf(PLAIN, [summary(0, 2, 2), summary(0, 2, 1)]);
    expect(summaryFor({ source, memo: createMemo() }, 4, 4)?.version).toBe(2);
  });
});
