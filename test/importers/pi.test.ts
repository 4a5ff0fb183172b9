import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const header = (extra: object = {}): object => ({
  type: 'session',
  id: 's',
  cwd: '/w',
  timestamp: '2026-01-01T00:00:00Z',
  ...extra,
});
const user = (text: string): object => ({ role: 'user', content: text });
const answer = (text: string): object => ({ role: 'assistant', content: [{ type: 'text', text }] });
const entry = (message: object): object => ({ type: 'message', timestamp: '2026-01-01T00:00:01Z', message });
const node = (id: string, parentId: string | null, message: object): object => ({ ...entry(message), id, parentId });
const said = (file: ReturnType<typeof importText>, transcript = 0): string =>
  texts(file, transcript)
    .map((text) => /"(?:content|text)":"([^"]*)"/.exec(text)?.[1] ?? '')
    .join(' ');

describe('pi, a list of entries', () => {
  it('takes a message exactly as it is', () => {
    const message = '{"role":"user", "content":"h\\u0069", "timestamp":1767323000000}';
    const file = importText(
      `${jsonl(header())}{"type":"message","message":${message},"timestamp":"2026-01-01T00:00:01Z"}\n`,
    );
    expect(texts(file)).toEqual([message]);
    expect(file.transcripts[0]?.messages[0]?.meta).toEqual({ timestamp: '2026-01-01T00:00:01Z' });
  });

  it('counts the header where a compaction names its first kept entry by index', () => {
    const compaction = { type: 'compaction', summary: 'sum', tokensBefore: 9 };
    const file = importText(
      jsonl(
        header(),
        entry(user('a')),
        entry(answer('b')),
        { ...compaction, firstKeptEntryIndex: 2 },
        { ...compaction, firstKeptEntryIndex: 1 },
        { ...compaction, firstKeptEntryIndex: 77 },
      ),
    );
    expect(file.transcripts[0]?.compactions).toEqual([
      { at: 2, preTokens: 9, summaryIndex: 2, preserved: [1] },
      { at: 3, preTokens: 9, summaryIndex: 3, preserved: [0, 1] },
      { at: 4, preTokens: 9, summaryIndex: 4 },
    ]);
    expect(said(file)).toBe('a b sum sum sum');
  });

  it.each([
    ['a compaction without a summary', { type: 'compaction', tokensBefore: 5 }, 'compaction'],
    ['a message of an unknown role', entry({ role: 'oracle', content: 'x' }), 'unknown:message'],
    ['a message entry without a message', { type: 'message' }, 'unknown:message'],
    [
      'a command kept from the model',
      entry({ role: 'bashExecution', command: 'c', excludeFromContext: true }),
      'bashExecution',
    ],
    ['a type of tomorrow', { type: 'tomorrow' }, 'unknown:tomorrow'],
    ['no type at all', { x: 1 }, 'unknown:untyped'],
  ])('keeps %s as an event', (_name, line, kind) => {
    const file = importText(jsonl(header(), entry(user('a')), line));
    expect(file.transcripts[0]?.events.map((event) => event.kind)).toEqual(['session', kind]);
    expect([texts(file).length, addsUp(file)]).toEqual([1, true]);
  });
});

describe('pi, a tree of entries', () => {
  const v3 = header({ version: 3 });
  const start = [v3, node('1', null, user('a')), node('2', '1', answer('b'))];

  it.each([
    ['follows the last entry to the root', [node('3', '2', user('c')), node('4', '1', answer('d'))], ['a d', 'a b c']],
    ['begins anew where a parent is null', [node('3', null, user('c'))], ['c', 'a b']],
    ['keeps every leaf', [node('3', '1', answer('c')), node('4', '1', answer('d'))], ['a d', 'a b', 'a c']],
    ['takes the line before where a parent is missing', [node('3', 'lost', user('c'))], ['a b c']],
    [
      'never follows a scrubbed id',
      [node('REDACTED', '2', user('c')), node('REDACTED', 'REDACTED', answer('d'))],
      ['a b c d'],
    ],
    [
      'lets a label be no branch',
      [{ type: 'label', id: '3', parentId: '1', targetId: '1' }, node('4', '2', user('c'))],
      ['a b c'],
    ],
  ])('%s', (_name, rest, expected) => {
    const file = importText(jsonl(...start, ...rest));
    expect(file.transcripts.map((_transcript, at) => said(file, at))).toEqual(expected);
    expect(file.transcripts[0]?.key).toBe('main');
    expect(codes(file).includes('import.branches')).toBe(expected.length > 1);
    expect(addsUp(file)).toBe(true);
  });

  it('says that a parent is missing', () => {
    expect(codes(importText(jsonl(...start, node('3', 'lost', user('c')))))).toEqual(['import.missing_parent']);
  });

  it('keeps a compaction on a shared path in both branches', () => {
    const compaction = { type: 'compaction', id: '3', parentId: '2', summary: 'sum', firstKeptEntryId: '2' };
    const file = importText(jsonl(...start, compaction, node('4', '3', user('c')), node('5', '3', user('d'))));
    expect(file.transcripts.map((transcript) => transcript.compactions)).toEqual([
      [{ at: 2, summaryIndex: 2, preserved: [1] }],
      [{ at: 2, summaryIndex: 2, preserved: [1] }],
    ]);
  });
});

it.each([
  ['reasoning_content', false],
  ['reasoning', false],
  ['', false],
  ['EpEQCkYIChgC', true],
  ['{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"x"}', true],
])('takes the thinkingSignature %j for a signature: %s', (thinkingSignature, signed) => {
  const content = [{ type: 'thinking', thinking: 'why', thinkingSignature }];
  expect(readMessage({ role: 'assistant', content }).signed).toBe(signed);
});
