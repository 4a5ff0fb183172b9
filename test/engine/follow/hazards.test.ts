// What may happen to a file just while it is read, or while its reading is ended: nothing of it may end the thread that
// does it, and the next look finds the file as it is then.
import { appendFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FollowedFile, type Look } from '../../../core/engine/follow/followedFile.ts';
import { Follower } from '../../../core/engine/follow/follower.ts';
import { openSource } from '../../store/support.ts';
import { claudeCodeFile } from '../../support/generate.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const SINCE = '2026-01-01T00:00:00.000Z';

/** Of more than a megabyte: read in several chunks. */
const LONG = claudeCodeFile({ messages: 3_000, seed: 3 });
const LINES = LONG.trimEnd().split('\n');
const beginning = (count: number) => `${LINES.slice(0, count).join('\n')}\n`;

function fileIn(name = 'a.jsonl') {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, name);
  const file = new FollowedFile(library, path);
  onTestFinished(() => file.drop());
  const look = (onProgress: () => void = () => {}): Promise<Look> => {
    return file.look({ signal: new AbortController().signal, onProgress });
  };
  return { dir, library, path, file, look };
}

/** Something that happens once, after the first chunk was read. */
function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (!done) run();
    done = true;
  };
}

describe('a file that is read, and in the middle of it', () => {
  const HAPPENINGS: readonly (readonly [what: string, happen: (path: string) => void])[] = [
    ['becomes shorter', (path) => truncateSync(path, 100)],
    ['is emptied', (path) => truncateSync(path, 0)],
    ['is deleted', (path) => rmSync(path)],
    ['is replaced', (path) => replace(path, beginning(5))],
  ];

  test.each(HAPPENINGS)('%s, is as it is then once it stands still', async (_what, happen) => {
    const { library, path, look } = fileIn();
    writeFileSync(path, LONG);
    expect(LONG.length).toBeGreaterThan(2 ** 20);
    // What was opened is read to its end, also if it has lost its name.
    expect(['later', 'read']).toContain((await look(once(() => happen(path)))).kind);
    writeFileSync(path, beginning(40));
    for (let again = 0; again < 3; again++) await look();
    const newest = library.list()[0]!;
    const source = openSource(library, newest.id);
    const whole = openLibrary(join(tempDir(), 'library'));
    const other = join(tempDir(), 'b.jsonl');
    writeFileSync(other, beginning(40));
    const follower = new Follower(whole, { everyMs: 60_000 });
    onTestFinished(() => follower.close());
    follower.follow([{ path: other, kind: 'file', since: SINCE }]);
    await follower.look();
    const expected = openSource(whole, whole.list()[0]!.id);
    expect(source.texts(0, source.length)).toEqual(expected.texts(0, expected.length));
  });
});

function replace(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

describe('a reading that is ended', () => {
  test.each([
    ['whose file leads in a circle', (path: string) => circle(path)],
    ['whose file is gone', (path: string) => rmSync(path)],
    ['whose file has grown', (path: string) => appendFileSync(path, `${LINES[10]}\n`)],
  ])('%s keeps what was read', async (_what, happen) => {
    const { library, path, file, look } = fileIn();
    writeFileSync(path, beginning(10));
    await look();
    expect(file.isAlive).toBe(true);
    happen(path);
    await file.rest();
    expect(library.list()).toMatchObject([{ state: 'ready' }]);
  });

  test('of a path that is followed no more', async () => {
    const dir = tempDir();
    const library = openLibrary(join(dir, 'library'));
    const follower = new Follower(library, { everyMs: 60_000 });
    const path = join(dir, 'a.jsonl');
    writeFileSync(path, beginning(10));
    follower.follow([{ path, kind: 'file', since: SINCE }]);
    await follower.look();
    circle(path);
    follower.follow([]);
    await follower.look();
    await follower.close();
    expect(library.list()).toMatchObject([{ state: 'ready' }]);
  });
});

function circle(path: string): void {
  rmSync(path);
  symlinkSync(path, path);
}

test('several who want a look at once share it', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const follower = new Follower(library, { everyMs: 60_000 });
  onTestFinished(() => follower.close());
  const path = join(dir, 'a.jsonl');
  writeFileSync(path, LONG);
  let [inside, most, rounds] = [0, 0, 0];
  const { look } = FollowedFile.prototype;
  FollowedFile.prototype.look = async function (this: FollowedFile, watch) {
    rounds++;
    most = Math.max(most, ++inside);
    try {
      return await look.call(this, watch);
    } finally {
      inside--;
    }
  };
  onTestFinished(() => {
    FollowedFile.prototype.look = look;
  });
  const early = follower.look();
  follower.follow([{ path, kind: 'file', since: SINCE }]);
  await Promise.all([early, follower.look(), follower.look(), follower.look()]);
  expect(most).toBe(1);
  expect(rounds).toBeLessThanOrEqual(4);
  expect(library.list()).toHaveLength(1);
});
