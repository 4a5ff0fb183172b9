// Items of OpenAI's Responses API, as Codex writes them to disk and requests and responses carry them. An item is no
// message: an answer is several items in a row. They are joined here into messages made of the items' own texts.

import type { Usage } from '../../model/message.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { defined, titleOf } from './shared.ts';
import { elementSpans, sliceAt, spanAt } from './slices.ts';

/** An item: its exact JSON text and what it parses to. */
export interface ResponseItem {
  readonly text: string;
  readonly value: Fields;
}

/** A message's JSON text and what it parses to. */
export interface JoinedMessage {
  readonly text: string;
  readonly value: Fields;
}

/** What an item is to a conversation: part of the model's answer, a call's output, another's message, or neither. */
export type ItemKind = 'answer' | 'output' | 'message' | 'none';

// Known, and no part of what the model reads or says.
const NEITHER: ReadonlySet<string> = new Set(['ghost_snapshot', 'item_reference', 'compaction_trigger']);
const ANSWERS: ReadonlySet<string> = new Set([
  'reasoning',
  'compaction',
  'context_compaction',
  'compaction_summary',
  'mcp_list_tools',
  'mcp_approval_request',
]);

/** Distinguishes the kinds by `type`, or by `role` where an item has no type. */
export function itemKind(item: Fields): ItemKind {
  const type = stringAt(item, 'type') ?? (stringAt(item, 'role') === undefined ? '' : 'message');
  if (type === 'message') {
    if (stringAt(item, 'role') === undefined || !Object.hasOwn(item, 'content')) return 'none';
    return item.role === 'assistant' ? 'answer' : 'message';
  }
  // What another agent says to this one.
  if (type === 'agent_message') return Object.hasOwn(item, 'content') ? 'message' : 'none';
  if (type.endsWith('_output')) return 'output';
  if (NEITHER.has(type)) return 'none';
  return ANSWERS.has(type) || type.endsWith('_call') ? 'answer' : 'none';
}

/** True for an item of a type that is known, of whatever kind. */
export function isKnownItem(item: Fields): boolean {
  return itemKind(item) !== 'none' || NEITHER.has(stringAt(item, 'type') ?? '');
}

/** `{"role":"assistant","content":[…]}`: a message item gives its content blocks, any other item itself. */
export function joinAnswer(items: readonly ResponseItem[]): JoinedMessage {
  const [only] = items;
  const lone = items.length === 1 && only && isMessage(only.value) ? stringAt(only.value, 'content') : undefined;
  if (only && lone !== undefined) {
    const content = sliceAt(only.text, ['content']) ?? '""';
    return { text: `{"role":"assistant","content":${content}}`, value: { role: 'assistant', content: lone } };
  }
  const blocks = items.flatMap(blocksOf);
  const text = `{"role":"assistant","content":[${blocks.map((block) => block.text).join(',')}]}`;
  return { text, value: { role: 'assistant', content: blocks.map((block) => block.value) } };
}

function isMessage(item: Fields): boolean {
  const type = stringAt(item, 'type');
  return type === 'message' || (type === undefined && Object.hasOwn(item, 'role'));
}

function blocksOf(item: ResponseItem): { readonly text: string; readonly value: unknown }[] {
  if (!isMessage(item.value)) return [item];
  const content = ownAt(item.value, 'content');
  const span = spanAt(item.text, ['content']);
  if (!span || content === null || content === '') return [];
  if (!Array.isArray(content)) return [{ text: item.text.slice(span.start, span.end), value: content }];
  const values: readonly unknown[] = content;
  return elementSpans(item.text, span.start).map(({ start, end }, i) => ({
    text: item.text.slice(start, end),
    value: values[i],
  }));
}

/** A user's, developer's or system's message: its role and content. Another agent's message reads as a user's. */
export function messageOf(item: ResponseItem): JoinedMessage {
  const role = stringAt(item.value, 'role') ?? 'user';
  const content = sliceAt(item.text, ['content']) ?? '""';
  const value = { role, content: Object.hasOwn(item.value, 'content') ? item.value.content : '' };
  return { text: `{"role":${JSON.stringify(role)},"content":${content}}`, value };
}

