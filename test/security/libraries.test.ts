// Damaged and strange libraries: whatever the file is, each call is answered in time, and what it says is the library's
// state; never a stack, a crash or an endless job.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../../core/engine/inProcess.ts';
import { runImport } from '../../core/engine/jobs/index.ts';
import { type EngineClient, EngineError } from '../../core/protocol/client.ts';
import { sampleSession } from '../../core/sample/index.ts';
import { Library } from '../../core/store/index.ts';
import { copyOf, DAMAGES, type Damage } from './damagedLibraries.ts';
import { runHere } from './support.ts';
import { fullDisk, mountedReadOnly, type Place, withoutRights } from './unwritable.ts';

let root: string;
let whole: string;
let id: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'parallax-libraries-'));
  whole = join(root, 'whole');
  const opened = Library.open(whole);
  if (!opened.ok) throw new Error(opened.error.text);
  writeFileSync(join(root, 'sample.jsonl'), sampleSession());
  const { transcripts } = await runImport(opened.value, join(root, 'sample.jsonl'));
  id = transcripts[0]?.id ?? '';
  while (opened.value.upkeepStep());
  while (opened.value.indexStep());
  opened.value.close();
});

const counts = { libraries: 0, answers: 0, commands: 0 };
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  console.log(
    `libraries: ${counts.libraries} of ${DAMAGES.length} contained, ${counts.answers} calls answered, ${counts.commands} commands`,
  );
});

const PATIENCE_MS = 20_000;

/** What people do with a library, and what a page asks for at its start. */
const CALLS: Readonly<Record<string, (engine: EngineClient) => Promise<unknown>>> = {
  list: (engine) => engine.call('library.list', {}),
  settings: (engine) => engine.call('settings.get', {}),
  open: (engine) => engine.call('transcript.open', { id }),
  project: (engine) => engine.call('projection.set', { id, spec: 'reachability_gc', at: null, hash: 'none' }),
  search: (engine) => engine.call('library.search', { query: 'port', sort: 'relevance', limit: 10 }),
  tag: (engine) => engine.call('tags.apply', { ids: [id], add: ['a'], remove: [] }),
  storage: (engine) => engine.call('storage.get', {}),
};

async function answerOf(call: Promise<unknown>): Promise<EngineError | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

describe('a damaged library answers', () => {
  test.each(DAMAGES.map((damage) => [damage.name, damage] as const))(
    '%s',
    { timeout: PATIENCE_MS },
    async (_, damage) => {
      const dir = copyOf(whole, join(root, damage.name));
      damage.break(dir);
      const opened = openEngine(dir, { inline: true });
      if (!opened.ok) {
        expect(opened.error.code).toMatch(/^store\./);
        expect(opened.error.text).not.toMatch(/\n {4}at /);
        if (damage.code) expect(opened.error.code).toBe(damage.code);
        counts.libraries++;
        return;
      }
      expect(damage.code, 'it opened').toBeUndefined();
      const client = opened.value.connect();
      for (const [name, call] of Object.entries(CALLS)) {
        const error = await answerOf(call(client));
        const told = error === null ? 'answered' : `${error.code}: ${error.data.cause ?? error.message}`;
        expect(error?.expected ?? true, `${name}: ${told}`).toBe(true);
        counts.answers++;
      }
      if (damage.reads) expect((await client.call('library.list', {})).transcripts).toHaveLength(1);
      await opened.value.dispose();
      counts.libraries++;
    },
  );
});

// Every command on every library: too long for every day. `npm run attacks` does it.
describe.runIf(import.meta.env.MODE === 'attacks')(
  'every command ends in time, and not as a fault of the program',
  () => {
    const COMMANDS = [['ls'], ['search', 'port'], ['tag', 'x', '--add', 'y'], ['export', 'x', '--thread', 'jido']];
    test.each(DAMAGES.map((damage) => [damage.name, damage] as const))('%s', async (_, damage) => {
      for (const command of COMMANDS) {
        const dir = copyOf(whole, join(root, `${command[0]} ${damage.name}`));
        damage.break(dir);
        const run = await runHere([...command, '--library', dir]);
        expect([0, 1, 3], `${command[0]}: ${run.stderr}`).toContain(run.code);
        counts.commands++;
      }
    });
  },
);

