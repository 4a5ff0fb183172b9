import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FollowedFile } from '../../../core/engine/follow/followedFile.ts';
import { Follower } from '../../../core/engine/follow/follower.ts';
import type { FollowNews } from '../../../core/engine/follow/types.ts';
import { runImport } from '../../../core/engine/jobs/index.ts';
import type { Library } from '../../../core/store/index.ts';
import { seededRng } from '../../../core/util/rng.ts';
import { openSource, sessionLines } from '../../store/support.ts';
import { cases } from '../../support/cases.ts';
import { claudeCodeFile } from '../../support/generate.ts';
import { libraryContent, tableCounts } from '../../support/libraryContent.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const user = (i: number) => ({ role: 'user', content: `message ${i}` });
const lines = (from: number, to: number) =>
  sessionLines(Array.from({ length: to }, (_, i) => user(i)))
    .slice(from, to)
    .map((line) => `${line}\n`)
    .join('');

/** The clock by which a follower decides what to look at again goes on by so much. */
function later(ms: number): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => clock.mockRestore());
}

interface Followed {
  readonly dir: string;
  readonly library: Library;
  readonly follower: Follower;
  readonly news: FollowNews[];
  follow(...names: readonly string[]): void;
}

/** A follower that looks only when it is told to. */
function followed(everyMs = 60_000): Followed {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const follower = new Follower(library, { everyMs });
  onTestFinished(() => follower.close());
  const news: FollowNews[] = [];
  follower.onNews = (one) => news.push(one);
  const follow = (...names: readonly string[]) => {
    follower.follow(
      names.map((name) => ({
        path: join(dir, name),
        kind: name.includes('.') ? 'file' : 'folder',
        since: '2026-01-01T00:00:00.000Z',
      })),
    );
  };
  return { dir, library, follower, news, follow };
}

const messagesOf = (library: Library) => library.list().map(({ counts }) => counts.messages);

test('lines that are appended come in; half a line waits and is no problem', async () => {
  const { dir, library, follower, follow } = followed();
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 3));
  follow('a.jsonl');
  await follower.look();
  expect(messagesOf(library)).toEqual([3]);
  const { id } = library.list()[0]!;
  const [half, rest] = [lines(3, 4).slice(0, 50), lines(3, 4).slice(50)];
  appendFileSync(path, half);
  await follower.look();
  expect(messagesOf(library)).toEqual([3]);
  expect(library.problems(id)).toEqual([]);
  appendFileSync(path, `${rest}${lines(4, 6)}`);
  await follower.look();
  expect(library.list()).toMatchObject([{ id, state: 'ready', counts: { messages: 6 } }]);
  const source = openSource(library, id);
  expect(source.texts(0, 6).map((text) => JSON.parse(text).content)).toEqual(
    Array.from({ length: 6 }, (_, i) => `message ${i}`),
  );
});

test('tells of what waits and what changed', async () => {
  const { dir, follower, news, library, follow } = followed();
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 3));
  follow('a.jsonl');
  await follower.look();
  appendFileSync(path, lines(3, 4).slice(0, 50));
  await follower.look();
  await expect.poll(() => news.at(-1)?.follows[0]?.live[0]?.waitingBytes).toBe(50);
  const { id } = library.list()[0]!;
  expect(news.flatMap(({ changed }) => changed)).toContain(id);
  expect(news.at(-1)?.follows).toMatchObject([
    { path, kind: 'file', state: 'following', files: 1, live: [{ path, transcriptIds: [id], progress: null }] },
  ]);
});

const MANY = cases(10_000, 3_000);

