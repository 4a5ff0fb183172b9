import { describe, expect, it } from 'vitest';
import type { MessageDetail } from '../../core/protocol/types.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { describePair, describeUsage } from '../../renderer/drawer/facts.ts';
import { cellAt, describeCell, describeRun, legend, runs, type StripPoint } from '../../renderer/drawer/strip.ts';
import { sorted, unique } from '../../renderer/drawer/useProblems.ts';
import {
  describeDiff,
  fateHead,
  fateReason,
  partTokens,
  selectionTitle,
  stageWord,
} from '../../renderer/drawer/words.ts';
import { longHex } from '../../renderer/monaco/theme.ts';
import { describeOpaque } from '../../renderer/parts/opaqueWords.ts';
import { whyText } from '../../renderer/state/whyText.ts';
import { prettyIfJson, prettyJson } from '../../renderer/ui/prettyJson.ts';
import { detailWith } from '../support/detail.ts';

const points = (states: string): readonly StripPoint[] =>
  [...states].map((letter, at) => ({
    at: at * 2,
    turn: at,
    state: ({ v: 'visible', c: 'changed', a: 'absent', n: 'not_yet' } as const)[letter as 'v' | 'c' | 'a' | 'n'],
  }));

function randomJson(random: Rng, depth: number): unknown {
  const leaf = [null, true, 0, -12.5, '', 'a "quoted" \\ text,\n{}[]:', 'é漢'];
  if (depth === 0 || random.chance(0.3)) return random.pick(leaf);
  const items = Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
  return random.chance() ? items : Object.fromEntries(items.map((item, at) => [`key ${at}`, item]));
}

describe('strip', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [99, 3],
  ])('call point %i is in cell %i', (at, cell) => {
    expect(cellAt(points('nvca'), at)).toBe(cell);
  });

  it('finds the stretches', () => {
    expect(runs(points('nnvvca')).map((run) => [run.state, run.cell, run.length])).toEqual([
      ['not_yet', 0, 2],
      ['visible', 2, 2],
      ['changed', 4, 1],
      ['absent', 5, 1],
    ]);
    expect(runs([])).toEqual([]);
  });

  it('says the first of them in words', () => {
    const { shown, more } = legend(points('nvcava'), 2);
    expect(shown.map(describeRun)).toEqual([
      'in the request from #2 (turn 1)',
      'in the request, changed from #4 (turn 2)',
    ]);
    expect(more).toBe(3);
    expect(describeCell(points('v')[0])).toBe('call #0, turn 0: in the request');
  });
});

describe('what of a part is looked for', () => {
  it.each([
    ['text', 'as it is said', 'as it is said'],
    ['tool_result', ' ', null],
    ['tool_call', '{"file":"D:\\\\a","lines":[1,{"new":"a longer text"}]}', 'a longer text'],
    ['tool_call', '*** Begin Patch', '*** Begin Patch'],
    ['tool_call', '{"n":1}', '{"n":1}'],
    ['image', '', null],
  ] as const)('%s %j', (kind, text, expected) => {
    expect(whyText({ kind, text })).toBe(expected);
  });

  it('is nothing where there is no part', () => {
    expect(whyText(undefined)).toBeNull();
  });
});

describe('pretty JSON', () => {
  it.each([
    ['{"a":1}', '{\n  "a": 1\n}'],
    ['[]', '[]'],
    ['{ }', '{}'],
    ['{"a":[1,{"b":[]}]}', '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ]\n}'],
    ['{"a":"x\\",{[:"}', '{\n  "a": "x\\",{[:"\n}'],
    ['1.0e2', '1.0e2'],
  ])('%s', (text, expected) => {
    expect(prettyJson(text)).toBe(expected);
  });

  it('keeps numbers and escapes as they are written', () => {
    expect(prettyJson('{"n":12345678901234567890,"f":1.0,"e":"\\u00e9"}')).toContain('12345678901234567890');
    expect(prettyJson('{"f":1.0}')).toContain('1.0');
    expect(prettyJson('{"e":"\\u00e9"}')).toContain('\\u00e9');
  });

  it('indents a text that was cut off as far as it goes', () => {
    expect(prettyJson('{"a":[1,"unfinis')).toBe('{\n  "a": [\n    1,\n    "unfinis');
  });

  it('is JSON.stringify for values that survive it', () => {
    const random = seededRng(20_260);
    for (let round = 0; round < 300; round++) {
      const value = randomJson(random, 4);
      const text = JSON.stringify(value);
      expect(prettyJson(text), `seed 20260, round ${round}: ${text}`).toBe(JSON.stringify(value, null, 2));
    }
  });

  it('leaves text alone that is no JSON', () => {
    expect(prettyIfJson('{not json}')).toBeNull();
    expect(prettyIfJson('plain')).toBeNull();
    expect(prettyIfJson('[1]')).toBe('[\n  1\n]');
    expect(prettyIfJson('[1,2]', 3)).toBeNull();
  });
});

