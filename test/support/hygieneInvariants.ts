// What holds of a repaired history, told without the code that repairs it.
import type { Change } from '../../core/stages/hygiene/index.ts';
import { isRecord, ownAt, stringAt } from '../../core/util/unknown.ts';

/** What is asked for. */
export interface InvariantOptions {
  /** Every call has exactly one result directly after its turn; no result without its call. */
  readonly callsNeedResults: boolean;
  /** No two calls share an id. */
  readonly distinctIds: boolean;
  /** What was dropped on purpose counts as not lost. */
  readonly changes: readonly Change[];
}

/** The invariants broken between the messages before and after, in words. */
export function brokenInvariants(
  before: readonly unknown[],
  after: readonly unknown[],
  { callsNeedResults, distinctIds, changes }: InvariantOptions,
): readonly string[] {
  return [...(callsNeedResults ? brokenPairs(after, distinctIds) : []), ...lostText(before, after, changes)];
}

interface Mark {
  readonly kind: 'call' | 'result' | 'assistant' | 'other';
  readonly id: string | null;
}

// Read anew and simply: the order of calls and results as a provider sees them.
function marksOf(message: unknown): readonly Mark[] {
  if (!isRecord(message)) return [{ kind: 'other', id: null }];
  const role = stringAt(message, 'role');
  const marks: Mark[] = role === 'assistant' || role === 'model' ? [{ kind: 'assistant', id: null }] : [];
  const id = (node: Readonly<Record<string, unknown>>, ...keys: string[]): string | null =>
    keys.map((key) => stringAt(node, key)).find((value) => value !== undefined) ?? null;
  if (role === 'tool' || role === 'toolResult' || role === 'tool_result' || role === 'function') {
    const list = ownAt(message, 'tool_call_ids');
    const only = Array.isArray(list) && typeof list[0] === 'string' ? list[0] : null;
    const own = only ?? id(message, 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId');
    const fallback = 'requestor' in message ? id(message, 'id') : null;
    return [{ kind: 'result', id: own ?? fallback }];
  }
  const blocks = [...asList(ownAt(message, 'content')), ...asList(ownAt(message, 'parts'))];
  if (role === 'assistant' || role === 'model') {
    for (const call of asList(ownAt(message, 'tool_calls'))) {
      if (isRecord(call)) marks.push({ kind: 'call', id: id(call, 'id', 'tool_call_id', 'toolCallId', 'call_id') });
    }
  }
  for (const block of blocks) {
    if (!isRecord(block)) continue;
    const type = stringAt(block, 'type') ?? '';
    if (['tool_use', 'toolCall', 'toolUse', 'functionCall', 'tool-call'].includes(type) && role !== 'user') {
      marks.push({ kind: 'call', id: id(block, 'id', 'tool_call_id', 'toolCallId', 'call_id') });
    } else if (type.endsWith('_call') && typeof block.call_id === 'string') {
      marks.push({ kind: 'call', id: block.call_id });
    } else if (type === 'tool_result' || type === 'tool-result') {
      marks.push({ kind: 'result', id: id(block, 'tool_use_id', 'tool_call_id', 'toolCallId', 'toolUseId', 'id') });
    } else marks.push({ kind: 'other', id: null });
  }
  if (blocks.length === 0 && marks.length === 0) marks.push({ kind: 'other', id: null });
  return marks;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function brokenPairs(messages: readonly unknown[], distinctIds: boolean): readonly string[] {
  const broken: string[] = [];
  let open: string[] = [];
  const used = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const marks = marksOf(message);
    const results = marks.filter((mark) => mark.kind === 'result');
    if (results.length === 0 && open.length > 0) {
      broken.push(`before #${at}: ${open.join(', ')} has no result directly after its turn`);
      open = [];
    }
    for (const { id } of results) {
      if (id === null) continue;
      const place = open.indexOf(id);
      if (place < 0) broken.push(`#${at}: the result ${id} answers no call right before it`);
      else open.splice(place, 1);
    }
    for (const mark of marks) {
      if (mark.kind !== 'call' || mark.id === null) continue;
      if (distinctIds && used.has(mark.id)) broken.push(`#${at}: the id ${mark.id} is used twice`);
      used.add(mark.id);
      open.push(mark.id);
    }
  }
  if (open.length > 0) broken.push(`at the end: ${open.join(', ')} has no result`);
  return broken;
}

/** Every text of a message, wherever it is. */
function textsOf(value: unknown, into: string[] = []): string[] {
  if (Array.isArray(value)) for (const each of value) textsOf(each, into);
  if (!isRecord(value)) return into;
  for (const key of ['content', 'text', 'thinking', 'output', 'refusal']) {
    const own = ownAt(value, key);
    if (typeof own === 'string' && own.trim() !== '') into.push(own);
  }
  for (const key of ['content', 'parts', 'response', 'functionResponse']) textsOf(ownAt(value, key), into);
  return into;
}

function lostText(
  before: readonly unknown[],
  after: readonly unknown[],
  changes: readonly Change[],
): readonly string[] {
  const left = new Set(
    textsOf(after).flatMap((text) => [text, text.replace(/^\[Inter-session message\][^\n]*\n/, '')]),
  );
  // What a rule said it dropped: the text of the change's message.
  for (const change of changes) {
    if (change.kind === 'dropped' || DROPS_PARTS.has(change.chip)) {
      for (const text of textsOf(JSON.parse(change.before.text))) left.add(text);
    }
  }
  const lost = before.flatMap((message) => textsOf(message)).filter((text) => !left.has(text));
  return lost.map((text) => `text was lost: ${JSON.stringify(text.slice(0, 120))}`);
}

const DROPS_PARTS = new Set([
  'orphan',
  'duplicate',
  'malformed call',
  'unfinished call',
  'reasoning',
  // Antigravity's Claude takes no thinking without a signature: its profile drops it.
  'unsigned thinking',
  'image',
  'details',
]);
