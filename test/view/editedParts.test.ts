// The parts of an edited message lead back to those of the raw one, and cost what they cost there.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawPartOf } from '../../core/view/reader.ts';
import { estimatedTokens, itemPartTokens } from '../../core/view/tokens.ts';
import type { StageTokens } from '../../core/view/types.ts';

const text = (words: string) => ({ type: 'text', text: words });
const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
const user = (...content: readonly unknown[]) => JSON.stringify({ role: 'user', content });

describe('a part of an edited message', () => {
  it.each<readonly [string, string, string, readonly (number | null)[]]>([
    ['as it was', user(text('a'), image), user(text('b'), image), [0, 1]],
    ['one is gone', user(text('a'), image, text('c')), user(text('a'), text('c')), [0, 2]],
    ['an image is gone', user(image, text('a')), user(text('a')), [1]],
    ['a text stands for an image', user(image, text('a')), user(text('gone'), text('a')), [0, 1]],
    ['a text stands for one of two', user(image, text('a'), image), user(text('gone'), text('a'), image), [0, 1, 2]],
    ['one was added', user(text('a')), user(text('a'), image), [0, null]],
  ])('%s', (_what, raw, edited, parts) => {
    const source = memorySource([raw]);
    const item = { kind: 'source', index: 0, text: edited } as const;
    const memo = createMemo();
    expect(parts.map((_, part) => rawPartOf(item, part, source, memo))).toEqual(parts);
  });

  it('an image that stays costs what it cost, one that was added what one of unknown size does', () => {
    const source = memorySource([user(image, text('a'), image)]);
    const tokens: StageTokens = { ...estimatedTokens(source), image: 700, parts: () => [11, 1, 33] };
    const given = { source, tokens, memo: createMemo() };
    const edited = user(text('four'), text('a'), image);
    expect(itemPartTokens({ kind: 'source', index: 0, text: edited }, given)).toEqual([1, 1, 33]);
    expect(itemPartTokens({ kind: 'synthetic', text: edited, covers: { from: 0, to: 0 }, stage: 0 }, given)).toEqual([
      1, 1, 700,
    ]);
  });
});
