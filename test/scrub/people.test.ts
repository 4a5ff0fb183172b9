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

const AUTHORS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Author: Marc Mueller <30130371+mmueller9@users.noreply.github.com>',
    ['candidate user_name Marc Mueller', 'candidate email 30130371+mmueller9@users.noreply.github.com'],
  ],
  ['Co-authored-by: Marc Mueller <mmueller9@users.noreply.github.com>', ['candidate user_name Marc Mueller']],
  ['Author: Jan de Vries <jan@firm.io>', ['definite user_name Jan de Vries', 'definite email jan@firm.io']],
  ['Author: Ana Maria dos Santos <a@firm.io>', ['definite user_name Ana Maria dos Santos', 'definite email a@firm.io']],
  ['Author: Lena von der Heide <l@firm.io>', ['definite user_name Lena von der Heide', 'definite email l@firm.io']],
  ['Author: Ludwig van den Berg <l@firm.io>', ['definite user_name Ludwig van den Berg', 'definite email l@firm.io']],
  ['  ✓ Logged in to github.com account christso (keyring)', ['definite user_name christso']],
  ['Logged in to gitlab.com as christso', ['definite user_name christso']],
  // Of a program there is nobody.
  ['Author: dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>', []],
  ['Co-authored-by: Copilot <223556219+Copilot@users.noreply.github.com>', []],
  ['Co-authored-by: GitHub Actions <noreply@github.com>', []],
];

test.each(AUTHORS)('%s', (text, people) => {
  expect(findIn(text).map(({ kind, tier, value }) => `${tier} ${kind} ${value}`)).toEqual(people);
});
