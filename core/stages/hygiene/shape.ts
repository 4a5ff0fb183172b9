// How calls and results are written in messages of all shapes: where their ids are, what a result of a call looks
// like, how parts are taken out. Every edit is a splice; bytes that do not change stay as they were.
import type { MessageFacts, Part } from '../../model/message.ts';
import { valueAt } from '../../model/partText.ts';
import { elements, removeElements, removeMember, replaceAt, setMember } from '../../util/json/index.ts';
import { arrayAt, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import type { Fields } from './draft.ts';

/** The families of shape a call or result may have. */
export type CallShape = 'camel' | 'anthropic' | 'tool_calls' | 'legacy' | 'item' | 'gemini' | 'ai_sdk';

const CAMEL: ReadonlySet<string> = new Set(['toolCall', 'toolUse', 'functionCall']);

/** The shape of a call part of a parsed message. */
export function callShape(message: Fields, part: Part): CallShape {
  const [list] = part.path;
  if (list === 'tool_calls') return 'tool_calls';
  if (list === 'function_call') return 'legacy';
  const block = valueAt(message, part.path);
  const type = isRecord(block) ? (stringAt(block, 'type') ?? '') : '';
  if (CAMEL.has(type)) return 'camel';
  if (type === 'tool-call') return 'ai_sdk';
  if (type === 'tool_use') return 'anthropic';
  return list === 'parts' ? 'gemini' : 'item';
}

const CALL_KEYS = ['id', 'tool_call_id', 'toolCallId', 'call_id'];
const RESULT_KEYS = ['tool_use_id', 'tool_call_id', 'toolCallId', 'toolUseId', 'call_id'];

/** The text with the id of a call or result replaced, or added where it has none. */
export function withId(text: string, message: Fields, part: Part, id: string): string {
  const json = JSON.stringify(id);
  const node = valueAt(message, part.path);
  if (!isRecord(node)) return text;
  const path = [...part.path];
  if (part.kind === 'tool_call') return setMember(text, path, callIdKey(node, callShape(message, part)), json);
  const list = arrayAt(node, 'tool_call_ids');
  if (list !== undefined) return replaceAt(text, [...path, 'tool_call_ids'], `[${json}]`);
  return resultIdKeys(node, part).reduce((edited, key) => setMember(edited, path, key, json), text);
}

function callIdKey(node: Fields, shape: CallShape): string {
  if (shape === 'item') return 'call_id';
  return CALL_KEYS.find((key) => Object.hasOwn(node, key)) ?? (shape === 'ai_sdk' ? 'toolCallId' : 'id');
}

// A result may spell its id twice (`toolCallId` and `toolUseId`): both are to say the same.
function resultIdKeys(node: Fields, part: Part): readonly string[] {
  const present = RESULT_KEYS.filter((key) => typeof ownAt(node, key) === 'string');
  if (present.length > 0) return present;
  if (typeof ownAt(node, 'id') === 'string') return ['id'];
  const role = stringAt(node, 'role');
  if (part.path[0] === 'parts') return ['id'];
  if (role === 'toolResult') return ['toolCallId'];
  return role === undefined || role === 'tool_result' ? ['tool_use_id'] : ['tool_call_id'];
}

/** Text of a result that nobody gave. */
export const MISSING_RESULT =
  '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.';

/** The JSON of a message that answers a call with an error, in the call's own shape. */
export function syntheticResult(message: Fields, call: Part): string {
  const id = call.callId ?? null;
  const name = call.name ?? 'unknown';
  const text = MISSING_RESULT;
  const blocks = [{ type: 'text', text }];
  switch (callShape(message, call)) {
    case 'camel':
      return JSON.stringify({ role: 'toolResult', toolCallId: id, toolName: name, content: blocks, isError: true });
    case 'anthropic':
      return JSON.stringify({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: blocks, is_error: true }],
      });
    case 'gemini': {
      const response = { ...(id === null ? {} : { id }), name, response: { error: text } };
      return JSON.stringify({ role: 'user', parts: [{ functionResponse: response }] });
    }
    case 'legacy':
      return JSON.stringify({ role: 'function', name, content: text, is_error: true });
    case 'ai_sdk':
    case 'item':
    case 'tool_calls':
      return JSON.stringify({ role: 'tool', tool_call_id: id, name, content: text, is_error: true });
  }
}

/** Whether a result says of itself that nobody gave it: a runtime may have put it into the record. */
export function isSyntheticResult(result: unknown): boolean {
  if (!isRecord(result)) return false;
  const details = recordAt(result, 'details');
  if (details !== undefined && ownAt(details, 'openclawSyntheticMissingToolResult') === true) return true;
  const content = ownAt(result, 'content');
  const texts = Array.isArray(content)
    ? content.map((block: unknown) => isRecord(block) && ownAt(block, 'text'))
    : [content];
  return texts.includes(MISSING_RESULT);
}

/** The list that holds the parts of a message: `content` or `parts`; null if they are in none. */
export function listKey(message: Fields): 'content' | 'parts' | null {
  if (Array.isArray(ownAt(message, 'content'))) return 'content';
  return !Object.hasOwn(message, 'content') && Array.isArray(ownAt(message, 'parts')) ? 'parts' : null;
}

/** The text without some parts (positions in facts.parts). `tool_calls` that lose all their calls go. */
export function withoutParts(text: string, facts: MessageFacts, gone: ReadonlySet<number>): string {
  let edited = text;
  for (const key of ['content', 'parts', 'tool_calls']) {
    const places = new Set<number>();
    let all = 0;
    for (const [at, { path }] of facts.parts.entries()) {
      const [list, element] = path;
      if (list !== key || typeof element !== 'number') continue;
      all++;
      if (gone.has(at)) places.add(element);
    }
    if (places.size === 0) continue;
    if (key === 'tool_calls' && places.size === all) edited = removeMember(edited, [], key);
    else edited = removeElements(edited, [key], places);
  }
  for (const [at, { path }] of facts.parts.entries()) {
    const [key] = path;
    if (!gone.has(at) || path.length !== 1) continue;
    if (key === 'function_call') edited = removeMember(edited, [], key);
    if (key === 'content') edited = setMember(edited, [], key, '""');
  }
  return edited;
}

/** The parts (positions in facts.parts) that are these elements of a list. */
export function partsAt({ parts }: MessageFacts, key: string, places: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, { path }] of parts.entries()) {
    const [list, element] = path;
    if (list === key && typeof element === 'number' && places.has(element)) found.add(at);
  }
  return found;
}

/** The JSON texts of a content (its JSON; null = there is none) as blocks: a string becomes one text block, nothing is lost. */
export function blockTexts(json: string | null): readonly string[] {
  if (json === null || json === 'null') return [];
  if (json.startsWith('[')) return elementTexts(json).map(asBlock);
  return [asBlock(json)];
}

/** The JSON texts of the elements of a list. */
export function elementTexts(json: string): readonly string[] {
  return elements(json, 0).map(({ start, end }) => json.slice(start, end));
}

function asBlock(json: string): string {
  return json.startsWith('"') ? `{"type":"text","text":${json}}` : json;
}
