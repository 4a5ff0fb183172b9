import { describe, expect, it } from 'vitest';
import { formatBytes, formatDelta, oneLine } from '../../core/engine/rows/format.ts';
import { EMPTY_PREVIEW, type PayloadInfo, previewPart, previewWhole } from '../../core/engine/rows/preview.ts';
import { readMessage } from '../../core/model/readMessage.ts';

function lines(message: unknown, payload: PayloadInfo | null = null): readonly string[] {
  return readMessage(message).parts.map((part) => previewPart(message, part, payload).text);
}

const use = (name: string, input: unknown) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't', name, input }],
});
const result = (content: unknown) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] });

describe('the line of a part', () => {
  it.each([
    ['text', { role: 'user', content: '\n\n  two\n\tlines ' }, 'two lines'],
    ['text that says nothing', { role: 'user', content: [{ type: 'text', text: ' \u0000' }] }, '(empty text)'],
    ['Bash', use('Bash', { description: 'x', command: 'npm test' }), 'Bash npm test'],
    ['a file tool', use('Edit', { old_string: 'a', new_string: 'b', file_path: 'src/a.ts' }), 'Edit src/a.ts +1 −1'],
    ['a written file', use('Write', { content: 'a\nb', file_path: 'src/a.ts' }), 'Write src/a.ts 2 lines'],
    [
      'a patch of two files',
      use('apply_patch', {
        input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n+z\n*** Delete File: b.ts\n*** End Patch',
      }),
      'apply_patch a.ts +2 −1, b.ts deleted',
    ],
    ['lines of a file', use('Read', { file_path: 'a.ts', offset: 11, limit: 5 }), 'Read a.ts from line 11, 5 lines'],
    [
      'a file far down, by its last names',
      use('Edit', {
        old_string: 'a',
        new_string: 'b',
        file_path: 'C:\\Users\\someone\\a\\folder\\far\\down\\the\\tree\\of\\it\\a.ts',
      }),
      'Edit …\\it\\a.ts +1 −1',
    ],
    ['a folder far down', use('Grep', { path: `/${'folder/'.repeat(9)}src/`, pattern: 'a' }), 'Grep a in …/folder/src'],
    ['a search', use('Grep', { path: 'src', pattern: 'a+' }), 'Grep a+ in src'],
    [
      'a list of tasks',
      use('TodoWrite', {
        todos: [
          { content: 'one', status: 'completed' },
          { content: 'two', status: 'in_progress' },
        ],
      }),
      'TodoWrite 1 of 2 done · now: two',
    ],
    [
      'a sub-agent',
      use('Task', { prompt: 'Find all', description: 'Look around', subagent_type: 'Explore' }),
      'Task Explore: Look around',
    ],
    ['Codex’ shell', use('shell', { command: ['bash', '-lc', 'ls -la'] }), 'shell ls -la'],
    ['another tool', use('lookup', { key: 'a b', n: 2 }), 'lookup {"key":"a b","n":2}'],
    [
      'a key that is not typed',
      use('write_stdin', { session_id: 7, chars: '' }),
      'write_stdin {"session_id":7,"chars":""}',
    ],
    ['a call without arguments', use('now', {}), 'now'],
    ['a call with one argument', use('Skill', { skill: 'code-changes' }), 'Skill code-changes'],
    [
      'a question to the person',
      use('AskUserQuestion', {
        questions: [{ header: 'Form', question: 'Which form?', options: [] }, { question: 'b' }],
      }),
      'AskUserQuestion Which form?',
    ],
    ['one argument that is no text', use('wait', { seconds: 3 }), 'wait {"seconds":3}'],
    [
      'OpenAI’s arguments',
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'grep', arguments: '{"pattern": "x"}' } }] },
      'grep x',
    ],
    [
      'arguments that are not JSON',
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'grep', arguments: '{"pat' } }] },
      'grep {"pat',
    ],
    ['a result', result('\nfirst\nsecond'), 'first second'],
    [
      'a file with its lines numbered',
      result('     9→package color\n    10→\n    11→import ('),
      'package color import (',
    ],
    ['a count before each line', result('  3\tred\n  9\tblue'), '3 red 9 blue'],
    [
      'a result of blocks',
      result([
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ]),
      'one two',
    ],
    ['an empty result', result(''), '(empty result)'],
    [
      'what Codex writes in front of an output',
      result('Chunk ID: 1a2b\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nall good'),
      'all good',
    ],
    [
      'a command that failed',
      result('Chunk ID: 1a2b\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno such file'),
      'exit 2 · no such file',
    ],
    [
      'an output in JSON',
      result('{"output":"line one\\nline two","metadata":{"exit_code":1,"duration_seconds":0.1}}'),
      'exit 1 · line one line two',
    ],
    ['a command that printed nothing', result('Exit code: 0\nWall time: 0.1 seconds\nOutput:\n'), '(no output)'],
    [
      'what a search of the web found, wrapped as JSON',
      result('{"query":"q","results":[{"url":"https://a.b","title":"One"},{"url":"https://c.d"}]}'),
      '2 found: One, https://c.d',
    ],
    ['a page that was fetched, wrapped as JSON', result('{"url":"https://a.b","status":200,"text":"Words"}'), 'Words'],
    ['JSON that only looks like an output', result('{"output":"x","of":"a tool"}'), '{"output":"x","of":"a tool"}'],
    ['thinking', { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm\nso' }] }, 'hm so'],
    [
      'encrypted thinking',
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x'.repeat(2100) }] },
      'encrypted, 2.1 kB',
    ],
    [
      'reasoning of which nothing is recorded',
      { role: 'assistant', content: [{ type: 'reasoning', summary: [] }] },
      '(not recorded)',
    ],
    [
      'what pi records of reasoning that it cannot read',
      { role: 'assistant', content: [{ type: 'thinking', thinking: '', thinkingSignature: 'x'.repeat(40) }] },
      'encrypted, 40 B',
    ],
    [
      'a linked image',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }] },
      'https://x.test/a.png',
    ],
    ['a file', { role: 'user', content: [{ type: 'file', filename: 'a.pdf' }] }, 'a.pdf'],
  ])('%s', (_name, message, line) => expect(lines(message)).toEqual([line]));

  it('of a result that is nothing but a picture says which', () => {
    const shot = { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'image', source: { data: 'AAAA' } }] };
    const payload = { mime: 'image/png', bytes: 130_000, width: 1200, height: 800 };
    expect(lines({ role: 'user', content: [shot] }, payload)).toEqual(['image/png 1,200×800 · 130 kB']);
    expect(lines({ role: 'user', content: [shot] })).toEqual(['[image]']);
  });

  it('names a picture by type, size and weight', () => {
    const image = {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
    };
    expect(lines(image, { mime: 'image/png', bytes: 182_400, width: 1240, height: 800 })).toEqual([
      'image/png 1,240×800 · 182 kB',
    ]);
    expect(lines(image)).toEqual(['image/png · 3 B']);
  });

  it('is cut at 300 characters, never within a character', () => {
    const [line] = lines({ role: 'user', content: '😀'.repeat(5000) });
    expect(line?.length).toBeLessThanOrEqual(300);
    expect(line?.isWellFormed()).toBe(true);
    expect(line?.endsWith('…')).toBe(true);
  });
});

