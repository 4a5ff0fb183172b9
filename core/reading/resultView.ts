// browser-safe
import { isRecord, stringAt } from '../util/unknown.ts';
import { familyOfCall, fieldsOf } from './callView.ts';
import { numberOf, parsedJson, readCutJson } from './json.ts';
import { pagesOf } from './providerView.ts';
import type { FileView, HitGroup, NumberedLine, OutputView, ResultView } from './types.ts';

/** The call that a result answers: its tool and its arguments as text. */
export interface AnsweredCall {
  readonly name: string | null;
  readonly text: string;
}

/**
 * A result as people read it, by the family of the call that it answers. `text` = the result's readable text. Null: the
 * text itself is the best form. Each line of the text is in the view, what is around a file's lines as head and tail.
 */
export function resultView(call: AnsweredCall, text: string): ResultView | null {
  const args = argumentsOf(call.text);
  const path = typeof args?.path === 'string' ? args.path : typeof args?.file_path === 'string' ? args.file_path : null;
  switch (familyOfCall(call.name, args)) {
    case 'shell':
    case 'patch':
      return outputView(text);
    case 'read':
      return linesOf(text, path);
    case 'search':
      return hitsOf(text, path);
    case 'web':
    case 'agent':
      return proseOf(text);
    case 'edit':
    case 'write':
      return numberedOf(text, path);
    case 'todo':
    case 'image':
    case null:
      return null;
  }
}

/** What a page, a search or a sub-agent said: as Markdown, or, where it is wrapped as JSON, what of it can be read. */
function proseOf(text: string): ResultView | null {
  if (isMarkup(text)) return null;
  const value = parsedJson(text);
  if (value === null || typeof value !== 'object') return linkedOf(text) ?? { kind: 'prose', text, rest: [] };
  if (!isRecord(value)) return null;
  const taken = new Set<string>();
  const pages = pagesOf(value, taken);
  if (pages.length > 0) return { kind: 'pages', head: '', pages, text: '', rest: fieldsOf(value, taken) };
  for (const key of ['text', 'markdown', 'content', 'result']) {
    const said = stringAt(value, key);
    if (said !== undefined) return { kind: 'prose', text: said, rest: fieldsOf(value, new Set([key])) };
  }
  return null;
}

/** Where a page that was sent as it is begins. Unit: UTF-16 units. */
const MARKUP_BEGINS_WITHIN = 2_000;

function isMarkup(text: string): boolean {
  return /<!doctype html\b|<html[\s>]/i.test(text.slice(0, MARKUP_BEGINS_WITHIN));
}

/** Claude Code's search of the web: what was asked, the pages as JSON in one line, and what was made of them. */
function linkedOf(text: string): ResultView | null {
  const [whole = '', head = '', list = ''] =
    /^(Web search results for query: [^\n]*)\n+Links: (\[[^\n]*\])\n*/.exec(text) ?? [];
  const pages = pagesOf({ results: parsedJson(list) }, new Set());
  return pages.length === 0 ? null : { kind: 'pages', head, pages, text: text.slice(whole.length), rest: [] };
}

/** Cut, as those of long calls are, they are read as far as they go; not JSON, the tool's name alone says the family. */
function argumentsOf(text: string): Readonly<Record<string, unknown>> | null {
  const value = parsedJson(text);
  return isRecord(value) ? value : readCutJson(text);
}

