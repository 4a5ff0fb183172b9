// Files that no format knows are read by a mapping: one that was given, one that the path was read by before, or a saved
// one that fits. Which mapping it was is part of what a file is known by: read by another it is another source.

import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { genericFormat } from '../../importers/formats/generic/format.ts';
import { formats } from '../../importers/formats/index.ts';
import { FormatRegistry } from '../../importers/registry.ts';
import { sniff } from '../../importers/sniff.ts';
import type { Format, Sniff } from '../../importers/types.ts';
import { readMapping } from '../../model/mapping/read.ts';
import type { Library } from '../../store/index.ts';
import { openRegular } from '../files/regularFile.ts';

/** How a file is read that no format knows. */
export interface MappedReading {
  /** Of the mapping; see `mappingHash`. */
  readonly hash: string;
  readonly name: string | null;
  readonly format: Format;
}

/** The reading by a mapping of the library; null if it has none with this hash. */
export function readingOf(library: Library, hash: string): MappedReading | null {
  const row = library.tables.mappings.get(hash);
  if (row === null) return null;
  const value: unknown = JSON.parse(row.json);
  const { mapping } = readMapping(value);
  return mapping === null ? null : { hash, name: row.name, format: genericFormat(mapping) };
}

/** The formats a file may be read by. */
export function registryFor(reading: MappedReading | null): FormatRegistry {
  return reading === null ? formats : new FormatRegistry([reading.format]);
}

/** What a content read by a mapping is known by, instead of its hash. */
export function probeBy(reading: MappedReading | null, probe: Buffer): Buffer {
  if (reading === null) return probe;
  return createHash('sha256').update(probe).update(`read by the mapping ${reading.hash}`).digest();
}

/** Bytes looked at to find out whether a mapping fits. */
export const LOOK_BYTES = 512 * 1024;

/** The head of a file as detection sees it, and its bytes. */
export async function lookAt(
  file: FileHandle,
): Promise<{ readonly seen: Sniff; readonly bytes: Uint8Array; readonly whole: boolean }> {
  const { size } = await file.stat();
  const bytes = new Uint8Array(Math.min(size, LOOK_BYTES));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  const head = bytes.subarray(0, bytesRead);
  const whole = bytesRead >= size;
  return { seen: sniff(head, whole), bytes: head, whole };
}

/** The mappings of the library that fit a file, the best first; of equal ones that of the first name. */
export function fittingReadings(library: Library, seen: Sniff): readonly MappedReading[] {
  return library.tables.mappings
    .saved()
    .flatMap(({ hash }) => readingOf(library, hash) ?? [])
    .map((reading) => ({ reading, score: reading.format.detect(seen).score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ reading }) => reading);
}

/** Whether a mapping fits a file of a folder; false for one that cannot be opened: who asks looks among many. */
export async function fits({ format }: MappedReading, path: string): Promise<boolean> {
  try {
    await using file = await openRegular(path);
    return format.detect((await lookAt(file)).seen).score > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** The mapping for a file that no format knows; null if the library has none that fits. */
export async function readingFor(library: Library, path: string, file: FileHandle): Promise<MappedReading | null> {
  const before = library.tables.imports.mappingOf(path);
  const known = before === null ? null : readingOf(library, before);
  if (known !== null) return known;
  if (library.tables.mappings.saved().length === 0) return null;
  const { seen } = await lookAt(file);
  return fittingReadings(library, seen)[0] ?? null;
}

/** As `readingFor`, for a file of which the format that claims it would make events of most; null for any other. */
export async function readingForMisfit(
  library: Library,
  path: string,
  file: FileHandle,
): Promise<MappedReading | null> {
  const { imports, mappings } = library.tables;
  if (imports.mappingOf(path) === null && mappings.saved().length === 0) return null;
  const known = formats.detect((await lookAt(file)).seen);
  return known.ok && known.value.isMisfit ? readingFor(library, path, file) : null;
}
