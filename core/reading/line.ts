// browser-safe
// The point of a call and of a result in one line, for rows: said by the same view that draws it whole.
import { isRecord, stringAt } from '../util/unknown.ts';
import { callView } from './callView.ts';
import { parsedJson } from './json.ts';
import { pagesOf, providerView } from './providerView.ts';
import { linesOf, outputView } from './resultView.ts';
import type { CallBody, DiffLine, Field, FileChange, FoundPage, TodoItem } from './types.ts';

/** Beyond this many characters a call is not looked into for its line. */
const MOST = 200_000;
/** Files that a line names. */
const FILES = 4;

/**
 * The point of a call without its tool's name: `src/a.ts +3 −1`, `2 of 5 done · now: Run the tests`. Null: the view says
 * no more than the arguments themselves. White space is left as it is.
 */
export function callPoint(name: string | null, text: string): string | null {
  if (text.length > MOST) return null;
  const view = callView(name, text);
  return view === null ? null : pointOf(view.body);
}

function pointOf(body: CallBody): string | null {
  switch (body.kind) {
    case 'terminal':
      return body.command;
    case 'diff':
      return filesLine(body.files);
    case 'file':
      return words(shortPath(body.path), body.range);
    case 'search':
      return words(body.pattern, moreOf(body.others), body.where === null ? null : `in ${shortPath(body.where)}`);
    case 'todo':
      return todoLine(body.items);
    case 'web':
      return words(body.target, body.question, moreOf(body.others));
    case 'agent':
      return words(body.type === null ? null : `${body.type}:`, body.title ?? body.prompt);
    case 'fields':
      return null;
  }
}

/** How many more there are beside what is named. */
function moreOf(others: readonly string[]): string | null {
  return others.length === 0 ? null : `+${others.length} more`;
}

/** Of what a block of the provider's says beside its point, which says nothing of it. */
const ASIDE: ReadonlySet<string> = new Set(['id', 'tool_use_id', 'tool_call_id', 'container_id', 'server_label']);

/** The point of a call that the provider ran itself, or of what it found; null: the block is another, or says none. */
export function providerPoint(name: string | null, text: string): string | null {
  if (text.length > MOST) return null;
  const view = providerView(text);
  if (view === null) return null;
  const { call, pages, output, rest } = view;
  const said = call === null ? null : (pointOf(call.body) ?? fieldsPoint(call.rest));
  if (said !== null) return words(name, said);
  if (pages.length > 0) return foundLine(pages);
  return output === null ? words(name, fieldsPoint(rest.filter(({ name: key }) => !ASIDE.has(key)))) : output.text;
}

function foundLine(pages: readonly FoundPage[]): string {
  return words(`${pages.length} found:`, pages.map(({ title, address }) => title ?? address).join(', '));
}

function fieldsPoint(fields: readonly Field[]): string {
  return fields.map(({ name, value }) => `${name}: ${value}`).join(', ');
}

/** Paths above this length are shortened: what changed in a file must not be cut off for the folders that it is in. */
const PATH = 48;

/** `…/reading/line.ts` of a long path: its last names. */
function shortPath(path: string): string {
  if (path.length <= PATH) return path;
  const [last = ''] = /[^\\/]*[\\/]?[^\\/]*$/.exec(path.replace(/[\\/]$/, '')) ?? [];
  const separator = path.includes('/') ? '/' : '\\';
  return last === '' || last.length >= path.length - 1 ? path : `…${separator}${last}`;
}

function words(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' ');
}

function filesLine(files: readonly FileChange[]): string {
  const named = files.slice(0, FILES).map(fileLine).join(', ');
  return files.length > FILES ? `${named}, ${files.length - FILES} more` : named;
}

function fileLine({ path: whole, change, movedTo, lines }: FileChange): string {
  const path = shortPath(whole);
  if (change === 'delete') return words(path, 'deleted');
  const to = movedTo === null ? null : `→ ${shortPath(movedTo)}`;
  const added = count(lines, 'in');
  if (change === 'write') return words(path, to, `${added} ${added === 1 ? 'line' : 'lines'}`);
  const removed = count(lines, 'out');
  return words(path, to, added > 0 ? `+${added}` : null, removed > 0 ? `−${removed}` : null);
}

function count(lines: readonly DiffLine[], kind: DiffLine['kind']): number {
  return lines.reduce((sum, line) => (line.kind === kind ? sum + 1 : sum), 0);
}

function todoLine(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'empty list';
  const done = items.filter(({ state }) => state === 'done').length;
  const active = items.find(({ state }) => state === 'active');
  const figure = `${done} of ${items.length} done`;
  return active === undefined ? figure : `${figure} · now: ${active.text}`;
}

/** A line shows no more of an output than is within so many characters. */
const HEAD = 4_000;

/** An output without the numbers that a tool set before the lines of a file. */
function withoutNumbers(output: string): string {
  const { head, lines } = linesOf(output.slice(0, HEAD), null);
  const [first, second] = lines;
  const isCounted = first?.number != null && second?.number === first.number + 1;
  return isCounted && head === '' ? lines.map(({ text }) => text).join('\n') : output;
}

/** What a search of the web found, or a page that was fetched, where the tool wraps it as JSON; null = it is neither. */
function wrappedPoint(text: string): string | null {
  if (!text.startsWith('{') || text.length > MOST) return null;
  const value = parsedJson(text);
  if (!isRecord(value)) return null;
  const pages = pagesOf(value, new Set());
  if (pages.length > 0) return foundLine(pages);
  return stringAt(value, 'url') === undefined ? null : (stringAt(value, 'title') ?? stringAt(value, 'text') ?? null);
}

/**
 * What a result says first: without the lines that a tool writes in front of the output and the numbers of a file's lines,
 * and with the exit code where it is not 0. White space is left as it is; '' = the output is empty.
 */
export function resultPoint(text: string): string {
  const wrapped = wrappedPoint(text);
  if (wrapped !== null) return wrapped;
  const view = outputView(text);
  const { exit } = view;
  const output = withoutNumbers(view.text);
  if (exit === null || exit === 0) return output;
  return output.trim() === '' ? `exit ${exit}` : `exit ${exit} · ${output}`;
}
