// browser-safe
import { isRecord } from '../util/unknown.ts';
import { familyOfCall } from './callView.ts';
import type { HitGroup, NumberedLine, OutputView, ResultView } from './types.ts';

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
      return numberedOf(text, path) ?? plainLines(text, path);
    case 'search':
      return hitsOf(text);
    case 'web':
    case 'agent':
      return /^\s*[[{]/.test(text) ? null : { kind: 'prose', text };
    case 'edit':
    case 'write':
      return numberedOf(text, path);
    case 'todo':
    case 'image':
    case null:
      return null;
  }
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch (error) {
    // Not JSON, or cut: then the tool's name alone says the family.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
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
  const { output, metadata, ...others } = argumentsOf(text) ?? {};
  if (typeof output !== 'string' || !isRecord(metadata) || Object.keys(others).length > 0) return null;
  const exit = typeof metadata.exit_code === 'number' ? metadata.exit_code : null;
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

function numberedOf(text: string, path: string | null): ResultView | null {
  const all = text.split('\n');
  const isLine = all.map((line) => NUMBERED.test(line));
  const first = isLine.indexOf(true);
  const last = isLine.lastIndexOf(true);
  if (first < 0 || first > 20 || isLine.slice(first, last + 1).some((one) => !one)) return null;
  const lines = all.slice(first, last + 1).map(numberedLine);
  const head = all.slice(0, first).map((line) => `${line}\n`);
  const tail = all.slice(last + 1).map((line) => `\n${line}`);
  return { kind: 'lines', path, head: head.join(''), lines, tail: tail.join('') };
}

function numberedLine(line: string): NumberedLine {
  const [, l, zero, plain, text] = NUMBERED.exec(line) ?? [];
  const number = l ?? zero ?? plain;
  return { number: number === undefined ? null : Number(number), text: text ?? line };
}

/** A file's text as the tool gave it: where it begins is not known, so its lines have no numbers. */
function plainLines(text: string, path: string | null): ResultView {
  return {
    kind: 'lines',
    path,
    head: '',
    lines: text.split('\n').map((line) => ({ number: null, text: line })),
    tail: '',
  };
}

// `path:12:text` (ripgrep, grep -n), `path-12-text` around a hit is left as it is.
const HIT = /^((?:[A-Za-z]:)?[^\n:]{1,300}):(\d+):(.*)$/s;

function hitsOf(text: string): ResultView | null {
  const fileHits = geminiHits(text);
  if (fileHits !== null) return fileHits;
  const groups: { path: string | null; lines: NumberedLine[] }[] = [];
  let hits = 0;
  for (const line of text.split('\n')) {
    const [, path = null, number, rest = line] = HIT.exec(line) ?? [];
    if (path !== null) hits++;
    let group = groups.at(-1);
    if (group === undefined || group.path !== path) {
      group = { path, lines: [] };
      groups.push(group);
    }
    group.lines.push({ number: number === undefined ? null : Number(number), text: rest });
  }
  return hits === 0 ? null : { kind: 'hits', head: '', groups, tail: '' };
}

/** Gemini CLI: `Found N matches …`, then of each file `---`, `File: path`, `L12: text`. */
function geminiHits(text: string): ResultView | null {
  const [head = '', ...blocks] = text.split(/^---\nFile: /m);
  if (blocks.length === 0 || !head.startsWith('Found ')) return null;
  const groups = blocks.map((block): HitGroup => {
    const [path = null, ...lines] = block.replace(/\n$/, '').split('\n');
    return { path, lines: lines.map(numberedLine) };
  });
  return { kind: 'hits', head, groups, tail: '' };
}
