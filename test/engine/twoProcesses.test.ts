// Two programs over one library: what one imports, removes or renames, the other tells its screens of by itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Library } from '../../core/store/index.ts';
import { runCli } from '../support/cli.ts';
import { MESSAGES, nextEvent, sessionFile, testEngine } from './support.ts';

const WITHIN_MS = 2000;

/** How long after `change` ended the clients of `client` are told that the list has changed. */
async function toldAfter(client: Parameters<typeof nextEvent>[0], change: () => Promise<unknown>): Promise<number> {
  let from = Number.POSITIVE_INFINITY;
  let told = 0;
  client.on('library', () => {
    told = performance.now();
  });
  await change();
  from = performance.now();
  while (told === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  return told - from;
}

test('parallax import while the app runs: the list has it within two seconds', async () => {
  const { client, dir } = testEngine();
  expect((await client.call('library.list', { since: null })).transcripts).toHaveLength(0);
  const { cursor } = await client.call('library.list', { since: null });
  const file = join(dir, 's.jsonl');
  writeFileSync(file, sessionFile());
  const ms = await toldAfter(client, () => runCli(['import', file, '--library', join(dir, 'library')]));
  expect(ms).toBeLessThan(WITHIN_MS);
  const change = await client.call('library.list', { since: cursor });
  expect(change.whole).toBe(false);
  expect(change.transcripts).toMatchObject([{ messages: MESSAGES.length, format: 'claude-code' }]);
});

test('what another engine renames and removes is told too, and what it imports again where it is open grows', async () => {
  const first = testEngine();
  const second = testEngine(first.dir);
  const id = await first.add('s.jsonl', sessionFile(MESSAGES.slice(0, 6)));
  await second.client.call('transcript.open', { id });
  const grew = nextEvent(second.client, 'transcript', (event) => event.id === id && event.reason === 'grew');
  expect(await first.add('s.jsonl', sessionFile())).toBe(id);
  expect((await grew).info?.messages).toBe(MESSAGES.length);
  const renamed = nextEvent(second.client, 'library');
  await first.client.call('library.rename', { id, title: 'Mine' });
  await renamed;
  expect((await second.client.call('library.list', { since: null })).transcripts).toMatchObject([{ title: 'Mine' }]);
  const removed = nextEvent(second.client, 'library');
  await first.client.call('library.remove', { ids: [id] });
  await removed;
  expect((await second.client.call('library.list', { since: null })).transcripts).toEqual([]);
});

test('with nothing written by others nothing is told', async () => {
  const { client, add } = testEngine();
  await add('s.jsonl', sessionFile());
  const looks = vi.spyOn(Library.prototype, 'writtenElsewhere');
  onTestFinished(() => looks.mockRestore());
  const looked = (times: number) => expect.poll(() => looks.mock.calls.length).toBe(times);
  await looked(1);
  let told = 0;
  client.on('library', () => told++);
  await looked(3);
  expect(told).toBe(0);
});
