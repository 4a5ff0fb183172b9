import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackZlib } from '../../core/engine/unpackZlib.ts';
import { type ImportedFile, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { isRecord, numberAt, recordAt, stringAt } from '../../core/util/unknown.ts';
import { sharedDir } from './shared.ts';

/** What a file holds, counted over all its transcripts; what branches share is counted once. */
export interface FormatCounts {
  readonly messages: number;
  readonly calls: number;
  readonly results: number;
  readonly errors: number;
  readonly signatures: number;
  readonly images: number;
  readonly compactions: number;
  readonly subAgents: number;
}

export const COUNTED = [
  'messages',
  'calls',
  'results',
  'errors',
  'signatures',
  'images',
  'compactions',
  'subAgents',
] as const satisfies readonly (keyof FormatCounts)[];

/** Counts an imported file. */
export function countsOf(file: ImportedFile): FormatCounts {
  const counts = {
    messages: 0,
    calls: 0,
    results: 0,
    errors: 0,
    signatures: 0,
    images: 0,
    compactions: 0,
    subAgents: 0,
  };
  for (const transcript of file.transcripts) {
    const source = MemoryTranscript.of(transcript);
    const own = transcript.meta.branchAt ?? 0;
    if (transcript.meta.parentKey !== undefined || transcript.meta.agentId !== undefined) counts.subAgents++;
    counts.compactions += transcript.compactions.filter(({ at }) => own === 0 || at > own).length;
    for (let index = own; index < source.length; index++) {
      counts.messages++;
      for (const part of source.facts(index).parts) {
        if (part.kind === 'tool_call') counts.calls++;
        if (part.kind === 'tool_result') counts.results++;
        if (part.kind === 'tool_result' && part.isError === true) counts.errors++;
        if (part.signed === true) counts.signatures++;
        if (part.kind === 'image') counts.images++;
      }
    }
  }
  return counts;
}

/** Counts the file at a path. */
export function countsOfFile(path: string): { readonly file: ImportedFile; readonly counts: FormatCounts } {
  const file = importText(readFileSync(path), { chunkSize: 1 << 20, unpack: unpackZlib });
  return { file, counts: countsOf(file) };
}

/** What the corpus's own list says of a file; absent = it says nothing. `unit` is what its `messages` are. */
export interface ListedCounts extends Partial<FormatCounts> {
  readonly unit: string | null;
}

/** The corpus's list by path below its folder. */
export function listedCounts(): ReadonlyMap<string, ListedCounts> {
  const shared = sharedDir();
  if (!shared) return new Map();
  const list: unknown = JSON.parse(readFileSync(join(shared, 'corpus', 'MANIFEST.json'), 'utf8'));
  const files = isRecord(list) && Array.isArray(list.files) ? list.files.filter(isRecord) : [];
  return new Map(files.map((entry) => [stringAt(entry, 'file') ?? '', listed(entry)]));
}

function listed(entry: Readonly<Record<string, unknown>>): ListedCounts {
  const features = recordAt(entry, 'features') ?? {};
  const named = {
    messages: numberAt(entry, 'messages'),
    calls: numberAt(features, 'tool_calls'),
    errors: numberAt(features, 'tool_errors'),
    signatures: numberAt(features, 'signed_thinking'),
    images: numberAt(features, 'images'),
    compactions: numberAt(features, 'compaction'),
    subAgents: numberAt(features, 'subagents'),
  };
  const known = Object.entries(named).filter(([, value]) => value !== undefined);
  return { unit: stringAt(entry, 'messages_unit') ?? null, ...Object.fromEntries(known) };
}
