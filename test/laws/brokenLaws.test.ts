// The law checker itself: each law, broken on purpose, is noticed.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { sha256, sha256Hex } from '../../core/util/hash.ts';
import { checkLaws, type LawfulResult } from '../../core/view/laws.ts';
import type { RedactionPointer, SourceItem } from '../../core/view/types.ts';
import { stagesOf } from '../support/projecting.ts';

const TEXTS = [
  '{"role":"user","content":"x"}',
  '{"role":"assistant","content":"","tool_calls":[{"id":"a","name":"run"}]}',
  '{"role":"tool","tool_call_id":"a","name":"run","content":"ok"}',
];
const source = memorySource(TEXTS);
const lawful = project(source, stagesOf('raw'), 3);
const POINTER: RedactionPointer = {
  policy: 'p',
  source: 'transcript.messages[2].content',
  source_index: 2,
  source_block_index: null,
  content_hash: `sha256:${sha256Hex('ok')}`,
  content_chars: 2,
  estimated_tokens_reclaimed: 0,
  tool_call_id: 'a',
  tool_name: 'run',
  reason: 'r',
};

function lawsBroken(results: LawfulResult | (() => LawfulResult), given = source): string {
  const run = typeof results === 'function' ? results : () => results;
  const hash = () => 'sha256:';
  return checkLaws({ source: given, at: given.length, run, hash, sha256, maySplitPairs: false }).join('\n');
}

const { fates } = lawful;
const gone = { ...fates[0]!, kind: 'dropped' as const };
const withoutResult = {
  ...lawful,
  view: { items: lawful.view.items.slice(0, 2) },
  fates: [fates[0]!, fates[1]!, gone],
  keptIndices: [0, 1],
  droppedIndices: [2],
};

describe('a broken law is named', () => {
  it.each<[string, LawfulResult]>([
    ['2 fates for 3 messages', { ...lawful, fates: fates.slice(1) }],
    ['but the view says otherwise', { ...lawful, fates: [gone, ...fates.slice(1)] }],
    ['is listed wrongly', { ...lawful, keptIndices: [0, 1] }],
    ['is listed wrongly', { ...lawful, droppedIndices: [0] }],
    ['has no reason', { ...lawful, fates: [{ ...fates[0]!, reason: '' }, ...fates.slice(1)] }],
    ['is out of order', { ...lawful, view: { items: lawful.view.items.toReversed() } }],
    ['holds no JSON', { ...lawful, view: { items: [{ kind: 'source', index: 0, text: '{' }] } }],
    ['not the redacted messages', { ...lawful, redactedIndices: [0] }],
    ['has another hash', { ...lawful, pointers: [{ ...POINTER, content_hash: 'sha256:0' }] }],
    ['leads nowhere', { ...lawful, pointers: [{ ...POINTER, source_block_index: 3 }] }],
    ['leads nowhere', { ...lawful, pointers: [{ ...POINTER, source_index: 9 }] }],
    ['the pair of the call at #1 (run) is torn', withoutResult],
  ])('%s', (expected, result) => {
    expect(lawsBroken(result)).toContain(expected);
  });

  it('two runs differ', () => {
    let runs = 0;
    expect(lawsBroken(() => ({ ...lawful, droppedIndices: [runs++] }))).toContain('two runs differ');
  });

  it('the input was changed', () => {
    const texts = [...TEXTS];
    const given = memorySource(texts);
    const changing = () => {
      texts[0] = '{"role":"user","content":"y"}';
      return lawful;
    };
    expect(lawsBroken(changing, given)).toContain('the input was changed');
  });
});

it('calls that nothing tells apart are judged by how many stay', () => {
  const texts = [
    '{"role":"assistant","content":"","tool_calls":[{"name":"run"},{"name":"run"}]}',
    '{"role":"tool","name":"run","content":"one"}',
    '{"role":"tool","name":"run","content":"two"}',
  ];
  const alike = memorySource(texts);
  const whole = project(alike, stagesOf('raw'), 3);
  const oneCall = '{"role":"assistant","content":"","tool_calls":[{"name":"run"}]}';
  // The stage says which of the two it left.
  const origins = [[{ message: 0, part: 1 }]];
  const items = [{ kind: 'source', index: 0, text: oneCall, origins } as const, { kind: 'source', index: 2 } as const];
  const [first, , last] = whole.fates;
  const cut = { ...whole, fates: [first!, gone, last!], keptIndices: [0, 2], droppedIndices: [1], view: { items } };
  expect(lawsBroken(cut, alike)).toBe('');
  const both = { kind: 'source', index: 0 } as const;
  expect(lawsBroken({ ...cut, view: { items: [both, items[1]!] } }, alike)).toContain('#0 (run) is torn');
});

describe('which part became which', () => {
  const one = JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'b' }] });
  const two = JSON.stringify({
    role: 'user',
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', source: {} },
    ],
  });
  const pair = memorySource([two]);
  const whole = project(pair, stagesOf('raw'), 1);
  const withItem = (item: Partial<SourceItem>) => ({
    ...whole,
    view: { items: [{ kind: 'source', index: 0, text: one, ...item } as const] },
  });
  const from = (message: number, part: number) => ({ origins: [[{ message, part }]] });

  it.each<readonly [string, Partial<SourceItem>, string]>([
    ['an edit that took a part out and does not say so', {}, '#0 has 1 parts, and origins of 2'],
    ['a part that is not there', from(0, 2), 'stems from 0.2, which is not a part'],
    ['a message beyond the call point', from(1, 0), 'stems from 1.0, which is not a part'],
    [
      'a text that is said to be an image',
      { ...from(0, 0), text: one.replace('"type":"text","text":"b"', '"type":"image","source":{}') },
      'a image, stems from 0.0, a text',
    ],
  ])('%s', (_what, item, words) => expect(lawsBroken(withItem(item), pair)).toContain(words));

  it('nothing is said of an edit that tells it', () => expect(lawsBroken(withItem(from(0, 0)), pair)).toBe(''));
});

it('nothing is said of a lawful result', () => {
  expect(lawsBroken(lawful)).toBe('');
  expect(lawsBroken({ ...lawful, pointers: [POINTER] })).toBe('');
});
