// Libraries as a crash, a bad disk, another program or a careless copy leaves them: data, one line each.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** A way to break the library in a folder. `reads`: what it holds can still be listed. `code`: of the refusal. */
export interface Damage {
  readonly name: string;
  readonly reads?: true;
  readonly code?: string;
  break(dir: string): void;
}

const FILE = 'library.sqlite';
const at = (dir: string): string => join(dir, FILE);

export const DAMAGES: readonly Damage[] = [
  ...Array.from({ length: 12 }, (_, seed) => ({
    name: `bytes flipped, ${seed + 1}`,
    break: (dir: string) => flip(at(dir), seed + 1),
  })),
  { name: 'the header is gone', code: 'store.not_a_library', break: (dir) => overwrite(at(dir), 0, Buffer.alloc(100)) },
  {
    name: 'the first page is gone',
    code: 'store.not_a_library',
    break: (dir) => overwrite(at(dir), 0, Buffer.alloc(8192)),
  },
  {
    name: 'a page size that is none',
    code: 'store.not_a_library',
    break: (dir) => overwrite(at(dir), 16, Buffer.from([0, 3])),
  },
  { name: 'all zeros', code: 'store.not_a_library', break: (dir) => writeFileSync(at(dir), Buffer.alloc(65_536)) },
  {
    name: 'a text file',
    code: 'store.not_a_library',
    break: (dir) => writeFileSync(at(dir), 'not a database\n'.repeat(99)),
  },
  { name: 'half of it', code: 'store.corrupt', break: (dir) => cut(at(dir), 0.5) },
  { name: 'a page short', code: 'store.corrupt', break: (dir) => truncateSync(at(dir), statSync(at(dir)).size - 8192) },
  { name: 'a byte short', code: 'store.corrupt', break: (dir) => truncateSync(at(dir), statSync(at(dir)).size - 1) },
  { name: 'its first 50 bytes', code: 'store.corrupt', break: (dir) => truncateSync(at(dir), 50) },
  { name: 'a newer schema', code: 'store.newer_version', break: (dir) => sql(dir, 'PRAGMA user_version = 9999') },
  { name: 'a negative schema', code: 'store.not_a_library', break: (dir) => sql(dir, 'PRAGMA user_version = -5') },
  {
    name: 'a schema number taken away',
    code: 'store.not_a_library',
    break: (dir) => sql(dir, 'PRAGMA user_version = 0'),
  },
  {
    name: 'a schema number of long ago',
    code: 'store.unopenable',
    break: (dir) => sql(dir, 'PRAGMA user_version = 1'),
  },
  { name: 'a table is gone', code: 'store.unopenable', break: (dir) => sql(dir, 'DROP TABLE message_pages') },
  {
    name: 'another program’s database',
    code: 'store.not_a_library',
    break(dir) {
      rmSync(at(dir));
      sql(dir, 'CREATE TABLE bookmarks (url TEXT)');
    },
  },
  {
    name: 'a folder in its place',
    code: 'store.unopenable',
    break(dir) {
      rmSync(at(dir));
      mkdirSync(at(dir));
    },
  },
  {
    name: 'a link to nothing',
    code: 'store.unopenable',
    break(dir) {
      rmSync(at(dir));
      symlinkSync(join(dir, 'elsewhere.sqlite'), at(dir));
    },
  },
  { name: 'a log of garbage', reads: true, break: (dir) => writeFileSync(`${at(dir)}-wal`, Buffer.alloc(9000, 7)) },
  {
    name: 'shared memory of garbage',
    reads: true,
    break: (dir) => writeFileSync(`${at(dir)}-shm`, Buffer.alloc(32_768, 9)),
  },
  { name: 'something behind its end', reads: true, break: (dir) => appendFileSync(at(dir), Buffer.alloc(5000, 3)) },
  { name: 'texts that are no JSON', reads: true, break: (dir) => sql(dir, "UPDATE contents SET text = '{\"role'") },
  {
    name: 'texts that are gone',
    reads: true,
    break: (dir) => sql(dir, 'PRAGMA foreign_keys = OFF; DELETE FROM contents'),
  },
  { name: 'facts that are no JSON', reads: true, break: (dir) => sql(dir, "UPDATE message_pages SET facts = '[['") },
  { name: 'facts of another shape', reads: true, break: (dir) => sql(dir, "UPDATE message_pages SET facts = '[{}]'") },
  {
    name: 'pages that are gone',
    reads: true,
    break: (dir) => sql(dir, 'PRAGMA foreign_keys = OFF; DELETE FROM message_pages'),
  },
  {
    name: 'nothing is said of transcripts',
    reads: true,
    break: (dir) => sql(dir, "UPDATE transcripts SET meta = '{}'"),
  },
  { name: 'an index of words without its blocks', reads: true, break: (dir) => sql(dir, 'DELETE FROM search_data') },
];

/** A copy of a library's file in a folder of its own. */
export function copyOf(dir: string, into: string): string {
  mkdirSync(into, { recursive: true });
  copyFileSync(at(dir), at(into));
  return into;
}

function sql(dir: string, script: string): void {
  const db = new Database(at(dir));
  db.unsafeMode(true);
  db.exec(script);
  db.close();
}

function overwrite(path: string, from: number, bytes: Uint8Array): void {
  const file = readFileSync(path);
  file.set(bytes, from);
  writeFileSync(path, file);
}

function cut(path: string, share: number): void {
  truncateSync(path, Math.floor(statSync(path).size * share));
}

/** Ninety bytes anywhere behind the header, the same for a seed. */
function flip(path: string, seed: number): void {
  const file = readFileSync(path);
  let state = seed * 2_654_435_761;
  for (let nth = 0; nth < 90; nth++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const place = 100 + (state % (file.length - 100));
    file[place] = (file[place] ?? 0) ^ (1 << (nth % 8));
  }
  writeFileSync(path, file);
}
