// What may happen to a library that is not a fault of the program: the disk, the rights, another process, damage.
import type { Problem } from '../../model/problem.ts';

type StoreProblemText = Pick<Problem, 'code' | 'text'>;

/** What is stored cannot be what was stored: bytes of the file changed. Said instead of any error such bytes lead to. */
export class DamagedContentError extends Error {
  override readonly name = 'DamagedContentError';
}

/** A JSON value that this library wrote. Throws DamagedContentError if it is not one any more. */
export function readStored<T>(json: string): T {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DamagedContentError('something it keeps as JSON is no longer JSON');
  }
}

/** By SQLite's result code, or the beginning of an extended one, and by the system's. */
const PROBLEM_TEXTS: readonly (readonly [code: string, entry: StoreProblemText])[] = [
  entry('SQLITE_FULL', 'store.disk_full', 'The disk is full: nothing was changed. Make room and try again.'),
  entry('ENOSPC', 'store.disk_full', 'The disk is full: nothing was changed. Make room and try again.'),
  entry('SQLITE_READONLY', 'store.readonly', 'The library can only be read: nothing was changed.'),
  entry('EROFS', 'store.readonly', 'The library can only be read, its disk is mounted read-only: nothing was changed.'),
  entry('SQLITE_BUSY', 'store.busy', 'Another process keeps the library locked. Try again when it is done.'),
  entry('SQLITE_LOCKED', 'store.busy', 'Another process keeps the library locked. Try again when it is done.'),
  entry(
    'SQLITE_CORRUPT',
    'store.corrupt',
    'The library file is damaged. What is whole can be read; put the file aside and import the transcripts again.',
  ),
  entry(
    'SQLITE_NOTADB',
    'store.not_a_library',
    'The library file is not a database: its beginning was overwritten, or it is another file. It was left untouched.',
  ),
  entry('SQLITE_IOERR', 'store.disk_error', 'The disk reported an error. Check the disk, and that it has room.'),
  entry('SQLITE_CANTOPEN', 'store.unopenable', 'The library file cannot be opened. Check the rights of its folder.'),
  entry('EACCES', 'store.forbidden', 'You may not open the library. Check the rights of its folder.'),
  entry('EPERM', 'store.forbidden', 'You may not open the library. Check the rights of its folder.'),
  entry('ENOTDIR', 'store.unopenable', 'A file is in the way where the library’s folder should be.'),
  entry('EEXIST', 'store.unopenable', 'A file is in the way where the library’s folder should be.'),
];

function entry(sqlite: string, code: string, text: string): readonly [string, StoreProblemText] {
  return [sqlite, { code, text }];
}

/** What an error says about the library, for people; null for any error that is not of its file or disk. */
export function storeProblem(error: unknown): StoreProblemText | null {
  if (error instanceof DamagedContentError) {
    return { code: 'store.corrupt', text: `The library file is damaged: ${error.message}.` };
  }
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code } = error;
  return PROBLEM_TEXTS.find(([begin]) => code === begin || code.startsWith(`${begin}_`))?.[1] ?? null;
}
