// What a command says of what it cannot do: one line with what, where, and what to do; never a stack.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { filesDir } from '../e2e/support/session.ts';
import { runCli, runCliProcess } from '../support/cli.ts';

const files = filesDir();
afterAll(() => files.remove());

const chat = files.write('chat.json', JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] }));

async function refused(code: number, ...args: string[]): Promise<string> {
  const run = await runCli(args);
  expect(run, run.stderr).toMatchObject({ code, stdout: '' });
  expect(run.stderr.trim().split('\n')).toHaveLength(1);
  return run.stderr;
}

describe('a library that cannot be made', () => {
  test.each([
    ['a file', () => chat],
    ['below a file', () => join(chat, 'library')],
  ])('%s', async (_name, dir) => {
    expect(await refused(3, 'ls', '--library', dir())).toContain('the library cannot be made');
  });

  // Node’s own recursive mkdir never comes back from here.
  test.runIf(process.platform === 'linux')('where there is no room for folders at all', async () => {
    expect(await refused(3, 'ls', '--library', '/proc/parallax')).toContain('the library cannot be made');
  });
});

describe('an output that cannot be written', () => {
  test('a folder, or in none', async () => {
    expect(await refused(3, 'export', chat, '--wire', 'openai', '-o', files.path)).toContain('name a file in it');
    const nowhere = join(files.path, 'none', 'x.json');
    expect(await refused(3, 'export', chat, '-o', nowhere)).toContain('there is no such folder');
    const both = ['export', chat, '-o', join(files.path, 'b.json'), '--markdown', nowhere];
    expect(await refused(3, ...both)).toContain('the summary cannot be written');
  });

  test.runIf(process.platform === 'linux')('a full disk', () => {
    const full = openSync('/dev/full', 'w');
    const main = resolve(import.meta.dirname, '..', '..', 'cli', 'main.ts');
    const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'project', chat], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(run.stderr).toBe(
      'parallax: the output cannot be written: stdout: no space is left there; make room, or name another place\n',
    );
    expect(run.status).toBe(3);
  });
});

test('an error that nobody waits for is a fault of the program: one note, and exit 70', async () => {
  const late = "setInterval(()=>{if(process.listenerCount('uncaughtException'))throw new Error('planted')},1)";
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(late)}`;
  const run = await runCliProcess(['formats'], '', { NODE_OPTIONS });
  expect([run.code, run.stderr.split('\n')[0]]).toEqual([70, 'parallax: a fault of Parallax itself: Error: planted']);
});

test('a message that is not there is told with the file’s name', async () => {
  for (const command of ['why', 'trace']) {
    expect(await refused(2, command, chat, '--message', '7')).toContain(`chat.json: --message is 7; accepted:`);
  }
});

test('repair says what a session file is, and leaves others alone', async () => {
  expect(await refused(3, 'repair', chat)).toContain('the first line of a session file is {"type":"session","id":…}');
  expect(await refused(3, 'repair', join(files.path, 'none.jsonl'))).toContain('check the path');
  expect(await refused(2, 'repair', '-')).toContain('not stdin');
});

test('stdin is told by its name', async () => {
  const run = await runCli(['lint', '-'], '');
  expect(run).toMatchObject({ code: 3, stdout: '' });
  expect(run.stderr).toMatch(/^parallax: stdin: /);
});

describe('a spec', () => {
  test('that is empty is no wish for the raw history', async () => {
    expect(await refused(2, 'project', chat, '--spec', '')).toContain('--spec is empty');
  });

  test('warns of what has no effect, by its path', () => {
    const parsed = parseSpec(
      { version: 1, tokenizer: 'abacus', windw: 5, stages: [{ kind: 'summary', params: { keep_turns: 1 } }] },
      STAGES,
    );
    expect(parsed.ok && parsed.value.warnings.map(({ where }) => where?.path)).toEqual([
      'windw',
      'stages[0].params',
      'tokenizer',
    ]);
  });

  test('every command tells that', async () => {
    const spec = '{"version":1,"stages":[{"kind":"raw","keep":2}]}';
    for (const command of [
      ['lint'],
      ['why', '--message', '0'],
      ['trace', '--message', '0'],
      ['export', '--wire', 'openai'],
    ]) {
      const [name = '', ...options] = command;
      const { stderr } = await runCli([name, chat, ...options, '--spec', spec]);
      expect(stderr).toContain('stages[0].keep: A stage has no keep');
    }
  });
});

describe('lint', () => {
  const compacted = [
    { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' },
    entry('1', null, { role: 'user', content: 'old' }),
    entry('2', '1', { role: 'assistant', content: [{ type: 'toolCall', id: 'open', name: 'ls', arguments: {} }] }),
    entry('3', '2', { role: 'user', content: 'new' }),
    {
      type: 'compaction',
      id: '4',
      parentId: '3',
      timestamp: '2026-01-01T00:00:00.000Z',
      summary: 'S',
      firstKeptEntryId: '3',
    },
    entry('5', '4', { role: 'user', content: 'newer' }),
  ];
  const session = files.write('pi.jsonl', `${compacted.map((each) => JSON.stringify(each)).join('\n')}\n`);

  test('looks at the next request: without a policy at what the runtime kept', async () => {
    expect((await runCli(['lint', session, '--provider', 'openai', '--json'])).stdout).not.toContain('unanswered');
    expect((await runCli(['lint', session, '--provider', 'openai', '--policy', 'raw'])).stdout).toContain('unanswered');
  });

  test('takes the transcript’s model only where its vendor is asked', async () => {
    const other = files.write(
      'other.json',
      JSON.stringify({ model: 'devstral-small', messages: [{ role: 'user', content: 'hi' }] }),
    );
    const how = async (provider: string) =>
      JSON.parse((await runCli(['lint', other, '--provider', provider, '--json'])).stdout).how;
    expect(await how('anthropic')).toBe('anthropic');
    expect(await how('openrouter')).toBe('openrouter · devstral-small');
  });
});

function entry(id: string, parentId: string | null, message: unknown) {
  return { type: 'message', id, parentId, timestamp: '2026-01-01T00:00:00.000Z', message };
}

test('an empty path is not the current folder', async () => {
  expect(await refused(2, 'import', '', '--library', join(files.path, 'none'))).toContain('PATH is empty');
});

test('a file of which little was read is told with the way out, and is there', async () => {
  const said = (type: string) => ({ role: 'user', content: [{ type, words: 'hi' }] });
  const path = files.write('words.jsonl', `${JSON.stringify(said('a'))}\n${JSON.stringify(said('b'))}\n`);
  const imported = await runCli(['import', path, '--library', join(files.path, 'warned')]);
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('2 messages') });
  const projected = await runCli(['project', path]);
  for (const { stderr } of [imported, projected]) {
    expect(stderr).toContain('blocks of unknown types ("a", "b")');
    expect(stderr).toContain(`\`parallax mapping guess ${path}\` finds its fields`);
  }
});
