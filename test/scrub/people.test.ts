// Users and hosts, wherever their lines are.
import { expect, test } from 'vitest';
import { findIn } from '../../core/scrub/findIn.ts';

/** What tools, diffs, searches and numbered listings put before a line. */
const BEFORE = [
  ...[
    '',
    'total 8\n',
    '+',
    '> ',
    '12→',
    '     7→',
    'docs/list.txt:12:',
    'Output: ',
    'output: ',
    'stdout: ',
    'Stdout: ',
  ],
  ...['<output>', '<stdout>', '<bash-stdout>', 'Observation: ', 'Command: ls -l\nDirectory: (root)\nOutput: '],
];
const LINES: Readonly<Record<string, string>> = {
  'a listing': '-rw-r--r--@ 1 peytonm  staff  309 Jan 15 12:51 docs/blue.md',
  passwd: 'peytonm:x:1000:1000::/nowhere:/bin/sh',
  processes: 'peytonm   4242  0.0  0.1  12345  6789 ?  S  10:00  0:00 sleep',
  sessions: 'peytonm  pts/0   2026-01-05 10:00',
  'a prompt': 'peytonm@falcon-9:~/work$ ls',
  'the environment': 'LOGNAME=peytonm',
};

test.each(Object.keys(LINES))('%s: the user is found behind whatever is put before the line', (line) => {
  const missed = BEFORE.filter((before) => {
    const found = findIn(`${before}${LINES[line]}\n`);
    return !found.some(({ kind, tier, value }) => kind === 'user_name' && tier === 'definite' && value === 'peytonm');
  });
  expect(missed).toEqual([]);
});

test('a listing is found within a sentence, too', () => {
  const found = findIn(`noted (ls -l): ${LINES['a listing']}`);
  expect(found.map(({ kind, value }) => [kind, value])).toEqual([['user_name', 'peytonm']]);
});

test('what a diff counts is not a listing', () => {
  expect(findIn(' src/modutils.py | 19 +++++++++----------\n 2 files changed, 19 insertions(+)\n')).toEqual([]);
});
