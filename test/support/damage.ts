import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { ImportStream } from '../../core/importers/importStream.ts';
import { MemorySink, MemoryTranscript } from '../../core/importers/memory.ts';
import { sniff } from '../../core/importers/sniff.ts';
import type { SourceRecord } from '../../core/model/importSink.ts';
import { seededRng } from '../../core/util/rng.ts';
import { chunks } from '../importers/support.ts';
import { FORMATS } from './formats.ts';
import { MUTATIONS, type Mutation, mutate } from './mutations.ts';
import { corpusFiles, filesBelow } from './shared.ts';

// Damaged files, one per seed: a file of the fixtures or the corpus, one or more mutations, read as a stream would
// deliver it, and everything that is wrong with the reading.

/** Of a larger file only the beginning is damaged and read, cut where it falls; archives are read whole. */
export const HEAD_BYTES = 40_000;
const MAX_BYTES = 400_000;

/** What a seed stands for: enough to do it again. */
export interface Damage {
  readonly seed: number;
  readonly path: string;
  readonly mutations: readonly Mutation[];
  readonly bytes: Uint8Array;
  readonly replay: string;
}

/** How the reading went. `faults` is empty if all is well. */
export interface DamageResult {
  readonly faults: readonly string[];
  readonly broken: number;
}

/** All files to damage. */
export function damageableFiles(): readonly string[] {
  return [
    ...filesBelow(join(import.meta.dirname, '..', 'fixtures')).filter((path) => !path.endsWith('.golden.json')),
    ...FORMATS.flatMap(corpusFiles),
  ];
}

/** The damaged file of a seed. */
export function damageOf(files: readonly string[], seed: number): Damage {
  const rng = seededRng(seed);
  const path = rng.pick(files);
  const whole = readFileSync(path);
  const isArchive = whole.subarray(0, 2).toString('latin1') === 'PK';
  let bytes = new Uint8Array(whole.subarray(0, isArchive ? MAX_BYTES : HEAD_BYTES));
  const mutations: Mutation[] = [];
  const number = rng.chance(0.8) ? 1 : 2 + rng.below(3);
  for (let done = 0; done < number && bytes.length > 0; done++) {
    const mutation = rng.pick(MUTATIONS);
    mutations.push(mutation);
    bytes = new Uint8Array(mutate(bytes, mutation, rng));
  }
  const replay = `seed ${seed}: ${mutations.join(', ')} in the first ${HEAD_BYTES} bytes of ${path}`;
  return { seed, path, mutations, bytes, replay };
}

/** Reads a damaged file twice, in one piece and in many, and says what is wrong with that. A throw is a crash. */
export function readDamaged({ seed, bytes }: Damage): DamageResult {
  const file = read([bytes]);
  const pieces = chunks(bytes.subarray(0, 4000), seededRng(seed + 0.5));
  const again = read([...pieces, bytes.subarray(4000)]);
  const faults = faultsOf(file);
  if (told(again) !== told(file)) faults.push('other chunks gave another result');
  if (file.counts.records > 0 && sniff(bytes, true).shape === 'jsonl') faults.push(...untoldLines(file, bytes));
  return { faults, broken: file.counts.broken };
}

// Values are those of the texts beside them, and may be nested too deep for JSON.stringify.
function told(file: Reading): string {
  return JSON.stringify(file, (key, value: unknown) => (key === 'value' ? undefined : value));
}

class RecordSink extends MemorySink {
  readonly broken: SourceRecord[] = [];

  record(record: SourceRecord): void {
    if (record.error) this.broken.push(record);
  }
}

type Reading = ReturnType<typeof read>;

function read(pieces: readonly Uint8Array[]) {
  const sink = new RecordSink();
  const stream = new ImportStream(sink, { registry: formats, unpack: unpackZlib });
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return { ...sink.result(), broken: sink.broken, counts: stream.counts };
}

function faultsOf({ counts, problems, transcripts, broken }: Reading): string[] {
  const found: string[] = [];
  const sum = counts.inMessages + counts.inEvents + counts.ignored + counts.broken + counts.envelopes;
  if (counts.records !== sum || counts.unaccounted > 0) found.push(`the accounts: ${JSON.stringify(counts)}`);
  for (const { code, text } of problems) if (code === 'import.reader_failed') found.push(text);
  const told = new Set(problems.map(({ where }) => where?.byteStart));
  for (const record of broken) {
    if (!told.has(record.byteStart)) found.push(`line ${record.line} is broken, and no problem says so`);
  }
  for (const transcript of transcripts) {
    const source = MemoryTranscript.of(transcript);
    for (let index = 0; index < source.length; index++) source.facts(index);
  }
  return found;
}

// Without any of the program's own reading: a line that is no JSON must have a problem of its own, unless it is whole
// values glued together.
function untoldLines({ problems }: Reading, bytes: Uint8Array): string[] {
  const told = new Set(problems.map(({ where }) => where?.line));
  const lines = new TextDecoder('utf-8').decode(bytes).split('\n');
  if (lines[0]?.startsWith('data:') || lines[0]?.startsWith('event:')) return [];
  const first = problems.some(({ code }) => code === 'import.broken_document');
  return lines.flatMap((line, at) => {
    if (first || told.has(at + 1) || isJson(line.trim()) || isGlued(line)) return [];
    return [`line ${at + 1} is no JSON, and no problem says so: ${JSON.stringify(line.slice(0, 80))}`];
  });
}

function isJson(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not being JSON is the answer, not a failure.
    return false;
  }
}

function isGlued(line: string): boolean {
  const cuts = [...line.matchAll(/\}\s*\{/g)].map(({ index }) => index + 1);
  return cuts.some((cut) => isJson(line.slice(0, cut)) && (isJson(line.slice(cut)) || isGlued(line.slice(cut))));
}
