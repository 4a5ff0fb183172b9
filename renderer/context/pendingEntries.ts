// Entries of a thread that are pending, as a policy's option lists them: what a field shows of them, and edits of the list.
import { isRecord, recordAt, stringAt } from '../../core/util/unknown.ts';

/** One entry on screen. */
export interface ShownEntry {
  /** What it is: `user`, `call look`, `result`. */
  readonly label: string;
  /** The words of a message, which can be edited; null = it holds something else. */
  readonly text: string | null;
  /** Everything it says. */
  readonly json: string;
}

/** The entries of an option that lists them; null if it is a text, or nothing. */
export function entriesIn(given: unknown): readonly unknown[] | null {
  return Array.isArray(given) ? given : null;
}

/** An entry for people. */
export function shownEntry(entry: unknown): ShownEntry {
  const json = JSON.stringify(entry);
  if (typeof entry === 'string') return { label: 'user', text: entry, json };
  const fields = isRecord(entry) ? entry : {};
  const payload = recordAt(fields, 'payload') ?? fields;
  const kind = plain(stringAt(fields, 'kind') ?? 'message');
  const name = stringAt(payload, 'name') ?? '';
  if (kind === 'tool_call') return { label: `call ${name}`.trim(), text: null, json };
  if (kind === 'tool_result') return { label: `result ${name}`.trim(), text: null, json };
  return { label: plain(stringAt(payload, 'role') ?? 'user'), text: stringAt(payload, 'content') ?? null, json };
}

function plain(atom: string): string {
  return atom.replace(/^:/, '');
}

/** The list with another text in one of its messages. */
export function withText(entries: readonly unknown[], at: number, text: string): readonly unknown[] {
  return entries.map((entry, index) => (index === at ? saying(entry, text) : entry));
}

function saying(entry: unknown, text: string): unknown {
  if (!isRecord(entry)) return text;
  const payload = recordAt(entry, 'payload');
  return payload === undefined ? { ...entry, content: text } : { ...entry, payload: { ...payload, content: text } };
}

/** The option with a further message by the user, empty as yet. */
export function withMessage(given: unknown): readonly unknown[] {
  const before = entriesIn(given) ?? (typeof given === 'string' && given !== '' ? [messageOf(given)] : []);
  return [...before, messageOf('')];
}

function messageOf(content: string): unknown {
  return { kind: 'message', payload: { role: 'user', content } };
}

/** The option without an entry: a text again where a lone message by the user is left. */
export function withoutEntry(entries: readonly unknown[], at: number): readonly unknown[] | string {
  const rest = entries.filter((_, index) => index !== at);
  const [only, ...others] = rest;
  if (only === undefined) return '';
  const shown = shownEntry(only);
  return others.length === 0 && shown.label === 'user' && shown.text !== null ? shown.text : rest;
}
