import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Library, type OpenOptions } from '../../core/store/index.ts';

/** A folder of its own for the running test, removed at its end. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-unit-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

let empty: Buffer | null = null;

/**
 * Puts an empty library into a folder that has none, as the program made it once for this worker: making one takes longer
 * than most of what is then done with it. How a library is made is for test/store/schema.
 */
export function placeLibrary(dir: string): void {
  const file = join(dir, 'library.sqlite');
  if (existsSync(file)) return;
  empty ??= emptyLibrary();
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(file, empty, { mode: 0o600 });
}

function emptyLibrary(): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-unit-'));
  try {
    opened(dir).close();
    return readFileSync(join(dir, 'library.sqlite'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Opens a library as the program does. Throws if it cannot be opened. */
function opened(dir: string, options: OpenOptions = {}): Library {
  const library = Library.open(dir, options);
  if (!library.ok) throw new Error(`${library.error.code}: ${library.error.text}`);
  return library.value;
}

/** Opens a library for the running test, closed at its end. Throws if it cannot be opened. */
export function openLibrary(dir: string, options: OpenOptions = {}): Library {
  if (options.readonly !== true) placeLibrary(dir);
  const library = opened(dir, options);
  onTestFinished(() => library.close());
  return library;
}
