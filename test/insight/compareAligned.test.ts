// Two requests as one list of lines: against the comparison message by message, and against the views themselves.
import { describe, expect, it } from 'vitest';
import { type AlignedMessage, alignRequests } from '../../core/insight/compare/align.ts';
import { ComparedRows, nextDifference } from '../../core/insight/compare/foldEqual.ts';
import { compareRequests } from '../../core/insight/compare/requests.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { seededRng } from '../../core/util/rng.ts';
import type { View, ViewItem } from '../../core/view/types.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

const SPECS: readonly unknown[] = [
  'raw',
  ...PRESETS.map(({ spec }) => spec).filter(({ stages }) => !JSON.stringify(stages).includes('custom')),
  { policy: 'summary_prefix', keep_last: 3 },
  { policy: 'summary_prefix', keep_last: 7 },
];

const sideOf = (lines: readonly AlignedMessage[], side: 'a' | 'b') => lines.flatMap((line) => line[side] ?? []);

/** The messages of a view in the order of lines. */
function inOrder({ items }: View): readonly ViewItem[] {
  const sources = items.flatMap((item) => (item.kind === 'source' ? [item.index] : []));
  const isInOrder = sources.every((index, at) => at === 0 || index > (sources[at - 1] ?? 0));
  return isInOrder ? items : [];
}

describe('aligned requests', () => {
  it.each([1, 2, 3, 4, 5, 6])('seed %i: each side is its request, marks are those of the comparison', (seed) => {
    const source = transcriptOf(randomTranscript({ seed, turns: 14, broken: seed % 2 === 0 }));
    const random = seededRng(seed);
    for (const specA of SPECS) {
      const specB = random.pick(SPECS);
      const at = random.below(source.length + 1);
      const [a, b] = [project(source, stagesOf(specA), at), project(source, stagesOf(specB), at)];
      const lines = alignRequests(source, a.view, b.view);
      for (const [side, { view }] of [['a', a] as const, ['b', b] as const]) {
        const expected = inOrder(view);
        if (expected.length > 0) expect(sideOf(lines, side)).toEqual(expected);
        else expect(sideOf(lines, side)).toHaveLength(view.items.length);
      }
      const { messages, made } = compareRequests(source, a, b);
      const differing = lines.filter(({ mark }) => mark !== 'equal');
      const ofSources = differing.flatMap((line) => {
        const item = line.a ?? line.b;
        return item?.kind === 'source' ? [[item.index, line.mark]] : [];
      });
      expect(ofSources).toEqual(
        messages.flatMap(({ index, differs }) => (differs === 'fate' ? [] : [[index, differs]])),
      );
      const madeOnly = differing.flatMap(({ a: inA, b: inB }) =>
        [inA, inB].filter((item) => item?.kind === 'synthetic'),
      );
      // In another place it is a difference of the list, and none of the two sets of texts.
      expect(madeOnly.length).toBeGreaterThanOrEqual(made.length);
    }
  });

  it('puts two summaries of one span into one line', () => {
    const source = transcriptOf(randomTranscript({ seed: 3, turns: 6 }));
    const of = (summary: string) =>
      project(source, stagesOf({ policy: 'summary_prefix', keep_last: 4, summary }), source.length).view;
    const lines = alignRequests(source, of('first words'), of('other words'));
    expect(lines.map(({ mark }) => mark)).toEqual(['text', ...Array(lines.length - 1).fill('equal')]);
  });
});

const line = (mark: AlignedMessage['mark']): AlignedMessage => ({ mark, a: null, b: null });
const linesOf = (text: string): readonly AlignedMessage[] =>
  [...text].map((letter) => line(({ '=': 'equal', x: 'text', a: 'only_a', b: 'only_b' } as const)[letter] ?? 'equal'));

/** Rows as text: a fold as its length in brackets. */
function drawn(text: string, open: readonly { readonly from: number; readonly to: number }[] = []): string {
  const rows = new ComparedRows(linesOf(text), open);
  return Array.from({ length: rows.rowCount }, (_, row) => {
    const place = rows.place(row);
    return place.kind === 'line' ? text[place.line] : `[${place.to - place.from}]`;
  }).join('');
}

describe('rows of aligned requests', () => {
  it.each([
    ['', ''],
    ['====', '[4]'],
    ['===', '==='],
    ['a====', 'a===='],
    ['a=====', 'a=[4]'],
    ['======x', '[5]=x'],
    ['b======x', 'b=[4]=x'],
    ['xx==========bb', 'xx=[8]=bb'],
  ])('%s folds to %s', (text, expected) => {
    expect(drawn(text)).toBe(expected);
  });

  it('leaves a run open that was opened', () => {
    expect(drawn('======x======', [{ from: 2, to: 3 }])).toBe('======x=[5]');
  });

  it('leads from lines to rows and back', () => {
    const random = seededRng(7);
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: 1 + random.below(60) }, () =>
        random.chance(0.8) ? '=' : random.pick([...'xab']),
      ).join('');
      const rows = new ComparedRows(linesOf(text), []);
      for (let at = 0; at < text.length; at++) {
        const place = rows.place(rows.rowOf(at));
        if (place.kind === 'line') expect(place.line).toBe(at);
        else expect(at >= place.from && at < place.to).toBe(true);
      }
    }
  });

  it('finds where the next run of differences begins', () => {
    const lines = linesOf('==aab==x');
    expect(nextDifference(lines, -1, 1)).toBe(2);
    expect(nextDifference(lines, 2, 1)).toBe(4);
    expect(nextDifference(lines, 4, 1)).toBe(7);
    expect(nextDifference(lines, 7, 1)).toBeNull();
    expect(nextDifference(lines, 7, -1)).toBe(4);
    expect(nextDifference(lines, 2, -1)).toBeNull();
  });
});
