// All that a command says goes through here: no character of a transcript or of a file's name may act on the terminal.
import { once } from 'node:events';
import { stringifyWithRaw } from '../../core/util/json/index.ts';
import { forTerminal, jsonForTerminal } from '../../core/util/unseen.ts';
import { currentChannel } from './channel.ts';

export { grouped } from '../../core/util/counts.ts';

/**
 * Writes to stdout for people: see {@link forTerminal}. Waits while the reader is slow, so that memory stays flat however
 * much there is to say.
 */
export function write(text: string): Promise<void> {
  return send(forTerminal(text));
}

/** Writes a line to stdout for people. */
export function writeLine(line = ''): Promise<void> {
  return write(`${line}\n`);
}

/** Writes a value to stdout as one line of JSON; a RawJson in it as it stands, its own line breaks as spaces. */
export function writeJson(value: unknown): Promise<void> {
  return writeJsonText(`${stringifyWithRaw(value).replaceAll('\n', ' ')}\n`);
}

/** Writes JSON text to stdout: the same value, with controls and unseen characters as `\u` escapes. */
export function writeJsonText(json: string): Promise<void> {
  return send(jsonForTerminal(json));
}

async function send(text: string): Promise<void> {
  const channel = currentChannel();
  if (channel !== undefined) {
    channel.out(text);
    return;
  }
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Says something to the person, not to the reader of the output. Further lines are set in: none looks like another note. */
export function note(text: string): void {
  const said = forTerminal(text).trimEnd();
  const channel = currentChannel();
  if (channel !== undefined) channel.note(said);
  else process.stderr.write(`parallax: ${said.replaceAll('\n', '\n  ')}\n`);
}

/** The text in one line, cut at `length` characters; what cannot be seen comes as `<U+202E>`. */
export function oneLine(text: string, length = 160): string {
  const flat = forTerminal(text.replace(/\s+/g, ' ').trim());
  return flat.length > length ? `${flat.slice(0, length - 1)}…` : flat;
}

/** Columns of text, each as wide as its widest cell; columns in `right` are set to the right. A cell is one line. */
export function table(cells: readonly (readonly string[])[], right: readonly number[] = []): string {
  const rows = cells.map((row) => row.map((cell) => forTerminal(cell.replace(/[\r\n]+/g, ' '))));
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (right.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
