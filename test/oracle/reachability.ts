// Reachability, slow and obvious: parsed values, regular expressions, every result against every root. The fast one in
// core/stages/harn is held to it on random transcripts.
import { isRecord, ownAt } from '../../core/util/unknown.ts';

/** A result found unreachable: the message, and the block if it is one. */
export type Reclaimed = readonly [index: number, block: number | null];

/** Options of a run. `texts` = the caller's root texts. */
export interface OracleOptions {
  readonly rootWindow: number;
  readonly minChars: number;
  readonly texts?: readonly string[];
}

interface Result {
  readonly index: number;
  readonly block: number | null;
  readonly node: Record<string, unknown>;
  readonly id: unknown;
  readonly name: unknown;
}

/** The results of `messages` that reachability_gc reclaims, in order. */
export function reclaimedByOracle(messages: readonly unknown[], options: OracleOptions): Reclaimed[] {
  const start = Math.max(0, messages.length - options.rootWindow);
  const roots = new Set<string>();
  for (const text of options.texts ?? []) for (const token of tokens(text)) roots.add(token);
  for (const message of messages.slice(start)) collectRoots(message, roots);
  const reclaimed: Reclaimed[] = [];
  for (const result of results(messages.slice(0, start))) {
    const content = ownAt(result.node, 'content');
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    if ([...text].length < options.minChars || isError(result.node, text)) continue;
    const named = identifiers(result, text, messages).some((identifier) => roots.has(identifier));
    if (!named) reclaimed.push([result.index, result.block]);
  }
  return reclaimed;
}

function results(messages: readonly unknown[]): Result[] {
  const found: Result[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue;
    const role = ownAt(message, 'role');
    if (role === 'tool' || role === 'tool_result' || role === 'toolResult') {
      const id = message.tool_use_id ?? message.tool_call_id ?? message.toolCallId;
      if (message.content !== undefined)
        found.push({ index, block: null, node: message, id, name: message.name ?? message.toolName });
    }
    if (role !== 'user' || !Array.isArray(message.content)) continue;
    for (const [block, node] of message.content.entries()) {
      if (!isRecord(node) || node.type !== 'tool_result' || node.content === undefined) continue;
      const id = node.tool_use_id ?? node.tool_call_id ?? node.id;
      found.push({ index, block, node, id, name: node.name ?? message.name });
    }
  }
  return found;
}

function isError(node: Record<string, unknown>, text: string): boolean {
  const flag = 'is_error' in node ? node.is_error : 'error' in node ? node.error : node.isError;
  if (flag === true) return true;
  if (['error', 'failed', 'rejected', 'exception', 'denied'].includes(String(node.status))) return true;
  const lowered = text.trimStart().toLowerCase();
  return /^(error:|tool error|failed:)/.test(lowered) || lowered.includes('"is_error":true');
}

function identifiers(result: Result, text: string, messages: readonly unknown[]): string[] {
  const found = tokens(text).filter(looksLikeIdentifier);
  const { role: _role, type: _type, ...node } = result.node;
  collectIdentifiers(node, null, found);
  const call = callOf(result, messages);
  if (call !== null) {
    const { type: _callType, ...fields } = call;
    collectIdentifiers(fields, null, found);
    const inner = isRecord(fields.function) ? fields.function.arguments : fields.arguments;
    if (typeof inner === 'string') collectIdentifiers(JSON.parse(inner), null, found);
  }
  return found;
}

function callOf(result: Result, messages: readonly unknown[]): Record<string, unknown> | null {
  for (let index = result.index - 1; index >= 0; index--) {
    const message = messages[index];
    if (!isRecord(message) || message.role !== 'assistant') continue;
    for (const call of callsIn(message)) {
      const name = isRecord(call.function) ? call.function.name : call.name;
      const bothIds = call.id !== undefined && result.id !== undefined;
      if (bothIds ? call.id === result.id : name !== undefined && name === result.name) return call;
    }
  }
  return null;
}

function callsIn(message: Record<string, unknown>): Record<string, unknown>[] {
  const calls: unknown[] = Array.isArray(message.tool_calls) ? [...message.tool_calls] : [];
  const blocks: unknown[] = Array.isArray(message.content) ? message.content : [];
  calls.push(...blocks.filter((block) => isRecord(block) && /^(tool_use|toolCall)$/.test(String(block.type))));
  return calls.filter(isRecord);
}

function collectIdentifiers(value: unknown, field: string | null, found: string[]): void {
  const isReference = field !== null && REFERENCE.test(field);
  if (typeof value === 'string')
    found.push(...(isReference ? tokens(value) : tokens(value).filter(looksLikeIdentifier)));
  else if (typeof value === 'number' && isReference) found.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collectIdentifiers(item, field, found);
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) collectIdentifiers(item, key, found);
}

const REFERENCE =
  /^(ids?|number|paths?|symbols?|sha|hash|commit|revision|ref|reference|name|kind)$|_(id|ids|number|path|paths|symbol|symbols|sha|hash|ref)$/;

function collectRoots(value: unknown, roots: Set<string>): void {
  if (typeof value === 'string') for (const token of tokens(value)) roots.add(token);
  else if (typeof value === 'number') roots.add(String(value));
  else if (Array.isArray(value)) for (const item of value) collectRoots(item, roots);
  else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) if (!key.startsWith('_harn')) collectRoots(item, roots);
  }
}

/** The tokens of a text, as the spec words it. */
export function tokens(text: string): string[] {
  return text
    .split(/[^A-Za-z0-9_\-./\\:#]+/)
    .map((token) => token.replace(/^[:.]+|[:.]+$/g, ''))
    .filter((token) => token !== '');
}

/** The spec's test of an identifier. */
export function looksLikeIdentifier(token: string): boolean {
  if (token.length < 3) return false;
  if (/^#\d+$/.test(token)) return true;
  if (/[/\\]|::/.test(token)) return true;
  if (/^[0-9a-fA-F]{7,64}$/.test(token)) return true;
  if (/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/.test(token)) return true;
  if (/\.[A-Za-z0-9]{1,8}$/.test(token)) return true;
  if (token.length >= 6 && token.includes('_')) return true;
  return token.length >= 4 && /[a-z]/.test(token) && /[A-Z]/.test(token);
}
