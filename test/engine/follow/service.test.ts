import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { sessionLines } from '../../store/support.ts';
import { tempDir } from '../../support/tempLibrary.ts';
import { failureOf, nextEvent, testEngine } from '../support.ts';

const lines = (from: number, to: number) =>
  sessionLines(Array.from({ length: to }, (_, i) => ({ role: 'user', content: `message ${i}` })))
    .slice(from, to)
    .map((line) => `${line}\n`)
    .join('');

test('what is followed is imported, then taken in as it grows, and told to whoever has it open', async () => {
  const { dir, client } = testEngine();
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 3));
  const { jobId } = await client.call('follow.start', { path });
  const { outcomes } = await client.call('import.result', { jobId });
  const { id } = outcomes[0]!.transcripts[0]!;
  await client.call('transcript.open', { id });
  await nextEvent(client, 'follow', ({ follows }) => follows[0]?.state === 'following');
  const grew = nextEvent(client, 'transcript', ({ reason, info }) => reason === 'grew' && info?.messages === 5);
  appendFileSync(path, lines(3, 5));
  expect((await grew).id).toBe(id);
  const { follows } = await client.call('follow.list', {});
  expect(follows).toMatchObject([{ path, kind: 'file', files: 1, live: [{ path, messages: 5, waitingBytes: 0 }] }]);
});

test('a followed path is followed again after a start, one not to be kept is not', async () => {
  const first = testEngine();
  const [kept, passing] = ['kept.jsonl', 'passing.jsonl'].map((name) => join(first.dir, name));
  for (const path of [kept!, passing!]) {
    writeFileSync(path, lines(0, 2).replaceAll('message ', `${path} `));
    const { jobId } = await first.client.call('follow.start', { path, keep: path === kept });
    await first.client.call('import.result', { jobId });
  }
  expect((await first.client.call('follow.list', {})).follows.map(({ path }) => path)).toEqual([kept, passing]);
  await first.dispose();
  appendFileSync(kept!, lines(2, 4));
  const second = testEngine(first.dir);
  await expect
    .poll(async () => {
      const { transcripts } = await second.client.call('library.list', {});
      return transcripts.map(({ messages }) => messages).sort();
    })
    .toEqual([2, 4]);
  expect((await second.client.call('follow.list', {})).follows.map(({ path }) => path)).toEqual([kept]);
});

test('stopped, a file may grow alone; imported again it goes on', async () => {
  const { dir, client } = testEngine();
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 3));
  const { jobId } = await client.call('follow.start', { path });
  await client.call('import.result', { jobId });
  await nextEvent(client, 'follow', ({ follows }) => follows[0]?.state === 'following');
  expect(await client.call('follow.stop', { path })).toEqual({ stopped: true });
  expect(await client.call('follow.stop', { path })).toEqual({ stopped: false });
  expect((await client.call('follow.list', {})).follows).toEqual([]);
  appendFileSync(path, lines(3, 6));
  const again = await client.call('import.start', { paths: [path] });
  const { outcomes } = await client.call('import.result', { jobId: again.jobId });
  expect(outcomes).toMatchObject([{ error: null, transcripts: [{ messages: 6 }] }]);
  expect((await client.call('library.list', {})).transcripts).toHaveLength(1);
});

test('a path that is not there cannot be followed', async () => {
  const { dir, client } = testEngine();
  const error = await failureOf(client.call('follow.start', { path: join(dir, 'nothing') }));
  expect(error).toMatchObject({ code: 'follow.missing', expected: true });
});

test('places of tools are offered', async () => {
  const home = tempDir();
  mkdirSync(join(home, 'claude', 'projects', 'p'), { recursive: true });
  writeFileSync(join(home, 'claude', 'projects', 'p', 's.jsonl'), lines(0, 1));
  vi.stubEnv('HOME', home);
  vi.stubEnv('CLAUDE_CONFIG_DIR', join(home, 'claude'));
  for (const name of ['CODEX_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'COPILOT_HOME', 'PI_CODING_AGENT_DIR']) {
    vi.stubEnv(name, join(home, 'nothing'));
  }
  const { places } = await testEngine().client.call('discover.list', {});
  vi.unstubAllEnvs();
  expect(places).toMatchObject([{ tool: 'Claude Code', path: join(home, 'claude', 'projects'), files: 1 }]);
});
