import { mkdtempSync, rmSync } from 'node:fs';
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

/** Opens a library for the running test, closed at its end. Throws if it cannot be opened. */
export function openLibrary(dir: string, options: OpenOptions = {}): Library {
  const opened = Library.open(dir, options);
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.text}`);
  onTestFinished(() => opened.value.close());
  return opened.value;
}
