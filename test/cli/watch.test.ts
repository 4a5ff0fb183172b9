// `parallax watch`: what `trace --text` says of each text, of a file as of the library.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

const FACT = 'the limit is 4471';
const SPEC = JSON.stringify({ version: 1, stages: [{ kind: 'sliding_window', options: { turns: 2 } }] });

let dir: string;
let file: string;
let id: string;

interface Line {
  readonly text: string;
  readonly name: string | null;
  readonly now: { readonly state: string; readonly since: number | null };
  readonly runs: readonly { readonly state: string; readonly at: number; readonly last: number }[];
  readonly firstLoss: { readonly at: number; readonly reason: string } | null;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-watch-'));
  file = join(dir, 'talk.json');
  const messages = Array.from({ length: 12 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: i === 0 ? `Remember that ${FACT}.` : i === 7 ? `I recall: ${FACT}.` : `say ${i}`,
  }));
  writeFileSync(file, JSON.stringify(messages));
  await runCli(['import', '--library', join(dir, 'lib'), file]);
  const { stdout } = await runCli(['ls', '--library', join(dir, 'lib'), '--json']);
  id = (JSON.parse(stdout) as { readonly id: string }).id;
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const lines = (stdout: string): readonly Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const inLibrary = (...args: readonly string[]) =>
  runCli(['watch', id, '--library', join(dir, 'lib'), '--spec', SPEC, ...args]);

describe('watch', () => {
  it('says of each text of a file what its trace says', async () => {
    const texts = [FACT, 'say 2', 'nowhere at all'];
    const run = await runCli(['watch', file, ...texts.flatMap((text) => ['--text', text]), '--spec', SPEC, '--json']);
    expect(run.code).toBe(1);
    for (const [n, text] of texts.entries()) {
      const watched = lines(run.stdout)[n];
      const traced = JSON.parse((await runCli(['trace', file, '--text', text, '--spec', SPEC, '--json'])).stdout);
      expect(watched?.text).toBe(text);
      expect(watched?.now.state).toBe(traced.now.state);
      expect(watched?.firstLoss?.reason).toBe(traced.firstLoss?.reason);
      const changes = watched?.runs.filter(({ state }, at) => at > 0 || state !== 'not_yet');
      expect(changes?.map(({ at, state }) => [at, state])).toEqual(
        traced.states.map(({ at, state }: { at: number; state: string }) => [at, state]),
      );
    }
    expect(lines(run.stdout)[0]?.runs).toMatchObject([
      { state: 'original', at: 1, last: 3 },
      { state: 'gone', at: 5, last: 7 },
      { state: 'elsewhere', at: 9, last: 9 },
      { state: 'gone', at: 11, last: 12 },
    ]);
  });

  it('keeps texts with a transcript of the library, as the app does', async () => {
    const added = await inLibrary('--add', FACT, '--name', 'the limit', '--json');
    expect(added.code).toBe(1);
    expect(lines(added.stdout)).toMatchObject([
      { text: FACT, name: 'the limit', now: { state: 'gone', since: 11 }, firstLoss: { at: 5 } },
    ]);
    const again = await inLibrary('--at', '3');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('the limit: the limit is 4471');
    expect(again.stdout).toContain('original #1–#3, gone #5–#7, elsewhere #9, gone #11–#12');
    expect(again.stdout).toMatch(/lost {2,}before message 5, turn 3: dropped by stage 1, Sliding window/);
    expect((await inLibrary('--remove', 'the limit')).stdout).toBe('No text is watched.\n');
  });

  it('are counted by tune, of the library without being given again', async () => {
    const vary = ['--spec', SPEC, '--vary', 'sliding_window.turns=1,8', '--json', '--no-tokens'];
    const gone = async (...args: readonly string[]) => {
      const { stdout } = await runCli(['tune', ...args, ...vary]);
      return lines(stdout).map((line) => (line as unknown as { watchpointsGone: number }).watchpointsGone);
    };
    expect(await gone(file)).toEqual([0, 0]);
    expect(await gone(file, '--keep', FACT)).toEqual([1, 0]);
    const library = ['--library', join(dir, 'lib')];
    expect(await gone(id, ...library)).toEqual([0, 0]);
    await inLibrary('--add', FACT);
    await inLibrary('--add', 'say 2', '--word');
    expect(await gone(id, ...library)).toEqual([2, 0]);
    expect((await runCli(['tune', 'nobody', ...library, ...vary])).code).toBe(3);
    await inLibrary('--remove', FACT, '--remove', 'say 2');
  });

  it('says what is wrong', async () => {
    const code = async (...args: readonly string[]) => (await runCli(['watch', ...args])).code;
    expect(await code(file)).toBe(2);
    expect(await code(file, '--text', ' ')).toBe(2);
    expect(await code(file, '--add', 'x')).toBe(2);
    expect(await code('nobody', '--library', join(dir, 'lib'))).toBe(3);
    expect((await inLibrary('--text', 'x')).code).toBe(2);
    expect((await inLibrary('--remove', 'x')).code).toBe(3);
    expect((await inLibrary('--name', 'x')).code).toBe(2);
  });
});