test.each([1, 2, 3])('many lines at uneven speed, in pieces (seed %i)', async (seed) => {
  const { dir, library, follower, follow } = followed(5);
  const path = join(dir, 'a.jsonl');
  const bytes = Buffer.from(claudeCodeFile({ messages: seed === 1 ? MANY : 1_500, seed }));
  writeFileSync(path, '');
  follow('a.jsonl');
  const rng = seededRng(seed);
  for (let at = 0; at < bytes.length; ) {
    // Mostly parts of lines, now and then many lines at once, now and then a pause.
    const size = rng.chance(0.3) ? 1 + rng.below(200_000) : 1 + rng.below(3_000);
    appendFileSync(path, bytes.subarray(at, at + size));
    at += size;
    if (rng.chance(0.2)) await setTimeout(rng.below(8));
  }
  await follower.look();
  const messages = library.list()[0]?.counts.messages;
  await follower.close();
  expect(messages).toBe(seed === 1 ? MANY : 1_500);
  const whole = openLibrary(join(dir, 'whole'));
  await runImport(whole, path);
  expect(libraryContent(library)).toEqual(libraryContent(whole));
  expect(tableCounts(library)).toEqual(tableCounts(whole));
});

test('a look at a file that did not change reads nothing, also after a new start', async () => {
  const { dir, library, follower, follow } = followed();
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 3));
  follow('a.jsonl');
  await follower.look();
  await follower.close();
  // The same length and time, other bytes: who opens the file notices.
  writeFileSync(path, lines(0, 3).replaceAll('message ', 'MESSAGE '));
  utimesSync(path, new Date(1_800_000_000_000), new Date(1_800_000_000_000));
  library.tables.db.prepare('UPDATE files SET mtime_ms = 1800000000000').run();
  const again = new Follower(library, { everyMs: 60_000 });
  onTestFinished(() => again.close());
  again.follow([{ path, kind: 'file', since: '' }]);
  await again.look();
  expect(openSource(library, library.list()[0]!.id).text(0)).toContain('message 0');
  appendFileSync(path, lines(3, 4));
  await again.look();
  expect(library.list()).toHaveLength(2);
});

test.each([
  ['rewritten in its place', (path: string) => writeFileSync(path, lines(0, 9).replaceAll('message ', 'other '))],
  ['truncated', (path: string) => truncateSync(path, lines(0, 2).length)],
  [
    'replaced by another',
    (path: string) => {
      writeFileSync(`${path}.new`, lines(0, 5).replaceAll('message ', 'other '));
      renameSync(`${path}.new`, path);
    },
  ],
])('a file that is %s is a new source; the old one stays', async (_what, change) => {
  const { dir, library, follower, news, follow } = followed();
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 5));
  follow('a.jsonl');
  await follower.look();
  const { id } = library.list()[0]!;
  change(path);
  // A file that became shorter may be just being written: it is looked at twice.
  await follower.look();
  await follower.look();
  expect(library.list()).toHaveLength(2);
  expect(library.get(id)).toMatchObject({ state: 'ready', counts: { messages: 5 } });
  await expect.poll(() => news.at(-1)?.follows[0]?.problem?.code).toBe('import.file_rewritten');
  appendFileSync(path, lines(9, 10));
  await follower.look();
  expect(library.list()).toHaveLength(2);
});

test('a folder: new files are taken in, grown ones go on, what is no transcript is not', async () => {
  const { dir, library, follower, news, follow } = followed();
  const sessions = join(dir, 'sessions');
  mkdirSync(join(sessions, 'project'), { recursive: true });
  writeFileSync(join(sessions, 'project', 'a.jsonl'), lines(0, 3));
  writeFileSync(join(sessions, 'notes.txt'), 'nothing');
  writeFileSync(join(sessions, 'settings.json'), '{"theme":"dark"}');
  follow('sessions');
  await follower.look();
  expect(messagesOf(library)).toEqual([3]);
  mkdirSync(join(sessions, 'other'));
  writeFileSync(join(sessions, 'other', 'b.jsonl'), lines(0, 4).replaceAll('message ', 'b '));
  appendFileSync(join(sessions, 'project', 'a.jsonl'), lines(3, 5));
  await expect
    .poll(
      async () => {
        await follower.look();
        return messagesOf(library).sort();
      },
      { interval: 100 },
    )
    .toEqual([4, 5]);
  await expect.poll(() => news.at(-1)?.follows[0]).toMatchObject({ kind: 'folder', state: 'following', files: 2 });
  rmSync(sessions, { recursive: true });
  await expect
    .poll(
      async () => {
        await follower.look();
        return news.at(-1)?.follows[0]?.state;
      },
      { interval: 100 },
    )
    .toBe('missing');
  expect(messagesOf(library).sort()).toEqual([4, 5]);
});

