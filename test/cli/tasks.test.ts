// Law: whatever line is a task's, it is read or refused with its id; nothing else is thrown, so nothing ends the worker.
import { describe, expect, test } from 'vitest';
import { OPS, readTask, TaskFault } from '../../cli/support/tasks.ts';
import { runCli } from '../support/cli.ts';

const CHAT = '{"messages":[{"role":"user","content":"a"}]}';
const NAMES = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'length', '', '\\u0000'],
  ...[
    'tokens',
    'at',
    'vary',
    'rules',
    'key',
    'filter',
    'aim',
    'max_peak',
    'prevented',
    'op',
    'path',
    'transcript',
    'spec',
  ],
];
const VALUES = [
  ...['null', '1', '-1', '1.5', '1e400', '""', '"x"', '"\\ud800"', '"-"', '"--help"', 'true'],
  ...['[]', '{}', '[1]', '["a"]', '[[]]', '{"__proto__":1}', '['.repeat(500) + ']'.repeat(500)],
];

test.each(['project', 'lint', 'uses', 'autopsy', 'findings'])(
  'an indented session: %s is one line, and the worker’s answer',
  async (op) => {
    const messages = ['user', 'assistant', 'user'].map((role) => ({ role, content: [{ type: 'text', text: 'a\nb' }] }));
    const transcript = JSON.stringify({ model: 'gpt-4o', messages }, null, 1);
    const own = await runCli([op, '-', '--json'], transcript);
    const lines = own.stdout.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeLessThan(2);
    const worker = await runCli(['worker', '--jobs', '1'], JSON.stringify({ id: 1, op, transcript }));
    const results: unknown[] = lines.map((line) => JSON.parse(line));
    const answer: unknown = JSON.parse(worker.stdout);
    expect(answer).toMatchObject({ id: 1, exit: own.code, result: op === 'findings' ? results : results[0] });
  },
);

describe('a hostile line', () => {
  test('is a task or a fault with its id', () => {
    const faults: string[] = [];
    for (const op of [...OPS, '__proto__', 'constructor']) {
      for (const name of NAMES) {
        for (const value of VALUES) {
          const line = `{"id":"q","op":"${op}","transcript":${CHAT},"${name}":${value}}`;
          try {
            readTask(line);
          } catch (error) {
            if (!(error instanceof TaskFault)) faults.push(`${line}: ${String(error)}`);
            else if (error.id.text !== '"q"') faults.push(`${line}: without its id`);
          }
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('is answered, and so is the line behind it', async () => {
    const lines = [
      `{"id":1,"op":"lint","transcript":${CHAT},"__proto__":1}`,
      `{"id":2,"op":"lint","transcript":${CHAT}}`,
    ];
    const run = await runCli(['worker', '--jobs', '1'], lines.join('\n'));
    expect(run.code).toBe(0);
    const answers: unknown[] = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(2);
    expect(answers).toContainEqual(
      expect.objectContaining({
        id: 1,
        error: { code: 'task.invalid', message: 'line 1: lint takes no "__proto__"' },
      }),
    );
    expect(answers).toContainEqual(expect.objectContaining({ id: 2, op: 'lint' }));
  });
});