/** `{"role":"tool","tool_call_id":…,"content":…}` of an output item; a tool search gives the tools it found. */
export function outputOf(item: ResponseItem): JoinedMessage {
  const key = ['output', 'tools', 'result'].find((name) => Object.hasOwn(item.value, name));
  const content = (key === undefined ? null : sliceAt(item.text, [key])) ?? '""';
  // Older local shells name the call by `id` alone.
  const idKey = ['call_id', ...(item.value.type === 'local_shell_call_output' ? ['id'] : [])].find(
    (name) => stringAt(item.value, name) !== undefined,
  );
  const id = idKey === undefined ? null : sliceAt(item.text, [idKey]);
  const text = `{"role":"tool",${id === null ? '' : `"tool_call_id":${id},`}"content":${content}}`;
  const named = idKey === undefined ? {} : { tool_call_id: stringAt(item.value, idKey) };
  return { text, value: { role: 'tool', ...named, content: key === undefined ? '' : ownAt(item.value, key) } };
}

// What Codex says in place of an output when it could not do what was asked: there is no exit code then.
const FAILED_HEAD =
  /^(?:[a-z_]+(?: verification)? failed(?: for `[^`]*`)?: |(?:tool call|execution) error: |err: |failed to parse function arguments: |unsupported (?:custom tool )?call: |patch rejected(?: by user|: )|exec command rejected by user|aborted by user|unable to locate image at )/;

/**
 * True if the head of an output, as Codex writes it, says that the call was refused or could not be run, or has an exit code other than 0: `Process exited with code 1` before its `Output:`,
 * `Exit code: 1` on its first line, or `metadata.exit_code` of the JSON that releases up to 0.57 wrote.
 */
export function saysFailure(output: unknown): boolean {
  const content = Array.isArray(output) ? firstText(output) : output;
  if (typeof content !== 'string') return false;
  if (content.startsWith('{"output"')) return failedInJson(content);
  if (FAILED_HEAD.test(content)) return true;
  const head = content.slice(0, 1000).split(/^(?:Output|Final output):/m, 1)[0] ?? '';
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head)?.[1];
  return code !== undefined && Number(code) !== 0;
}

function firstText(blocks: readonly unknown[]): unknown {
  const [first] = blocks;
  return isRecord(first) ? ownAt(first, 'text') : undefined;
}

function failedInJson(content: string): boolean {
  try {
    const value: unknown = JSON.parse(content);
    if (!isRecord(value)) return false;
    const code = numberAt(recordAt(value, 'metadata') ?? {}, 'exit_code');
    return code === undefined ? FAILED_HEAD.test(stringAt(value, 'output') ?? '') : code !== 0;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Usage as the Responses API and Codex record it (`input_tokens` includes cached tokens; given as recorded). */
export function responsesUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const input = recordAt(value, 'input_tokens_details') ?? {};
  const output = recordAt(value, 'output_tokens_details') ?? {};
  const usage = defined({
    input: numberAt(value, 'input_tokens'),
    output: numberAt(value, 'output_tokens'),
    cacheRead: numberAt(value, 'cached_input_tokens') ?? numberAt(input, 'cached_tokens'),
    cacheWrite: numberAt(value, 'cache_write_input_tokens'),
    reasoning: numberAt(value, 'reasoning_output_tokens') ?? numberAt(output, 'reasoning_tokens'),
    total: numberAt(value, 'total_tokens'),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** The texts of an item: of its content blocks and of its reasoning summary. */
export function textsOf(item: Fields): string[] {
  const content = ownAt(item, 'content');
  if (typeof content === 'string') return [content];
  const blocks = [...(Array.isArray(content) ? content : []), ...(arrayAt(item, 'summary') ?? [])];
  return blocks.flatMap((block: unknown) => (isRecord(block) ? (stringAt(block, 'text') ?? []) : []));
}

const INJECTED =
  /^\s*(# AGENTS\.md instructions|<(environment_context|user_instructions|turn_aborted|permissions instructions|skills?|skill_instructions|skills_instructions|apps_instructions|plugins_instructions|collaboration_mode|subagent_notification|user_shell_command|model_switch|INSTRUCTIONS|realtime_conversation|personality_spec)\b)/;

/** True if the client wrote the message: a developer's, or nothing but wrappers the client puts around its own text. */
export function isInjected(item: Fields): boolean {
  if (item.type === 'agent_message' || item.role === 'developer') return true;
  const texts = textsOf(item);
  const content = arrayAt(item, 'content');
  if (content && content.length > texts.length) return false;
  return texts.length > 0 && texts.every((text) => INJECTED.test(text));
}

const IDE_REQUEST = /## My request for Codex:\s*/;

/** What a person wrote, for a title; undefined if nobody did. */
export function titleOfItem(item: Fields): string | undefined {
  if (item.role !== 'user' || isInjected(item)) return undefined;
  for (const text of textsOf(item)) {
    const title = INJECTED.test(text) ? undefined : titleOf(text.split(IDE_REQUEST).at(-1) ?? '');
    if (title !== undefined) return title;
  }
  return undefined;
}
