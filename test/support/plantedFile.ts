// What `npm run scrub:planted` and its test do with one file: plant, export as the command line does, look for what is left.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { makeBundle } from '../../cli/support/bundling.ts';
import { CliFailure } from '../../cli/support/failure.ts';
import { withProjector } from '../../cli/support/projecting.ts';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { Rng } from '../../core/util/rng.ts';
import { isRecord, stringAt } from '../../core/util/unknown.ts';
import { decodings, leftOf, type Planted, plantIn } from './plantedSecrets.ts';

/** Of a longer transcript what leaves is its beginning. Unit: characters. */
const MOST_LENGTH = 3_000_000;

/** Secrets with escapes of addresses in them: what replaces one must decode as it did. */
const ESCAPED_TEMPLATES: readonly string[] = [
  'postgres://app:{AN10}%40{AN10}@db.example.net:5432/x',
  'https://bot:{AN12}%23%2F{AN10}@git.example.net/a.git',
  'DB_PASSWORD={AN12}%25{AN12}',
  'https://x.example.net/cb?access_token={AN20}%2B{AN16}%3D&state=1',
];

/** The templates of the shared vectors, in the shared folder `dir`, and those with escapes. */
export function templatesOf(dir: string): readonly string[] {
  const { kinds }: { readonly kinds: readonly unknown[] } = JSON.parse(
    readFileSync(`${dir}/vectors/secrets.json`, 'utf8'),
  );
  return [...kinds.flatMap((kind) => (isRecord(kind) ? (stringAt(kind, 'template') ?? []) : [])), ...ESCAPED_TEMPLATES];
}

/** The call point up to which it leaves. */
function endOf({ messages }: ImportedTranscript): number {
  let length = 0;
  const at = messages.findIndex(({ text }) => {
    length += text.length;
    return length > MOST_LENGTH;
  });
  return at < 0 ? messages.length : at;
}

async function finishedText(file: string, format: string, transcript: ImportedTranscript, at: number): Promise<string> {
  const parsed = parseSpec({ version: 1, stages: [{ kind: 'raw' }] }, STAGES);
  if (!parsed.ok) throw new Error('the spec is not one');
  const source = MemoryTranscript.of(transcript);
  return withProjector(async (projector) => {
    const given = { file, format, transcript, source, parsed: parsed.value, at };
    const { chunks } = await makeBundle(projector, given, {});
    return [...chunks].join('');
  });
}

/** What became of a file. */
export interface PlantedFile {
  readonly format: string;
  readonly planted: readonly Planted[];
  readonly left: readonly Planted[];
  /** Length of the finished text. Unit: characters. */
  readonly length: number;
  /** Why nothing was written, if its last search stopped the export: something was not masked. */
  readonly stopped: string | null;
}

/** Plants in the longest transcript of a file and exports it; null = no transcript, or no place in it. */
export async function plantFile(
  file: string,
  wanted: number,
  templates: readonly string[],
  rng: Rng,
): Promise<PlantedFile | null> {
  const { format, transcripts } = importText(readFileSync(file), { unpack: unpackZlib });
  const [transcript] = transcripts.toSorted((a, b) => b.messages.length - a.messages.length);
  if (format === null || transcript === undefined) return null;
  const at = endOf(transcript);
  const { transcript: full, planted } = plantIn(transcript, at, wanted, templates, rng);
  if (planted.length === 0) return null;
  try {
    const text = await finishedText(basename(file), format, full, at);
    return { format, planted, left: leftOf(planted, decodings(text)), length: text.length, stopped: null };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return { format, planted, left: [], length: 0, stopped: error.message };
  }
}
