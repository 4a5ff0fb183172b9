import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { Library } from '../../core/store/index.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../core/store/migrations/index.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';

/** Everything SQLite knows of a library's shape, as text. */
function schemaOf(dir: string): string {
  const db = new Database(join(dir, 'library.sqlite'), { readonly: true });
  const rows = db
    .prepare<[], string>('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name')
    .pluck();
  const text = [`user_version ${String(db.pragma('user_version', { simple: true }))}`, ...rows.all()].join(';\n\n');
  db.close();
  return `${text};\n`;
}

/** A library as version `version` of the program left it. */
function libraryOfVersion(version: number): string {
  const dir = tempDir();
  const db = new Database(join(dir, 'library.sqlite'));
  for (const sql of MIGRATIONS.slice(0, version)) db.exec(sql);
  db.pragma(`user_version = ${version}`);
  db.close();
  return dir;
}

function fingerprints(dir: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dir).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    ]),
  );
}

test('the schema is the one agreed on', async () => {
  const dir = tempDir();
  openLibrary(dir);
  await expect(schemaOf(dir)).toMatchFileSnapshot('schema.snapshot');
});

describe('migrations', () => {
  test.each(Array.from({ length: SCHEMA_VERSION + 1 }, (_, version) => version))('from version %i', (version) => {
    const dir = libraryOfVersion(version);
    const library = openLibrary(dir);
    expect(library.list()).toEqual([]);
    const fresh = tempDir();
    openLibrary(fresh);
    expect(schemaOf(dir)).toBe(schemaOf(fresh));
  });

  test('keep what is there', () => {
    const dir = tempDir();
    const first = Library.open(dir);
    if (!first.ok) throw new Error(first.error.text);
    first.value.setSetting('theme', { name: 'dark' });
    first.value.close();
    expect(openLibrary(dir).settings()).toEqual({ theme: { name: 'dark' } });
  });
});

describe('a library that cannot be used', () => {
  test('of a newer version is refused and left as it is', () => {
    const dir = libraryOfVersion(SCHEMA_VERSION);
    const db = new Database(join(dir, 'library.sqlite'));
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    const before = fingerprints(dir);
    expect(Library.open(dir)).toMatchObject({ ok: false, error: { code: 'store.newer_version' } });
    expect(fingerprints(dir)).toEqual(before);
  });

  test('of an older version is not opened read-only', () => {
    const opened = Library.open(libraryOfVersion(0), { readonly: true });
    expect(opened).toMatchObject({ ok: false, error: { code: 'store.older_version' } });
  });

  test('that is not there is not made by reading', () => {
    const dir = tempDir();
    expect(Library.open(dir, { readonly: true })).toMatchObject({ ok: false, error: { code: 'store.missing' } });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('that is no database says so', () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'library.sqlite'), 'this is no database, however long it may be'.repeat(50));
    expect(Library.open(dir)).toMatchObject({ ok: false, error: { code: 'store.not_a_library' } });
  });
});
