import { basename } from 'node:path';
import { it } from 'vitest';
import { sampled } from './lawful.ts';
import { corpusFiles } from './shared.ts';

/** A test for each of a sample of a format's recorded files, at most so many; skipped where there is no corpus. */
export function eachCorpusFile(format: string, most: number, run: (path: string) => void, milliseconds: number): void {
  const files = sampled(corpusFiles(format), most);
  const named = files.map((path) => [basename(path), path] as const);
  it.skipIf(files.length === 0).each(named.length === 0 ? [['no corpus here', '']] : named)(
    '%s',
    (_name, path) => run(path),
    milliseconds,
  );
}
