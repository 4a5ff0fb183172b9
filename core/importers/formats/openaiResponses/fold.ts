// Items to messages, and what makes two messages the same one: a response writes ids, states and empty fields that the
// next request leaves out when it sends the same items back.

import { canonicalJson } from '../../../util/json/index.ts';
import { type Fields, isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { FoldMessage, FoldRules } from '../../reading/requestFolder.ts';
import { itemKind, joinAnswer, messageOf, outputOf, type ResponseItem } from '../../reading/responsesItems.ts';
import { elementSpans, spanAt } from '../../reading/slices.ts';

const COMMON_KEYS = new Set(['id', 'status', 'annotations', 'logprobs', 'phase', 'created_by', 'metadata']);

/** How messages of this API are compared. */
export const rules: FoldRules = { format: 'openai-responses', identity: identityOf, answer: answerOf };

/** The items of a list of a record, in order; what is not an object is left out. */
export function itemsAt(text: string, path: readonly string[], values: readonly unknown[]): ResponseItem[] {
  const list = spanAt(text, path);
  if (!list || text.charAt(list.start) !== '[') return [];
  return elementSpans(text, list.start).flatMap(({ start, end }, i) => {
    const value = values[i];
    return isRecord(value) ? [{ text: text.slice(start, end), value }] : [];
  });
}

/** Items as messages: those of one answer in a row are one. Items that are not part of a conversation are left out. */
export function messagesOf(items: readonly ResponseItem[]): FoldMessage[] {
  const messages: FoldMessage[] = [];
  let answer: ResponseItem[] = [];
  const flush = (): void => {
    if (answer.length > 0) messages.push(joinAnswer(answer));
    answer = [];
  };
  for (const item of items) {
    const kind = itemKind(item.value);
    if (kind === 'none') continue;
    if (kind !== 'answer' || !sameAnswer(answer.at(-1), item)) flush();
    if (kind === 'answer') answer.push(item);
    else messages.push(kind === 'output' ? outputOf(item) : messageOf(item));
  }
  flush();
  return messages;
}

/** False if the items say that different responses made them. */
export function sameAnswer(before: ResponseItem | undefined, item: ResponseItem): boolean {
  if (!before) return true;
  if (before.value.type === 'compaction' && item.value.type === 'compaction') return false;
  const [a, b] = [stringAt(before.value, 'created_by'), stringAt(item.value, 'created_by')];
  return a === undefined || b === undefined || a === b;
}

function blocksOf(message: FoldMessage): readonly unknown[] {
  const content = isRecord(message.value) ? ownAt(message.value, 'content') : undefined;
  if (Array.isArray(content)) return content;
  return content === '' || content === undefined ? [] : [{ type: 'text', text: content }];
}

function identityOf(message: FoldMessage): string {
  const fields = isRecord(message.value) ? message.value : {};
  const blocks = blocksOf(message).map((block) => (isRecord(block) ? distinctive(block) : block));
  return canonicalJson(JSON.stringify([fields.role ?? null, fields.tool_call_id ?? null, blocks]));
}

function distinctive(block: Fields): Fields {
  const isEmpty = (value: unknown): boolean =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const kept = Object.entries(block).filter(([key, value]) => !COMMON_KEYS.has(key) && !isEmpty(value));
  // Plain text is the same under every name the API has for it.
  const texts = new Set<unknown>(['input_text', 'output_text']);
  return Object.fromEntries(kept.map(([key, value]) => [key, key === 'type' && texts.has(value) ? 'text' : value]));
}

// Coarser: texts and calls. Reasoning need not be sent back.
function answerOf(message: FoldMessage): string {
  const said = blocksOf(message).flatMap((block) => {
    if (!isRecord(block) || block.type === 'reasoning') return [];
    return [['text', 'refusal', 'call_id', 'name', 'arguments', 'input'].map((key) => ownAt(block, key) ?? null)];
  });
  const role = isRecord(message.value) ? (message.value.role ?? null) : null;
  return JSON.stringify([role, said]);
}