/** What a tool writes before the output: Codex, Gemini CLI, mini-swe-agent, in this order. */
const OUTPUT_HEADS: readonly RegExp[] = [
  /^(?:(?:Chunk ID|Wall time|Exit code|Process [a-z]+|Original token count|Total output lines|Warning)\b[^\n]*\n)+Output:\n?/,
  /^Command: [^\n]*\nDirectory: [^\n]*\n(?:Output|Stdout): /,
  /^<returncode>-?\d+<\/returncode>\n<output>\n?/,
];
/** Where a tool says how a command ended: in its own head, or as a whole line that only the tool writes there. */
const EXIT_IN_HEAD = /^(?:Exit code:|Process exited with code|<returncode>) ?(-?\d+)/m;
const EXIT_LINES: readonly RegExp[] = [
  /^Exit code (-?\d+)\n/,
  /\n\[(?:The command completed|Command finished) with exit code (-?\d+)\.?\]\s*$/,
];
/** Gemini CLI: behind the output, before what may follow in fixed lines. */
const GEMINI_EXIT = /\nExit Code: (-?\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*\s*$/;

/** A command's output. What the tool wrote in front of it, or around it as JSON, is the head. */
export function outputView(text: string): OutputView {
  const wrapped = wrappedOutput(text);
  if (wrapped !== null) return wrapped;
  const head = OUTPUT_HEADS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined) ?? '';
  return { kind: 'output', head, text: text.slice(head.length), exit: exitOf(head, text) };
}

/** Longer texts are not tried as JSON. */
const MOST_WRAPPED = 1_000_000;

/** Codex, before its heads in words: `{"output":"…","metadata":{"exit_code":0,…}}`. Null: the text is not that. */
function wrappedOutput(text: string): OutputView | null {
  if (!text.startsWith('{"output":"') || text.length > MOST_WRAPPED) return null;
  const whole = parsedJson(text);
  if (!isRecord(whole)) return null;
  const { output, metadata, ...others } = whole;
  if (typeof output !== 'string' || !isRecord(metadata) || Object.keys(others).length > 0) return null;
  const exit = numberOf(metadata.exit_code);
  const head = Object.entries(metadata).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return { kind: 'output', head: head.join(''), text: output, exit };
}

/** How the command ended, where the tool says it; what a command printed is not taken for it. */
function exitOf(head: string, text: string): number | null {
  const found = head.startsWith('Command: ')
    ? GEMINI_EXIT.exec(text)
    : head === ''
      ? EXIT_LINES.map((pattern) => pattern.exec(text)).find((match) => match !== null)
      : EXIT_IN_HEAD.exec(head);
  return found?.[1] === undefined ? null : Number(found[1]);
}

// `     1→text` (Claude Code), `     1<tab>text` (cat -n), `L1: text` (Codex), `00001| text` (OpenCode).
const NUMBERED = /^(?:L(\d+): |0*(\d+)\| | *(\d+)(?:→|\t))(.*)$/s;
// SWE-agent's window: `[File: path (9 lines total)]`, then `12:text`.
const WINDOW = /^(\d+)()():(.*)$/s;

/** A file's text by lines, with their numbers where it has some. */
export function linesOf(text: string, path: string | null): FileView {
  return numberedOf(text, path) ?? plainLines(text, path);
}

