// What becomes of files, known and unknown: the format that claims each, what looks like a message in it, what was read.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { ImportStream } from '../../core/importers/importStream.ts';
import { MemorySink } from '../../core/importers/memory.ts';
import { isSpoken } from '../../core/importers/reading/speech.ts';
import type { SourceRecord } from '../../core/model/importSink.ts';
import type { Problem } from '../../core/model/problem.ts';
import { filesBelow, sharedDir } from './shared.ts';

/** One file, and what is told of it. */
export interface Claim {
  /** Path below the folder of shared material. */
  readonly name: string;
  /** Id of the format; null = none claims it. */
  readonly format: string | null;
  /** Records that look like messages, of those that the reader was given. */
  readonly spoken: number;
  readonly messages: number;
  readonly events: number;
  /** The worst problem that is no note; null = none was told. */
  readonly told: Problem | null;
}

const CHUNK_BYTES = 1 << 20;

class HearingSink extends MemorySink {
  spoken = 0;

  record({ value }: SourceRecord): void {
    if (isSpoken(value)) this.spoken++;
  }
}

/** Reads a file by the format that claims it. */
export function claimOf(name: string, bytes: Uint8Array): Claim {
  const sink = new HearingSink();
  let format: string | null = null;
  const stream = new ImportStream(sink, {
    registry: formats,
    unpack: unpackZlib,
    onDetected: ({ id }) => {
      format = id;
    },
  });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) stream.push(bytes.subarray(at, at + CHUNK_BYTES));
  stream.end();
  const { messages, events } = stream.counts;
  const told = sink.result().problems.filter(({ severity }) => severity !== 'info');
  const worst = told.find(({ severity }) => severity === 'error') ?? told[0] ?? null;
  return { name, format, spoken: sink.spoken, messages, events, told: worst };
}

/** All visible files of the corpora: of tools with a reader, and of tools without one. */
export function corpusClaims(folder: 'corpus' | 'corpus-2'): readonly Claim[] {
  const shared = sharedDir();
  const root = shared === null ? null : join(shared, folder);
  if (shared === null || root === null || !existsSync(root)) return [];
  const files = filesBelow(root).filter((path) => path.includes('/visible/'));
  return files.map((path) => claimOf(relative(shared, path), readFileSync(path)));
}

/** True for a file of which most is lost, and nothing said. */
export function isSilentLoss({ format, spoken, messages, told }: Claim): boolean {
  return format !== null && told === null && (messages === 0 || (spoken > 1 && messages * 2 < spoken));
}
