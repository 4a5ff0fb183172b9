// What is being asked and not committed yet: a text, or entries as a thread has them. Source: the thread design,
// "ProjectionInput" and "Segment Builders".
import {
  atom,
  callIdOf,
  callsText,
  messageText,
  resultText,
  THREAD_ROLES,
  type ThreadEntry,
} from '../../model/threadEntry.ts';
import { isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { optionAt } from '../../view/optionAt.ts';
import { describeValue, type OptionReader } from '../../view/optionReader.ts';
import type { Estimator } from './entries.ts';

/** What is pending: messages in order. */
export interface Pending {
  readonly messages: readonly PendingMessage[];
  /** Number of entries they were made of: the calls of one answer are one message. */
  readonly entries: number;
}

/** One message: a text under a role, which takes the shape of the view, or JSON text as it is. */
export type PendingMessage = Said | { readonly json: string };

interface Said {
  readonly role: (typeof SAID_BY)[number];
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

const SAID_BY = ['system', 'user', 'assistant'] as const;
const KINDS = ['message', 'tool_call', 'tool_result'];

/** The option `pending`; null if nothing is: an empty text says nothing. Each fault is named with its place. */
export function readPending(options: Fields, name: string, reader: OptionReader): Pending | null {
  const given = optionAt(options, name);
  if (given === undefined || given === null || given === '') return null;
  if (typeof given === 'string') return { messages: [{ role: 'user', text: given }], entries: 1 };
  if (!Array.isArray(given)) {
    reader.error(name, `Option ${name} must be a string or a list of entries; given: ${describeValue(given)}.`);
    return null;
  }
  const entries = given.flatMap((value, at) => readEntry(value, `${name}[${at}]`, reader) ?? []);
  return entries.length === 0 ? null : { messages: messagesOf(entries), entries: entries.length };
}

function readEntry(value: unknown, name: string, reader: OptionReader): ThreadEntry | null {
  const fields = typeof value === 'string' ? { role: 'user', content: value } : value;
  if (!isRecord(fields)) {
    return refuse(reader, name, 'a text or an entry {kind, payload, refs}', value);
  }
  // A message may stand for its entry.
  const isBare = !Object.hasOwn(fields, 'kind') && !Object.hasOwn(fields, 'payload');
  const kind = isBare ? 'message' : atom(stringAt(fields, 'kind') ?? '');
  const payload = isBare ? fields : recordAt(fields, 'payload');
  if (!KINDS.includes(kind)) return refuse(reader, `${name}.kind`, `one of ${KINDS.join(', ')}`, ownAt(fields, 'kind'));
  const at = isBare ? name : `${name}.payload`;
  if (payload === undefined) return refuse(reader, at, 'an object', ownAt(fields, 'payload'));
  if (kind === 'message' && ownAt(payload, 'content') === '') return null;
  const refs = isBare ? {} : (recordAt(fields, 'refs') ?? {});
  return isSound(kind, payload, at, reader)
    ? { text: JSON.stringify({ kind, payload, refs }), kind, payload, refs }
    : null;
}

function isSound(kind: string, payload: Fields, at: string, reader: OptionReader): boolean {
  if (kind === 'message') {
    const role = ownAt(payload, 'role') ?? 'user';
    const content = ownAt(payload, 'content');
    if (typeof role !== 'string' || !THREAD_ROLES.has(atom(role))) {
      refuse(reader, `${at}.role`, `one of ${[...THREAD_ROLES].join(', ')}`, role);
    } else if (typeof content !== 'string' && !Array.isArray(content)) {
      refuse(reader, `${at}.content`, 'a text or a list of blocks', content);
    } else return true;
    return false;
  }
  if (kind === 'tool_call') {
    const called = ownAt(payload, 'name');
    if (typeof called !== 'string') refuse(reader, `${at}.name`, 'the name of a tool', called);
    return typeof called === 'string';
  }
  const isAnswered = Object.hasOwn(payload, 'result') || Object.hasOwn(payload, 'content');
  if (!isAnswered) refuse(reader, `${at}.result`, 'the result of a call', undefined);
  return isAnswered;
}

function refuse(reader: OptionReader, name: string, accepted: string, given: unknown): null {
  const found = given === undefined ? 'it is missing' : `given: ${describeValue(given)}`;
  reader.error(name, `Option ${name} must be ${accepted}; ${found}.`);
  return null;
}

// The calls of one answer follow each other; results are separate messages.
function messagesOf(entries: readonly ThreadEntry[]): readonly PendingMessage[] {
  const messages: PendingMessage[] = [];
  let calls: ThreadEntry[] = [];
  const flush = () => {
    if (calls.length > 0) messages.push({ json: callsText(calls) });
    calls = [];
  };
  for (const entry of entries) {
    const [first] = calls;
    if (entry.kind !== 'tool_call' || (first !== undefined && callIdOf(first) !== callIdOf(entry))) flush();
    if (entry.kind === 'tool_call') calls.push(entry);
    else messages.push(entry.kind === 'message' ? messageOf(entry) : { json: resultText(entry) });
  }
  flush();
  return messages;
}

function messageOf(entry: ThreadEntry): PendingMessage {
  const { payload } = entry;
  const name = atom(stringAt(payload, 'role') ?? 'user');
  const role = SAID_BY.find((each) => each === name);
  const text = stringAt(payload, 'content');
  const isPlain = Object.keys(payload).every((key) => key === 'role' || key === 'content');
  return role !== undefined && text !== undefined && isPlain ? { role, text } : { json: messageText(entry) };
}

/** What it takes. */
export function pendingTokens(pending: Pending | null, estimator: Estimator): number {
  let tokens = 0;
  for (const message of pending?.messages ?? []) {
    if ('text' in message) tokens += estimator.text(message.text);
    else tokens += estimator.item({ kind: 'synthetic', text: message.json, covers: { from: 0, to: 0 }, stage: 0 });
  }
  return tokens;
}
