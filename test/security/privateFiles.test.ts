import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOwnFolder } from '../../core/engine/compileCache.ts';
import { repairSessionFile } from '../../core/engine/files/repairSessionFile.ts';
import { Library } from '../../core/store/index.ts';

const isPosix = process.getuid !== undefined;
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parallax-private-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (...path: readonly string[]): string => (statSync(join(root, ...path)).mode & 0o777).toString(8);

function opened(dir: string): Library {
  const library = Library.open(dir);
  if (!library.ok) throw new Error(library.error.text);
  return library.value;
}

describe.skipIf(!isPosix)('a library is private to its user', () => {
  it('from the start: folder, file, journals', () => {
    const library = opened(join(root, 'new', 'library'));
    library.setSetting('a', 1);
    expect(modeOf('new', 'library')).toBe('700');
    for (const name of ['library.sqlite', 'library.sqlite-wal', 'library.sqlite-shm']) {
      expect([name, modeOf('new', 'library', name)]).toEqual([name, '600']);
    }
    library.close();
  });

  it('when an earlier version left it open to others', () => {
    const dir = join(root, 'old');
    opened(dir).close();
    for (const name of ['exports', 'uploads', 'sample']) mkdirSync(join(dir, name), { mode: 0o755 });
    for (const name of ['exports', 'uploads', 'sample']) chmodSync(join(dir, name), 0o755);
    chmodSync(join(dir, 'library.sqlite'), 0o644);
    chmodSync(dir, 0o755);
    opened(dir).close();
    expect(modeOf('old')).toBe('700');
    expect(modeOf('old', 'library.sqlite')).toBe('600');
    expect(['exports', 'uploads', 'sample'].map((name) => modeOf('old', name))).toEqual(['700', '700', '700']);
  });

  it('in a folder that is not the library’s alone: the folder stays as it is, the files are closed', () => {
    const dir = join(root, 'shared');
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    writeFileSync(join(dir, 'notes.txt'), '');
    opened(dir).close();
    expect(modeOf('shared')).toBe('755');
    expect(modeOf('shared', 'library.sqlite')).toBe('600');
  });

  it('a link in its place is not followed to change what it leads to', () => {
    const dir = join(root, 'linked');
    mkdirSync(join(root, 'elsewhere'));
    chmodSync(join(root, 'elsewhere'), 0o755);
    mkdirSync(dir);
    symlinkSync(join(root, 'elsewhere'), join(dir, 'exports'));
    opened(dir).close();
    expect(modeOf('elsewhere')).toBe('755');
  });
});

describe.skipIf(!isPosix)('the folder for compiled code', () => {
  it('is made for its user alone, and closed where others could read it', () => {
    const folder = join(root, 'cache', 'compile');
    expect(makeOwnFolder(folder)).toBe(true);
    expect(modeOf('cache', 'compile')).toBe('700');
    chmodSync(folder, 0o755);
    expect(makeOwnFolder(folder)).toBe(true);
    expect(modeOf('cache', 'compile')).toBe('700');
  });

  it('is refused where somebody else can write: in it, or above it', () => {
    const open = join(root, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(makeOwnFolder(open)).toBe(false);
    expect(makeOwnFolder(join(open, 'compile'))).toBe(false);
    chmodSync(open, 0o1777); // as the shared folder for temporary files: nobody moves what is another's
    expect(makeOwnFolder(join(open, 'compile'))).toBe(true);
  });

  it('is refused where it is a link or a file', () => {
    symlinkSync(join(root, 'cache'), join(root, 'link'));
    writeFileSync(join(root, 'file'), '');
    expect(makeOwnFolder(join(root, 'link'))).toBe(false);
    expect(makeOwnFolder(join(root, 'file'))).toBe(false);
    expect(makeOwnFolder(join(root, 'file', 'compile'))).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)('is refused where another user made it', async () => {
    const { chownSync } = await import('node:fs');
    const folder = join(root, 'theirs');
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 65_534, 65_534);
    expect(makeOwnFolder(folder)).toBe(false);
    expect(makeOwnFolder(join(folder, 'compile'))).toBe(false);
  });
});

describe.skipIf(!isPosix)('a file of the user’s own', () => {
  it('keeps its mode when it is repaired, and so does the copy', async () => {
    const file = join(root, 'session.jsonl');
    writeFileSync(file, '{"type":"session","id":"a"}\n{broken\n');
    chmodSync(file, 0o644);
    const before = process.umask(0o077);
    const repaired = await repairSessionFile(file, { now: () => 1, pid: 2 });
    process.umask(before);
    expect(repaired.repaired).toBe(true);
    expect(modeOf('session.jsonl')).toBe('644');
    expect(existsSync(`${file}.bak-2-1`) && modeOf('session.jsonl.bak-2-1')).toBe('644');
  });
});
