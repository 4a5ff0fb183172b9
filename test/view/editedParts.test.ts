// The parts of an edited message lead back to those of the raw one, and cost what they cost there.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { createMemo } from '../../core/view/memo.ts';
import { editItem, editWithout, originOf, ownPartOf, type PartMap } from '../../core/view/origins.ts';
import { estimatedTokens, itemPartTokens } from '../../core/view/tokens.ts';
import type { SourceItem, StageTokens } from '../../core/view/types.ts';

const text = (words: string) => ({ type: 'text', text: words });
const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
const user = (...content: readonly unknown[]) => JSON.stringify({ role: 'user', content });

describe('a part of an edited message', () => {
  const raw: SourceItem = { kind: 'source', index: 4 };
  const facts = { parts: readMessage(JSON.parse(user(text('a'), image, text('c')))).parts };

  it('is the raw part at its place where nothing else is said', () => {
    expect([0, 1, 2].map((part) => ownPartOf(editItem(raw, user(text('x'), image, text('c'))), part))).toEqual([
      0, 1, 2,
    ]);
  });

  it.each<readonly [string, PartMap, readonly (number | null)[]]>([
    ['one is gone', [[0], [2]], [0, 2]],
    ['one was put first', [[], [0], [1], [2]], [null, 0, 1, 2]],
    ['two were joined', [[0, 2], [1]], [0, 1]],
    ['one was split', [[0], [0], [2]], [0, 0, 2]],
    ['the order is another', [[2], [0]], [2, 0]],
  ])('%s', (_what, map, parts) => {
    const item = editItem(raw, 'null', { facts, map });
    expect(parts.map((_, part) => ownPartOf(item, part))).toEqual(parts);
  });

  it('maps compose through edits one after the other', () => {
    const first = editWithout(raw, user(image, text('c')), facts, new Set([0]));
    const left = { parts: facts.parts.slice(1) };
    const second = editItem(first, user(text('new'), text('c')), { facts: left, map: [[], [1]] });
    expect(second.origins).toEqual([[], [{ message: 4, part: 2 }]]);
    // An edit that says nothing leaves the map as it is.
    expect(editItem(second, user(text('new'), text('d'))).origins).toBe(second.origins);
  });

  it('of a message that no one wrote is none, unless the stage says which', () => {
    const made = { kind: 'synthetic', text: user(text('a')), covers: { from: 0, to: 2 }, stage: 0 } as const;
    expect(originOf(made, 0)).toEqual([]);
    expect(originOf({ ...made, origins: [[{ message: 1, part: 0 }]] }, 0)).toEqual([{ message: 1, part: 0 }]);
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
