// The same call again: tool and arguments, without what says only how it is run or why.

import { parsedJson } from '../../model/decode.ts';
import type { Part } from '../../model/message.ts';
import { valueAt } from '../../model/partText.ts';
import { argumentsOf } from '../../model/readBlock.ts';
import { RawJson } from '../../util/json/index.ts';
import { isRecord, stringAt } from '../../util/unknown.ts';
import { normaliseSpace } from './normalText.ts';

/** Arguments that change nothing of what a call asks for. */
const VOLATILE: ReadonlySet<string> = new Set([
  ...['timeout', 'timeout_ms', 'timeoutMs', 'timeout_seconds', 'yield_time_ms', 'max_output_tokens'],
  ...['description', 'explanation', 'justification', 'reason', 'why', 'thought', 'security_risk', 'run_in_background'],
  ...[
    'is_background',
    'isBackground',
    'requireUserApproval',
    'task_progress',
    'sandbox_permissions',
    'with_escalated_permissions',
  ],
]);

/** Two calls with the same key are the same. */
export function callKey(message: unknown, call: Part): string {
  const value = valueAt(message, call.path);
  const given = isRecord(value) ? argumentsOf(value) : undefined;
  const parsed = typeof given === 'string' ? (parsedJson(given) ?? given) : given;
  return `${call.name ?? ''} ${canonical(parsed)}`;
}

const PATHS = ['file_path', 'path', 'filePath', 'filename', 'target_file', 'absolute_path'] as const;

/** The tool and the file that a call names; null where it names none. */
export function pathKey(message: unknown, call: Part): string | null {
  const value = valueAt(message, call.path);
  const given = isRecord(value) ? argumentsOf(value) : undefined;
  const parsed = typeof given === 'string' ? parsedJson(given) : given;
  if (!isRecord(parsed)) return null;
  const path = PATHS.map((key) => stringAt(parsed, key)).find((each) => each !== undefined);
  return path === undefined ? null : `${call.name ?? ''} ${path.replace(/[\\/]+/g, '/')}`;
}

// Members sorted, volatile ones of the outermost left out, white space normalised.
function canonical(given: unknown): string {
  if (!isRecord(given)) return JSON.stringify(normalised(given)) ?? '';
  const entries = Object.entries(given).filter(([key]) => !VOLATILE.has(key));
  return JSON.stringify(normalised(Object.fromEntries(entries)));
}

/** Arguments nested deeper are taken as they are. */
const DEEPEST = 20;

function normalised(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return normaliseSpace(value).trim();
  if (value instanceof RawJson) return sameNumber(value.text);
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((each) => normalised(each, depth + 1));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, own]) => [key, normalised(own, depth + 1)]));
}

// 1.0 is 1; two integers that JavaScript takes for one are two.
function sameNumber(digits: string): unknown {
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? new RawJson(digits) : Number(digits);
}

const SHINGLE = 4;
const OVERLAP_LEAST = 0.9;

/** True if two results say the same: equal but for white space, or nine tenths of their runs of four words. */
export function sayTheSame(a: string, b: string): boolean {
  const [left, right] = [a.trim(), b.trim()];
  if (left === right) return true;
  const [own, other] = [shingles(left), shingles(right)];
  if (own.size === 0 || other.size === 0) return normaliseSpace(left) === normaliseSpace(right);
  let both = 0;
  for (const shingle of own) if (other.has(shingle)) both++;
  return both >= OVERLAP_LEAST * Math.max(own.size, other.size);
}

// Hashes of runs of four words; none of a shorter text.
function shingles(text: string): ReadonlySet<number> {
  const words = text.split(/\s+/u);
  const found = new Set<number>();
  for (let at = 0; at + SHINGLE <= words.length; at++) {
    let hash = 0;
    for (let i = at; i < at + SHINGLE; i++) hash = hashWord(words[i] ?? '', hash);
    found.add(hash);
  }
  return found;
}

function hashWord(word: string, from: number): number {
  let hash = Math.imul(from, 0x01000193) ^ 0x2d;
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0;
  return hash;
}