function numberedOf(text: string, path: string | null): FileView | null {
  const all = text.split('\n');
  const pattern = /^\[File: /m.test(text) ? WINDOW : NUMBERED;
  const isLine = all.map((line) => pattern.test(line));
  const first = isLine.indexOf(true);
  const last = isLine.lastIndexOf(true);
  if (first < 0 || first > 20 || isLine.slice(first, last + 1).some((one) => !one)) return null;
  const lines = all.slice(first, last + 1).map((line) => numberedLine(line, pattern));
  const head = all.slice(0, first).map((line) => `${line}\n`);
  const tail = all.slice(last + 1).map((line) => `\n${line}`);
  return { kind: 'lines', path, head: head.join(''), lines, tail: tail.join('') };
}

function numberedLine(line: string, pattern = NUMBERED): NumberedLine {
  const [, l, zero, plain, text] = pattern.exec(line) ?? [];
  const number = l || zero || plain;
  return { number: number === undefined ? null : Number(number), text: text ?? line };
}

/** A file's text as the tool gave it: where it begins is not known, so its lines have no numbers. */
function plainLines(text: string, path: string | null): FileView {
  return {
    kind: 'lines',
    path,
    head: '',
    lines: text.split('\n').map((line) => ({ number: null, text: line })),
    tail: '',
  };
}

// `path:12:text` (ripgrep, grep -n); around a hit `path-12-text`.
const HIT = /^((?:[A-Za-z]:)?[^\n:]{1,300}):(\d+):(.*)$/s;
// `12:text`, around a hit `12-text`: what grep says of one file, which only the call names.
const LINE = /^(\d+)([:-])(.*)$/s;

function hitsOf(text: string, path: string | null): ResultView | null {
  const fileHits = geminiHits(text) ?? hitsOfOne(text, path);
  if (fileHits !== null) return fileHits;
  const groups: { path: string | null; lines: NumberedLine[] }[] = [];
  const lines = text.split('\n');
  const paths = lines.map((line) => HIT.exec(line)?.[1] ?? null);
  if (paths.every((found) => found === null)) return null;
  const after = pathsAfter(paths);
  lines.forEach((line, at) => {
    const last = groups.at(-1);
    const hit = hitLine(line, paths[at] ?? null, last?.path ?? null, after[at] ?? null);
    // What parts the hits of a file is of that file.
    const isOfLast = last !== undefined && (hit.path === last.path || (line === '--' && after[at] === last.path));
    if (isOfLast) last.lines.push(hit.line);
    else groups.push({ path: hit.path, lines: [hit.line] });
  });
  return { kind: 'hits', head: '', groups, tail: '' };
}

/** Of each line the path of the next hit. */
function pathsAfter(paths: readonly (string | null)[]): readonly (string | null)[] {
  const after: (string | null)[] = [];
  let next: string | null = null;
  for (let at = paths.length - 1; at >= 0; at--) {
    after[at] = next;
    next = paths[at] ?? next;
  }
  return after;
}

/** A line and the file it is of; a line around a hit is of the file of the hit before or after it. */
function hitLine(line: string, own: string | null, ...near: readonly (string | null)[]) {
  for (const path of own === null ? near : [own]) {
    if (path === null || !line.startsWith(path)) continue;
    const [, number, text] = /^[:-](\d+)[:-](.*)$/s.exec(line.slice(path.length)) ?? [];
    if (number !== undefined && text !== undefined) return { path, line: { number: Number(number), text } };
  }
  return { path: null, line: { number: null, text: line } };
}

/** Hits of one file, each line under its number; null: other lines are among them. */
function hitsOfOne(text: string, path: string | null): ResultView | null {
  const all = text.split('\n');
  const isLine = all.map((line) => LINE.test(line));
  const first = isLine.indexOf(true);
  const last = isLine.lastIndexOf(true);
  const lines = all.slice(first, last + 1);
  if (first < 0 || first > 5 || lines.some((line) => line !== '--' && !LINE.test(line))) return null;
  if (!lines.some((line) => LINE.exec(line)?.[2] === ':')) return null;
  const head = all.slice(0, first).map((line) => `${line}\n`);
  const tail = all.slice(last + 1).map((line) => `\n${line}`);
  const found = lines.map((line): NumberedLine => {
    const [, number, , rest = line] = LINE.exec(line) ?? [];
    return { number: number === undefined ? null : Number(number), text: rest };
  });
  return { kind: 'hits', head: head.join(''), groups: [{ path, lines: found }], tail: tail.join('') };
}

/** Gemini CLI: `Found N matches …`, then of each file `---`, `File: path`, `L12: text`. */
function geminiHits(text: string): ResultView | null {
  const [head = '', ...blocks] = text.split(/^---\nFile: /m);
  if (blocks.length === 0 || !head.startsWith('Found ')) return null;
  const groups = blocks.map((block): HitGroup => {
    const [path = null, ...lines] = block.replace(/\n$/, '').split('\n');
    return { path, lines: lines.map((line) => numberedLine(line)) };
  });
  return { kind: 'hits', head, groups, tail: '' };
}