test('two programs follow one file: nothing is lost and nothing doubled', async () => {
  const { dir, library, follow } = followed(10);
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, lines(0, 1));
  const other = new Follower(openLibrary(library.dir), { everyMs: 10 });
  onTestFinished(() => other.close());
  follow('a.jsonl');
  other.follow([{ path, kind: 'file', since: '' }]);
  const rng = seededRng(5);
  for (let i = 1; i < 200; i++) {
    appendFileSync(path, lines(i, i + 1));
    if (rng.chance(0.3)) await setTimeout(rng.below(15));
  }
  await expect.poll(() => messagesOf(library), { interval: 100 }).toEqual([200]);
  const source = openSource(library, library.list()[0]!.id);
  expect(source.texts(0, 200).map((text) => JSON.parse(text).content)).toEqual(
    Array.from({ length: 200 }, (_, i) => `message ${i}`),
  );
});

test('many files at once: few readings are kept alive, all go on', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const follower = new Follower(library, { everyMs: 60_000, alive: 3 });
  onTestFinished(() => follower.close());
  const sessions = join(dir, 'sessions');
  mkdirSync(sessions);
  const path = (n: number) => join(sessions, `${n}.jsonl`);
  const text = (n: number, from: number, to: number) => lines(from, to).replaceAll('message ', `file ${n}, `);
  for (let n = 0; n < 10; n++) writeFileSync(path(n), text(n, 0, 2));
  follower.follow([{ path: sessions, kind: 'folder', since: '' }]);
  await follower.look();
  for (let to = 3; to < 6; to++) {
    for (let n = 0; n < 10; n++) appendFileSync(path(n), text(n, to - 1, to));
    await follower.look();
  }
  expect(messagesOf(library)).toEqual(Array.from({ length: 10 }, () => 5));
});

test('a long stretch is read in parts, so that other files get their turn', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'long.jsonl');
  writeFileSync(path, claudeCodeFile({ messages: 2_000, seed: 4 }));
  const file = new FollowedFile(library, path, 300_000);
  const watch = { signal: new AbortController().signal, onProgress: () => {} };
  const seen: number[] = [];
  for (let look = await file.look(watch); look.kind === 'read'; look = await file.look(watch)) {
    seen.push(look.transcripts[0]?.messages ?? 0);
    if (!look.more) break;
  }
  await file.rest();
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  const whole = openLibrary(join(dir, 'whole'));
  await runImport(whole, path);
  expect(libraryContent(library)).toEqual(libraryContent(whole));
  expect(tableCounts(library)).toEqual(tableCounts(whole));
});

test('a file that nests without end, in a followed folder, keeps no other file from being taken in', async () => {
  const { dir, library, follower, follow } = followed();
  mkdirSync(join(dir, 'folder'));
  for (const [name, depth] of [
    ['arrays', '['],
    ['objects', '{"a":'],
  ] as const) {
    writeFileSync(join(dir, 'folder', `${name}.json`), depth.repeat(20_000));
  }
  writeFileSync(join(dir, 'folder', 'a.jsonl'), lines(0, 3));
  follow('folder');
  await follower.look();
  expect(messagesOf(library)).toEqual([3]);
  writeFileSync(join(dir, 'folder', 'b.jsonl'), lines(3, 5));
  appendFileSync(join(dir, 'folder', 'a.jsonl'), `${'['.repeat(20_000)}${']'.repeat(20_000)}\n${lines(3, 4)}`);
  later(5_100);
  await follower.look();
  expect(messagesOf(library).sort()).toEqual([2, 4]);
});
