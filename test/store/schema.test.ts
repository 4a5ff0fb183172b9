import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { Library } from '../../core/store/index.ts';
import { schemaDigest } from '../../core/store/lazyStatements.ts';
import { MIGRATIONS, SCHEMA_DIGEST, SCHEMA_VERSION } from '../../core/store/migrations/index.ts';
import { Tables } from '../../core/store/tables.ts';
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

describe('statements', () => {
  const digestOf = (dir: string): string => {
    const db = new Database(join(dir, 'library.sqlite'), { readonly: true });
    const digest = schemaDigest(db);
    db.close();
    return digest;
  };

  test('are compiled when they are first run: the schema is the one whose digest is written down', () => {
    const dir = tempDir();
    openLibrary(dir);
    expect(digestOf(dir)).toBe(SCHEMA_DIGEST);
    // One that cannot be compiled is made all the same.
    const { db } = openLibrary(dir).tables;
    const wrong = db.prepare('SELECT 1 FROM nowhere');
    expect(() => wrong.get()).toThrow('no such table: nowhere');
  });

  test.each(['DROP TABLE message_pages', 'ALTER TABLE transcripts DROP COLUMN request'])(
    'are all compiled at once where the schema is another: %s',
    (sql) => {
      const dir = tempDir();
      openLibrary(dir).close();
      const db = new Database(join(dir, 'library.sqlite'));
      db.exec(sql);
      db.close();
      expect(Library.open(dir)).toMatchObject({ ok: false, error: { code: 'store.unopenable' } });
    },
  );

  test('all can be compiled', () => {
    const dir = tempDir();
    openLibrary(dir).close();
    const db = new Database(join(dir, 'library.sqlite'));
    try {
      expect(() => new Tables(db)).not.toThrow();
    } finally {
      db.close();
    }
  });

  test('give what they give, plucked or not, run once or again', () => {
    const { db } = openLibrary(tempDir()).tables;
    const one = db.prepare<[number], { n: number }>('SELECT ? AS n');
    const plucked = db.prepare<[number], number>('SELECT ? AS n').pluck();
    const raw = db.prepare<[number], { n: number }>('SELECT ? AS n').raw();
    for (let again = 0; again < 2; again++) {
      expect([one.get(7), one.all(7), [...one.iterate(7)]]).toEqual([{ n: 7 }, [{ n: 7 }], [{ n: 7 }]]);
      expect([plucked.get(7), plucked.all(7), raw.all(7)]).toEqual([7, [7], [[7]]]);
    }
    expect(one.raw().get(7)).toEqual([7]);
  });
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
