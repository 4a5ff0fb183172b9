import { once } from 'node:events';
import { withCodes } from '../../core/util/unseen.ts';

/** Writes to stdout and waits while the reader is slow, so that memory stays flat however much there is to say. */
export async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Writes a line to stdout. */
export function writeLine(line = ''): Promise<void> {
  return write(`${line}\n`);
}

/** Says something to the person, not to the reader of the output. */
export function note(text: string): void {
  process.stderr.write(`parallax: ${text}\n`);
}

/** The text in one line, cut at `length` characters. Control characters cannot reach the terminal; others that cannot be seen come as `<U+202E>`. */
export function oneLine(text: string, length = 160): string {
  const flat = withCodes(text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim());
  return flat.length > length ? `${flat.slice(0, length - 1)}…` : flat;
}

/** Columns of text, each as wide as its widest cell; columns in `right` are set to the right. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (right.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** 1234567 → 1,234,567. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
