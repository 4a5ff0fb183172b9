import { readFileSync } from 'node:fs';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { type ImportedFile, importText } from '../../core/importers/memory.ts';
import type { Rng } from '../../core/util/rng.ts';

/** Cuts bytes at random places, empty pieces included. */
export function chunks(bytes: Uint8Array, rng: Rng): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const size = Math.floor(rng.next() * 12);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** Values as JSON lines. */
export function jsonl(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Imports a file from disk as a stream would deliver it. */
export function importFile(path: string, chunkSize = 64 * 1024): ImportedFile {
  return importText(readFileSync(path), { chunkSize, unpack: unpackZlib });
}

/**
 * Numbers without their thousands set off that an importer put into the lines of events; one that stands so in a text of the
 * record is quoted.
 */
export function ungroupedIn({ transcripts }: ImportedFile): readonly string[] {
  return transcripts.flatMap(({ events }) =>
    events.flatMap(({ text, json }) => {
      const numbers = text.match(/(?<![\w.,:#-])\d{5,}(?![\w.:-])/g) ?? [];
      const quoted = numbers.length === 0 ? '' : json.replace(/(?<=[:[,]\s*)-?\d+(?=\s*[,\]}])/g, '');
      return numbers.filter((number) => !quoted.includes(number)).map((number) => `${number}: ${text}`);
    }),
  );
}

/** The texts of a transcript's messages. */
export function texts(file: ImportedFile, transcript = 0): string[] {
  return (file.transcripts[transcript]?.messages ?? []).map((message) => message.text);
}

/** The codes of a file's problems. */
export function codes(file: ImportedFile): string[] {
  return file.problems.map((problem) => problem.code);
}

/** True if every record is accounted for exactly once. */
export function addsUp({ counts }: ImportedFile): boolean {
  const parts =
    counts.inMessages + counts.inEvents + counts.ignored + counts.broken + counts.envelopes + counts.unaccounted;
  return counts.records === parts && counts.unaccounted === 0;
}
