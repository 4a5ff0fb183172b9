import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of shared test material (vectors, corpus), or null where the checkout stands alone. */
export function sharedDir(): string | null {
  const dir = resolve(process.env.PARALLAX_SHARED ?? join(import.meta.dirname, '..', '..', '..', 'shared'));
  return existsSync(join(dir, 'vectors')) ? dir : null;
}

/** Every file below `dir`, sorted by path, absolute. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

// Stands among the traces to be taken for none of them.
const NO_TRANSCRIPT = /\/otel\/visible\/dazzaji-/;

/** The visible corpus files of one format, absolute paths; empty where there is no corpus. */
export function corpusFiles(format: string): string[] {
  const shared = sharedDir();
  const dir = shared ? join(shared, 'corpus', format, 'visible') : null;
  return dir && existsSync(dir) ? filesBelow(dir).filter((path) => !NO_TRANSCRIPT.test(path)) : [];
}