// One of each code; the others differ in what the engine says, which is looked at above.
const refused = [...Map.groupBy(DAMAGES, ({ code }) => code)].flatMap(([code, [first]]) =>
  code === undefined || first === undefined ? [] : [first],
);

describe('the command line says why, in one line, and ends as for unreadable input', () => {
  test.each(refused.map((damage) => [damage.name, damage] as const))('%s', async (_, damage: Damage) => {
    const dir = copyOf(whole, join(root, `cli ${damage.name}`));
    damage.break(dir);
    const run = await runHere(['ls', '--library', dir]);
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(run.stderr).not.toMatch(/fault of Parallax|Error:/);
  });

  test('search ends with the reason where the text cannot be made searchable', { timeout: PATIENCE_MS }, async () => {
    const dir = copyOf(whole, join(root, 'search'));
    const db = new Database(join(dir, 'library.sqlite'));
    db.exec(
      "DELETE FROM search_pages; INSERT OR IGNORE INTO search_todo (page_id) SELECT id FROM message_pages; UPDATE message_pages SET facts = '[['",
    );
    db.close();
    const run = await runHere(['search', 'port', '--library', dir]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('the text cannot be made searchable: The library file is damaged');
  });

  test('a lock that another process keeps is said to be one', { timeout: PATIENCE_MS }, async () => {
    const dir = copyOf(whole, join(root, 'locked'));
    const other = new Database(join(dir, 'library.sqlite'));
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    const run = await runHere(['ls', '--library', dir]);
    other.exec('ROLLBACK');
    other.close();
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain('Another process keeps the library locked');
  });
});

describe('where nothing can be written, a library is read, and what would write says why not', () => {
  test('a folder without the right to write', async ({ skip }) => {
    const place = withoutRights(copyOf(whole, join(root, 'no right')), ['library.sqlite']);
    if (place === null) return skip('this user may write everywhere');
    await readsAndRefuses(place, 'you may not write there');
  });

  test('a disk that is mounted read-only', async ({ skip }) => {
    const place = mountedReadOnly(copyOf(whole, join(root, 'read-only')));
    if (place === null) return skip('this user may not mount');
    await readsAndRefuses(place, 'its disk is mounted read-only');
  });

  test('a full disk', async ({ skip }) => {
    const place = fullDisk(join(root, 'full'), (dir) => copyOf(whole, dir));
    if (place === null) return skip('this user may not mount');
    await readsAndRefuses(place, 'is full');
  });
});

/** All that only reads works as ever; each edit is refused with the reason; the file stays as it was. */
async function readsAndRefuses({ dir, undo }: Place, why: string): Promise<void> {
  const library = ['--library', dir];
  const before = readFileSync(join(dir, 'library.sqlite'));
  try {
    expect(await runHere(['ls', ...library])).toMatchObject({ code: 0, stderr: '' });
    expect(await runHere(['search', 'port', ...library])).toMatchObject({ code: 0 });
    expect((await runHere(['export', id, '--thread', 'jido', ...library])).stdout).toContain('"entries"');
    for (const edit of [
      ['tag', id, '--add', 'x'],
      ['import', join(root, 'sample.jsonl')],
      ['rm', id],
    ]) {
      const run = await runHere([...edit, ...library]);
      expect(run).toMatchObject({ code: 3, stdout: '' });
      expect(run.stderr).toContain(why);
      expect(run.stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(readFileSync(join(dir, 'library.sqlite')).equals(before)).toBe(true);
  } finally {
    undo();
  }
}
