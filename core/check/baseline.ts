// Baselines as they are kept beside a file of rules. People edit them by hand, and merge them: they are read by a schema.
import { z } from 'zod';
import { err, ok, type Result } from '../util/result.ts';
import type { BaselineRecord } from './types.ts';

/** Baselines by transcript, then by the name of the rule. */
export type Baselines = Readonly<Record<string, Readonly<Record<string, BaselineRecord>>>>;

const count = z.int().min(0);

/** One record, as it is kept. */
export const RECORD_SCHEMA: z.ZodType<BaselineRecord> = z.strictObject({
  requests: count,
  prefix_hash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'a hash is sha256: and 64 hexadecimal digits'),
  tokens: count,
  peak: count,
  cost: z.number().min(0).nullable(),
  cache_breaks: count,
  uses_gone: count,
});

const SCHEMA = z.strictObject({
  version: z.literal(1),
  transcripts: z.record(z.string(), z.record(z.string(), RECORD_SCHEMA)),
});

/** Reads baselines; the error says where, and what is wrong there: `transcripts.a.json.as before.tokens: …`. */
export function readBaselineFile(value: unknown): Result<Baselines, string> {
  const read = SCHEMA.safeParse(value);
  if (read.success) return ok(read.data.transcripts);
  const faults = read.error.issues.map(({ path, message }) => [...(path.length > 0 ? [path.join('.')] : []), message]);
  return err(faults.map((fault) => fault.join(': ')).join('; '));
}

/** Reads the text of a file of baselines; the error is a sentence's end: `is not JSON: …`. */
export function readBaselineText(text: string): Result<Baselines, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return err(`is not JSON: ${error.message}`);
  }
  const read = readBaselineFile(value);
  return read.ok ? read : err(`is not a baseline: ${read.error}`);
}

/** What a run found of a transcript that is recorded under `key`. */
export interface NewRecords {
  readonly key: string;
  readonly records: Readonly<Record<string, BaselineRecord>>;
}

/** Baselines with what a run found; transcripts that it did not look at stay as they were recorded. */
export function withRecords(before: Baselines, found: readonly NewRecords[]): Baselines {
  const recorded = found.filter(({ records }) => Object.keys(records).length > 0);
  return { ...before, ...Object.fromEntries(recorded.map(({ key, records }) => [key, records])) };
}

/** The text of a file of baselines, transcripts in order. */
export function baselineFile(baselines: Baselines): string {
  const transcripts = Object.fromEntries(Object.entries(baselines).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: 1, transcripts }, null, 2)}\n`;
}
