// npm run kills [-- --count 200 --seed 1 FILE-OR-FOLDER…]   Kills `parallax import` (SIGKILL) in the middle of its work,
// again and again, until the import is done, and then begins another library. After each kill: the database is whole, and
// what anybody could see is still there. In the end each library is what an undisturbed import makes: the same transcripts
// by id, with the same messages, bytes and texts. Only kills of an import that was not done yet count. Exit code 1 if any
// of that fails. Without files it makes its own: sessions of several sizes, one of them with images.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { Library } from '../core/store/index.ts';
import { seededRng } from '../core/util/rng.ts';
import { imageMessage, sessionLines } from './store/support.ts';
import { writeClaudeCodeFile } from './support/generate.ts';

const MAIN = join(import.meta.dirname, '..', 'cli', 'main.ts');
const LOOK_MS = 15;

interface Options {
  readonly count: number;
  readonly seed: number;
}

/** What a library holds, by transcript id. */
type Content = ReadonlyMap<string, { readonly messages: number; readonly bytes: string; readonly texts: string }>;

const program = new Command('kills')
  .argument('[paths...]', 'files and folders to import')
  .option('--count <n>', 'how many kills', count, 200)
  .option('--seed <n>', 'of the moments', count, 1)
  .parse();
const options = program.opts<Options>();
const work = mkdtempSync(join(tmpdir(), 'parallax-kills-'));
const rng = seededRng(options.seed);
const totals = { kills: 0, libraries: 0, lost: 0, damaged: 0, different: 0, transcripts: 0, messages: 0 };
const startedAt = performance.now();
try {
  await run(program.args.length > 0 ? program.args.map((path) => resolve(path)) : ownFiles());
} finally {
  rmSync(work, { recursive: true, force: true });
}
const { kills, libraries, lost, damaged, different, transcripts, messages } = totals;
console.log(
  `${kills} kills of imports at work, ${libraries} libraries of ${transcripts} transcripts, ${messages} messages: ` +
    `${lost} lost, ${damaged} not whole, ${different} other than undisturbed, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
);
process.exitCode = lost + damaged + different > 0 ? 1 : 0;

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

async function run(paths: readonly string[]): Promise<void> {
  const reference = await undisturbed(paths);
  totals.transcripts = reference.size;
  totals.messages = [...reference.values()].reduce((sum, one) => sum + one.messages, 0);
  while (totals.kills < options.count) {
    const dir = join(work, `library-${totals.libraries++}`);
    while (totals.kills < options.count) {
      const seen = await importAndKill(dir, paths);
      if (seen === null) break;
      totals.kills++;
      checkKilled(dir, seen);
      if (totals.kills % 20 === 0) console.log(`${totals.kills} kills, library ${totals.libraries}`);
    }
    await once(start(dir, paths), 'exit');
    compare(dir, reference);
    rmSync(dir, { recursive: true });
  }
}

async function undisturbed(paths: readonly string[]): Promise<Content> {
  const dir = join(work, 'reference');
  await once(start(dir, paths), 'exit');
  const library = opened(dir);
  const content = contentOf(library);
  library.close();
  if (content.size === 0) throw new Error('there is no transcript in what was given');
  return content;
}

function start(dir: string, paths: readonly string[]): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', MAIN, 'import', '--library', dir, '--json', ...paths];
  return spawn(process.execPath, args, { stdio: 'ignore' });
}

/** Messages by transcript as another process saw them just before the kill; null = the import was done before. */
async function importAndKill(dir: string, paths: readonly string[]): Promise<ReadonlyMap<string, number> | null> {
  const child = start(dir, paths);
  const exited = once(child, 'exit');
  const before = sumOf(seenIn(dir));
  let seen = before.seen;
  // Once it has got on, it is killed at any moment of the next few batches.
  while (child.exitCode === null) {
    const now = sumOf(seenIn(dir));
    if (now.sum > before.sum) {
      await setTimeout(rng.below(rng.chance(0.3) ? 400 : 60));
      seen = seenIn(dir) ?? now.seen;
      break;
    }
    await Promise.race([exited, setTimeout(LOOK_MS)]);
  }
  const isDone = child.exitCode !== null;
  child.kill('SIGKILL');
  await exited;
  return isDone ? null : seen;
}

function seenIn(dir: string): ReadonlyMap<string, number> | null {
  const library = Library.open(dir, { readonly: true });
  if (!library.ok) return null;
  const seen = new Map(library.value.list().map(({ id, counts }) => [id, counts.messages]));
  library.value.close();
  return seen;
}

function sumOf(seen: ReadonlyMap<string, number> | null) {
  const messages = [...(seen?.values() ?? [])];
  return { seen: seen ?? new Map<string, number>(), sum: messages.reduce((all, one) => all + one + 1, 0) };
}

function opened(dir: string): Library {
  const library = Library.open(dir);
  if (!library.ok) throw new Error(`${library.error.code}: ${library.error.text}`);
  return library.value;
}

function checkKilled(dir: string, seen: ReadonlyMap<string, number>): void {
  const library = opened(dir);
  const { db } = library.tables;
  const isWhole =
    db.pragma('integrity_check', { simple: true }) === 'ok' &&
    (db.pragma('foreign_key_check') as unknown[]).length === 0;
  if (!isWhole) tell('damaged', 'not whole');
  for (const [id, messages] of seen) {
    const now = library.get(id)?.counts.messages ?? -1;
    if (now < messages) tell('lost', `${id} had ${messages} messages, and has ${now}`);
  }
  library.close();
}

function compare(dir: string, reference: Content): void {
  const library = opened(dir);
  const content = contentOf(library);
  library.close();
  for (const [id, one] of reference) {
    const found = content.get(id);
    if (found === undefined) tell('lost', `${id} is not there`);
    else if (JSON.stringify(found) !== JSON.stringify(one)) tell('different', `${id} is not the same`);
  }
  for (const id of content.keys()) if (!reference.has(id)) tell('different', `${id} is there, and should not be`);
}

function contentOf(library: Library): Content {
  return new Map(
    library.list().map(({ id }) => {
      const source = library.source(id);
      const length = source?.length ?? 0;
      const texts = createHash('sha256');
      for (let index = 0; index < length; index++)
        texts.update(`${source?.text(index).length}\n${source?.text(index)}`);
      const bytes = createHash('sha256').update(library.fileBytes(id) ?? '');
      return [id, { messages: length, bytes: bytes.digest('hex'), texts: texts.digest('hex') }];
    }),
  );
}

function tell(what: 'lost' | 'damaged' | 'different', text: string): void {
  totals[what]++;
  console.log(`${what.toUpperCase()} kill ${totals.kills}, library ${totals.libraries}: ${text}`);
}

function ownFiles(): readonly string[] {
  const folder = join(work, 'files');
  mkdirSync(folder);
  for (let seed = 1; seed <= 8; seed++) {
    writeClaudeCodeFile(join(folder, `session-${seed}.jsonl`), { messages: seed * 700, seed, signed: 0.1 });
  }
  const pictures = Array.from({ length: 900 }, (_, i) =>
    i % 9 === 0 ? imageMessage(`image ${i}`) : { role: 'user', content: `${i} ${'some text '.repeat(200)}` },
  );
  writeFileSync(join(folder, 'pictures.jsonl'), `${sessionLines(pictures).join('\n')}\n`);
  return [folder];
}
