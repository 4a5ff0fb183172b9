import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { type ImportedFile, importText } from '../../core/importers/memory.ts';
import { hasFailed } from '../../core/model/failure.ts';
import { readMessage } from '../../core/model/readMessage.ts';
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
  const agents = new Set(file.transcripts.flatMap(({ meta }) => [meta.agentId, meta.sessionId]));
  for (const transcript of file.transcripts) {
    // Sub-agents whose transcripts are in files of their own.
    counts.subAgents += transcript.spawns.filter(({ agentId, sessionId }) => !agents.has(agentId ?? sessionId)).length;
    const own = transcript.meta.branchAt ?? 0;
    const { parentKey, parentSessionId, agentId } = transcript.meta;
    if ((parentKey ?? parentSessionId ?? agentId) !== undefined) counts.subAgents++;
    counts.compactions += transcript.compactions.filter(({ at }) => own === 0 || at > own).length;
    for (const { value, meta } of transcript.messages.slice(own)) {
      counts.messages++;
      counts.images += imagesIn(value);
      for (const part of readMessage(value).parts) {
        // Calls that the provider ran itself are of the kind `other`.
        const ran = part.kind === 'other' ? part.category : part.kind;
        if (ran === 'tool_call') counts.calls++;
        if (ran === 'tool_result') counts.results++;
        if (hasFailed(part, meta)) counts.errors++;
        if (part.signed === true) counts.signatures++;
      }
    }
  }
  return counts;
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);

/** Images in a message, wherever they stand: in its content, or in that of a result within it. */
export function imagesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one: unknown) => sum + imagesIn(one), 0);
  if (!isRecord(value)) return 0;
  if (IMAGE_TYPES.has(stringAt(value, 'type') ?? '')) return 1;
  const data = recordAt(value, 'inlineData') ?? recordAt(value, 'inline_data');
  if (data) return isImage(stringAt(data, 'mimeType') ?? stringAt(data, 'mime_type')) ? 1 : 0;
  return imagesIn(Object.values(value));
}

function isImage(mimeType: string | undefined): boolean {
  return mimeType?.startsWith('image/') === true;
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
