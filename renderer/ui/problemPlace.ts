import type { ProblemPlace } from '../../core/model/problem.ts';
import { formatCount } from './format.ts';

/** Where a problem is, as one clause: `session.jsonl:214:8`, `#214`, `stages[0].options.root_window`. */
export function describePlace(where: ProblemPlace | undefined): string {
  if (!where) return '';
  const words: string[] = [];
  const line = where.line === undefined ? '' : `${where.line}${where.column === undefined ? '' : `:${where.column}`}`;
  if (where.file !== undefined) words.push(`${baseName(where.file)}${line === '' ? '' : `:${line}`}`);
  else if (line !== '') words.push(`line ${line}`);
  if (where.index !== undefined) words.push(`#${where.index}`);
  if (where.path !== undefined) words.push(where.path);
  if (words.length === 0 && where.byteStart !== undefined) words.push(`byte ${formatCount(where.byteStart)}`);
  return words.join(' ');
}

/** The last step of a path, of whichever system. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
