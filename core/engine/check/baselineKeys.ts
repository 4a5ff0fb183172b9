// What a baseline calls a transcript: its file's path from the folder of the rules, and its own key where the file holds several.
import { relative, resolve, sep } from 'node:path';
import type { Baselines } from '../../check/baseline.ts';

/** A transcript as its files name it. */
export interface FiledTranscript {
  /** The first is the one first imported; none = it came from no file. */
  readonly paths: readonly string[];
  /** Its key in its file. */
  readonly key: string;
  /** Whether its file holds no other. */
  readonly isAlone: boolean;
}

/** The key in a baseline. */
export interface BaselineKey {
  /** null = not known: it came from no file, or several recorded transcripts are alike. */
  readonly key: string | null;
  /** Recorded transcripts of which it may be any; none where the key is known. */
  readonly alike: readonly string[];
}

/** A file as a baseline calls it. */
export function nameFrom(folder: string, path: string): string {
  return path === '-' ? path : relative(folder, resolve(path)).split(sep).join('/');
}

/**
 * The key of a transcript. Where the folder of the rules is not known (a browser gives a file without its path), it is the recorded one
 * whose path ends as the file's does, for as long as only one does so best; of what was not recorded yet the name of the file, as if it
 * were beside the rules.
 */
export function baselineKey(file: FiledTranscript, baselines: Baselines, folder: string | null): BaselineKey {
  const [first] = file.paths;
  if (first === undefined) return { key: null, alike: [] };
  // A file that lost its other transcripts is still recorded with keys.
  const namesOf = (name: string) => [`${name} ${file.key}`, ...(file.isAlone ? [name] : [])];
  const usual = (name: string) => (file.isAlone ? name : `${name} ${file.key}`);
  if (folder !== null) {
    const names = file.paths.map((path) => nameFrom(folder, path));
    const recorded = names.flatMap(namesOf).find((name) => Object.hasOwn(baselines, name));
    return { key: recorded ?? usual(names[0] ?? first), alike: [] };
  }
  const own = file.paths.flatMap((path) => namesOf(path.split(sep).join('/')));
  const ranked = Object.keys(baselines).map((key) => ({
    key,
    same: Math.max(...own.map((name) => sameEnd(name, key))),
  }));
  const most = Math.max(0, ...ranked.map(({ same }) => same));
  const best = ranked.filter(({ same }) => same === most && most > 0).map(({ key }) => key);
  if (best.length > 1) return { key: null, alike: best };
  return { key: best[0] ?? usual(first.slice(first.lastIndexOf(sep) + 1)), alike: [] };
}

// Steps at the end of two paths that are the same.
function sameEnd(path: string, key: string): number {
  const [a, b] = [path.split('/').reverse(), key.split('/').reverse()];
  const differs = b.findIndex((step, at) => step !== a[at]);
  return differs === -1 ? b.length : differs;
}