describe('the line of a message in one row', () => {
  const line = (text: string) => ({ text, mono: false });

  it('is that of its part, whole', () => {
    expect(previewWhole([line('x'.repeat(200))])).toEqual(line('x'.repeat(200)));
    expect(previewWhole([])).toEqual(EMPTY_PREVIEW);
    const unread = line('(not recorded)');
    expect(previewWhole([unread, line('said')])).toEqual(line('said'));
    expect(previewWhole([unread, unread]).text).toBe('(not recorded) · (not recorded)');
  });

  it('shows a share of each of several', () => {
    const parts = [line(`[missing] ${'x'.repeat(200)}`), line('Well?'), line('Are you there?')];
    const pieces = [`[missing] ${'x'.repeat(89)}…`, 'Well?', 'Are you there?'];
    expect(previewWhole(parts)).toEqual({ text: pieces.join(' · '), mono: false, pieces });
  });

  it('of many the first, and says how many more there are', () => {
    const { pieces = [], text } = previewWhole(Array.from({ length: 100 }, () => line('y'.repeat(90))));
    expect(pieces).toHaveLength(8);
    expect(pieces[0]).toBe(`${'y'.repeat(39)}…`);
    expect(pieces.at(-1)).toBe('93 more');
    expect(text).toHaveLength(300);
  });
});

describe('short forms', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [2100, '2.1 kB'],
    [182_400, '182 kB'],
    [999_600, '1.0 MB'],
    [4_800_000, '4.8 MB'],
    [1_234_000_000, '1,234 MB'],
  ])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [-4751, '−4,751'],
    [120, '+120'],
    [0, '+0'],
  ])('a difference of %i is %s', (delta, text) => expect(formatDelta(delta)).toBe(text));

  it('keeps a short line, and marks a cut one', () => {
    expect(oneLine('  a \n b ', 10)).toBe('a b');
    expect(oneLine('abcdefghijk', 10)).toBe('abcdefghi…');
    expect(oneLine('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\u0000', 20)).toBe('red x');
    expect(oneLine('a\u202elive\u202c b', 20)).toBe('a\u202elive\u202c b');
    expect(oneLine('\ufeff a', 20)).toBe('\ufeff a');
    expect(oneLine(`${' '.repeat(100_000)}x`, 10)).toBe('x');
    expect(oneLine(`a${' '.repeat(100_000)}x`, 10)).toBe('a…');
  });
});