describe('sentences', () => {
  it('names the deciding stage', () => {
    expect(fateHead({ kind: 'redacted', stage: 2, stageTitle: 'Reachability GC', rule: 'r' })).toBe(
      'Cleared by stage 3, Reachability GC',
    );
    expect(fateHead({ kind: 'kept', stage: null, stageTitle: null, rule: null })).toBe('Kept');
    // A stage that only passed it by has not decided.
    expect(fateHead({ kind: 'kept', stage: 1, stageTitle: 'Injection', rule: 'not_concerned' })).toBe('Kept');
  });

  it('tells what each stage said', () => {
    const word = { stage: 0, kind: 'sliding_window', title: 'Sliding window', enabled: true, fate: null };
    const fate = { stage: 0, rule: 'in_window', reason: 'kept: turn 2 from the end ≤ 7 turns to keep' };
    expect(stageWord({ ...word, fate: { ...fate, kind: 'kept' } })).toBe('turn 2 from the end ≤ 7 turns to keep.');
    expect(stageWord({ ...word, fate: { ...fate, kind: 'dropped', reason: 'dropped: too old' } })).toBe(
      'dropped: too old.',
    );
    expect(stageWord(word)).toBe('gone before it');
    expect(stageWord({ ...word, enabled: false })).toBe('off');
  });

  it.each([
    ['kept', 'kept: error results stay', 'error results stay.'],
    ['dropped', 'repaired at #210.', 'repaired at #210.'],
    ['kept', '', ''],
  ] as const)('ends the sentence of %s: %j', (kind, reason, expected) => {
    expect(fateReason({ kind, reason })).toBe(expected);
  });

  const detail = (change: Partial<MessageDetail>): MessageDetail =>
    detailWith({
      index: 214,
      rawJson: '{"a":1}',
      rawChars: 7,
      projectedJson: '{"a":1}',
      projectedChars: 7,
      contentHash: 'sha256:00',
      ...change,
    });
  const part = (change: Partial<MessageDetail['parts'][number]>): MessageDetail['parts'][number] => ({
    part: 0,
    kind: 'tool_result',
    category: 'tool_result',
    label: 'result',
    name: 'read_file',
    callId: null,
    isError: false,
    signed: false,
    text: '',
    truncated: false,
    chars: 1204,
    tokens: 1,
    assetIds: [],
    ...change,
  });

  it('says what there is to compare', () => {
    const { fate } = detail({});
    expect(describeDiff(detail({}))).toBe('Unchanged in the request.');
    expect(describeDiff(detail({ projectedJson: '{"a":2}' }))).toBeNull();
    const dropped = { ...fate, kind: 'dropped' as const, stage: 0, reason: 'repaired at #210' };
    expect(describeDiff(detail({ projectedJson: null, fate: dropped }))).toBe('Dropped entirely. repaired at #210.');
    expect(describeDiff(detail({ projectedJson: null, fate: { ...fate, kind: 'future' } }))).toMatch(
      /^After the call point/,
    );
  });

  it('names what is selected', () => {
    expect(selectionTitle(detail({ parts: [part({})] }), 0)).toBe('#214 result · read_file');
    expect(selectionTitle(detail({}), 0)).toBe('#214 user');
  });

  it('says what cannot be read', () => {
    expect(describeOpaque(part({ label: 'thinking' }))).toBe(
      'Encrypted reasoning, 1,204 characters: only the provider can read it. Its tokens are not known, and counted as none.',
    );
    expect(describeOpaque(part({ label: 'thinking', chars: 0 }))).toBe(
      'Neither its text nor an encrypted form of it is recorded. Its tokens are not known, and counted as none.',
    );
  });

  it('says how tokens were counted', () => {
    expect(partTokens(part({ tokens: 4812 }), 'exact')).toBe('4,812 tok');
    expect(partTokens(part({ tokens: 4812 }), 'estimated')).toBe('~4,812 tok');
    expect(partTokens(part({ tokens: null }), 'exact')).toBe('not counted');
  });

  it('names pairs and usage', () => {
    const pair = { part: 0, index: 7, otherPart: 1 };
    expect(describePair(detail({ parts: [part({})], pairs: [pair] }), 0)).toBe('Its call');
    expect(describePair(detail({ parts: [part({ kind: 'tool_call' })], pairs: [pair, pair] }), 0)).toBe(
      'read_file: result',
    );
    expect(describeUsage({ input: 12_000, cacheRead: 11_000 })).toBe('in 12,000 · cache read 11,000');
  });
});

describe('problems', () => {
  const problem = (severity: 'error' | 'warning' | 'info', text: string) => ({ code: 'c', severity, text });

  it('puts the worst first, else keeps the order', () => {
    const list = [problem('info', '1'), problem('error', '2'), problem('info', '3'), problem('error', '4')];
    expect(
      sorted(list)
        .map((one) => one.text)
        .join(''),
    ).toBe('2413');
  });

  it('says each once', () => {
    expect(unique([problem('info', '1'), problem('info', '1'), problem('info', '2')])).toHaveLength(2);
  });
});

describe('colours', () => {
  it.each([
    ['#fff', '#ffffff'],
    ['#0f1115', '#0f1115'],
    ['rgb(0 0 0)', 'rgb(0 0 0)'],
  ])('%s is %s', (given, expected) => {
    expect(longHex(given)).toBe(expected);
  });
});
