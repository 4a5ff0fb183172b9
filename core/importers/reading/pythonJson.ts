// JSON as Python writes it: NaN, Infinity and -Infinity, which JSON does not have, stand where a number would.

import type { SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import { parseJson } from './record.ts';

/** A reading whose text is JSON: what is none reads as null; `replaced` counts these. */
export type PythonReading = Pick<SourceRecord, 'text' | 'value' | 'error'> & { readonly replaced: number };

/** Parses a text; only if it is not JSON, NaN and the infinities in it are read as null. */
export function parsePythonJson(text: string): PythonReading {
  const plain = { text, ...parseJson(text), replaced: 0 };
  if (!plain.error || !/NaN|Infinity/.test(text)) return plain;
  const changed = nullsFor(text);
  const parsed = parseJson(changed.text);
  return parsed.error || changed.replaced === 0 ? plain : { ...changed, ...parsed };
}

const WORD = /-?\b(?:NaN|Infinity)\b|"/g;

/** The text with `null` for every NaN and infinity outside of strings. */
export function nullsFor(text: string): { readonly text: string; readonly replaced: number } {
  const out: string[] = [];
  let from = 0;
  let replaced = 0;
  WORD.lastIndex = 0;
  for (let found = WORD.exec(text); found; found = WORD.exec(text)) {
    if (found[0] === '"') {
      WORD.lastIndex = stringEnd(text, found.index);
      continue;
    }
    out.push(text.slice(from, found.index), 'null');
    from = WORD.lastIndex;
    replaced++;
  }
  return { text: out.join('') + text.slice(from), replaced };
}

function stringEnd(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let escapes = 0;
    while (text.charAt(i - 1 - escapes) === '\\') escapes++;
    if (escapes % 2 === 0) return i + 1;
  }
  return text.length;
}

/** What to say of values that were replaced. */
export function replacedProblem(count: number, where: NonNullable<Problem['where']>): Problem {
  const values = count === 1 ? '1 number is NaN or Infinity' : `${count} numbers are NaN or Infinity`;
  const text = `${values}, which JSON does not have; read as null, the exact bytes are kept.`;
  return { code: 'import.not_a_number', severity: 'info', text, where };
}
