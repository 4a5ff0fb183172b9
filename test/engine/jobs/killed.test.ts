// Killed (SIGKILL) at seeded moments of imports and follows, again and again on the same library: it stays whole, what
// was told is there, nothing is there twice, and in the end it is what an undisturbed import makes. PARALLAX_KILLS = how
// many kills; 100 are the proof, a few run always.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openEngine } from '../../../core/engine/inProcess.ts';
import { inlineRunner, resumeUnfinished, runImport } from '../../../core/engine/jobs/index.ts';
import { Library } from '../../../core/store/index.ts';
import { type Rng, seededRng } from '../../../core/util/rng.ts';
import { imageMessage, sessionLines } from '../../store/support.ts';
import { bundleOf } from '../../support/bundles.ts';
import { libraryContent, tableCounts } from '../../support/libraryContent.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const KILLS = Number(process.env.PARALLAX_KILLS ?? 8);

/** Two transcripts in turn, with images, about 8 MB: some eight batches. */
function longSession(): Buffer {
  const message = (i: number) =>
    i % 50 === 0 ? imageMessage(`image ${i}`) : { role: 'user', content: `${i} ${'some text '.repeat(200)}` };
  const main = sessionLines(Array.from({ length: 2400 }, (_, i) => message(i)));
  const agent = sessionLines(
    Array.from({ length: 1200 }, (_, i) => message(i * 2 + 1)),
    'agent1',
  );
  const lines = main.flatMap((line, i) => (i % 2 === 0 ? [line, agent[i / 2]!] : [line]));
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** What a process said before it was killed. */
interface Said {
  batches: number;
  /** Messages by transcript key. */
  readonly has: Map<string, number>;
}

function start(
  script: string,
  ...args: readonly string[]
): { child: ChildProcess; said: Said; heard(): Promise<void> } {
  const child = spawn(process.execPath, [bundleOf(`test/engine/jobs/${script}`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: Said = { batches: 0, has: new Map() };
  let held = '';
  let next = Promise.withResolvers<void>();
  const tell = () => {
    next.resolve();
    next = Promise.withResolvers();
  };
  // Listened to until the end: to a closed pipe the process would not be able to speak, and would die of that.
  child.stdout?.on('data', (chunk) => {
    const lines = `${held}${String(chunk)}`.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const [, key, count] = /^has (\S+) (\d+)$/.exec(line) ?? [];
      if (key !== undefined) said.has.set(key, Number(count));
      if (line === 'batch') said.batches++;
    }
    tell();
  });
  child.stdout?.on('end', tell);
  return { child, said, heard: () => next.promise };
}

/** Kills a process that imports, some milliseconds after its nth batch; what it had said by then. */
async function importAndKill(dir: string, path: string, batches: number, milliseconds: number): Promise<Said> {
  const { child, said, heard } = start('importChild.ts', dir, path);
  const exited = once(child, 'exit');
  while (said.batches < batches && child.exitCode === null) await Promise.race([heard(), exited]);
  await setTimeout(milliseconds);
  child.kill('SIGKILL');
  await exited;
  return said;
}

/** Kills a process that imports just after its nth batch. */
async function killAfter(dir: string, path: string, batches: number): Promise<void> {
  const { child, said, heard } = start('importChild.ts', dir, path, String(batches));
  const exited = once(child, 'exit');
  while (said.batches < batches && child.exitCode === null) await Promise.race([heard(), exited]);
  child.kill('SIGKILL');
  await exited;
}

/** Lets a process follow the file while it grows by `pieces`, and kills it some milliseconds later. */
async function followAndKill(
  dir: string,
  path: string,
  pieces: readonly Buffer[],
  { rng, milliseconds }: { readonly rng: Rng; readonly milliseconds: number },
): Promise<Said> {
  const { child, said, heard } = start('followChild.ts', dir, path);
  const exited = once(child, 'exit');
  if (pieces.length > 0) await Promise.race([heard(), exited, setTimeout(3_000)]);
  for (const piece of pieces) {
    appendFileSync(path, piece);
    await setTimeout(rng.below(12));
  }
  await setTimeout(milliseconds);
  child.kill('SIGKILL');
  await exited;
  return said;
}

function textsOf(library: Library, key: string): readonly string[] {
  const row = library.list().find((one) => one.key === key);
  const source = row === undefined ? null : library.source(row.id);
  return source === null ? [] : source.texts(0, source.length);
}

/** Whole, nothing lost of what was told, nothing twice: a beginning of what is to come. */
function checkKilled(dir: string, said: Said, expected: ReadonlyMap<string, readonly string[]>, replay: string): void {
  const opened = Library.open(dir);
  if (!opened.ok) throw new Error(`${replay}: ${opened.error.text}`);
  const library = opened.value;
  expect(library.tables.db.pragma('integrity_check', { simple: true }), replay).toBe('ok');
  expect(library.tables.db.pragma('foreign_key_check'), replay).toEqual([]);
  for (const [key, texts] of expected) {
    const found = textsOf(library, key);
    expect(found.length, `${replay}: ${key}`).toBeGreaterThanOrEqual(said.has.get(key) ?? 0);
    expect(found, `${replay}: ${key}`).toEqual(texts.slice(0, found.length));
  }
  library.close();
}

test(`${KILLS} kills of imports and follows`, { timeout: 60_000 + KILLS * 30_000 }, async () => {
  const dir = tempDir();
  const bytes = longSession();
  const path = join(dir, 'long.jsonl');
  writeFileSync(path, bytes);
  const reference = openLibrary(join(dir, 'reference'));
  await runImport(reference, path);
  const expected = new Map(reference.list().map(({ key }) => [key, textsOf(reference, key)]));
  const rng = seededRng(42);
  const figures = { killed: 0, unfinished: 0, told: 0, libraries: 0 };
  while (figures.killed < KILLS) {
    const folder = join(dir, `killed-${figures.libraries++}`);
    // A library is killed up to four times before it may finish; the file grows under those who follow it.
    let at = rng.chance(0.5) ? bytes.length : rng.below(bytes.length);
    writeFileSync(path, bytes.subarray(0, at));
    const times = Math.min(KILLS - figures.killed, 1 + rng.below(4));
    for (let time = 0; time < times; time++) {
      const isFollow = rng.chance(0.6);
      const milliseconds = rng.below(60);
      const replay = `kill ${figures.killed}, library ${figures.libraries - 1}: ${isFollow ? 'follow' : 'import'} at byte ${at}`;
      let said: Said;
      if (isFollow) {
        const pieces: Buffer[] = [];
        for (let many = rng.below(30); many > 0 && at < bytes.length; many--) {
          const size = 1 + rng.below(rng.chance(0.2) ? 400_000 : 8_000);
          pieces.push(bytes.subarray(at, at + size));
          at = Math.min(bytes.length, at + size);
        }
        said = await followAndKill(folder, path, pieces, { rng, milliseconds: milliseconds * 6 });
      } else {
        said = await importAndKill(folder, path, rng.below(5), milliseconds);
      }
      checkKilled(folder, said, expected, replay);
      figures.killed++;
      figures.told += [...said.has.values()].reduce((sum, count) => sum + count, 0);
    }
    const library = openLibrary(folder);
    figures.unfinished += library.unfinished().length;
    if (rng.chance(0.5)) await resumeUnfinished(library, inlineRunner(library));
    writeFileSync(path, bytes);
    await runImport(library, path);
    const replay = `library ${figures.libraries - 1}, after kill ${figures.killed - 1}`;
    expect(library.unfinished(), replay).toEqual([]);
    expect(libraryContent(library), replay).toEqual(libraryContent(reference));
    expect(tableCounts(library), replay).toEqual(tableCounts(reference));
    library.close();
    rmSync(folder, { recursive: true });
  }
  console.log(`kills: ${JSON.stringify(figures)}`);
  expect(figures.told).toBeGreaterThan(0);
  // Of a few kills none may hit an import.
  if (KILLS >= 100) expect(figures.unfinished).toBeGreaterThan(0);
});

test('an import whose file is gone is ended, and what it brought can be read', async () => {
  const dir = tempDir();
  const path = join(dir, 'long.jsonl');
  writeFileSync(path, longSession());
  const library = openLibrary(join(dir, 'library'));
  await killAfter(library.dir, path, 2);
  expect(library.unfinished()).toMatchObject([{ path }]);
  rmSync(path);
  await resumeUnfinished(library, inlineRunner(library));
  expect(library.unfinished()).toEqual([]);
  const rows = library.list();
  expect(rows.map(({ state, failure }) => [state, failure?.code])).toEqual(
    rows.map(() => ['failed', 'import.interrupted']),
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { key, counts } of rows) expect(textsOf(library, key)).toHaveLength(counts.messages);
  writeFileSync(path, longSession());
  expect((await runImport(library, path)).transcripts).toMatchObject([{ messages: 2400 }, { messages: 1200 }]);
  expect(library.list().map(({ state }) => state)).toEqual(['ready', 'ready']);
});

test('what an import left is not looked at once the engine has ended', async () => {
  const dir = tempDir();
  const path = join(dir, 'long.jsonl');
  writeFileSync(path, longSession());
  const library = openLibrary(join(dir, 'library'));
  await killAfter(library.dir, path, 1);
  rmSync(path);
  const opened = openEngine(library.dir, { inline: true });
  if (!opened.ok) throw new Error(opened.error.text);
  await opened.value.dispose();
  // Whoever asked the disk later has heard of it by now.
  await access(path).catch(() => undefined);
  expect(library.unfinished()).toMatchObject([{ path }]);
});

test('an interrupted import goes on where it was, and reads nothing twice into the library', async () => {
  const dir = tempDir();
  const path = join(dir, 'long.jsonl');
  writeFileSync(path, longSession());
  const library = openLibrary(join(dir, 'library'));
  await killAfter(library.dir, path, 3);
  const before = new Map(library.list().map(({ id, counts }) => [id, counts.messages]));
  expect(before.size).toBe(2);
  const seen: number[] = [];
  const onProgress = ({ transcriptIds }: { readonly transcriptIds: readonly string[] }) => {
    for (const id of transcriptIds) seen.push((library.get(id)?.counts.messages ?? 0) - (before.get(id) ?? 0));
  };
  await runImport(library, path, { onProgress });
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
  expect(library.list().map(({ counts }) => counts.messages)).toEqual([1200, 2400]);
});
