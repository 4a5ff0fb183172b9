// Edits of calls and contents that several vendors make. Splices: every byte that is not replaced stays as it was.
import type { Part } from '../../../model/message.ts';
import {
  elements,
  insertElements,
  jsonString,
  locate,
  removeMember,
  setMember,
  stringAtPath,
  valueTextAt,
} from '../../../util/json/index.ts';

const INPUT_KEYS = ['input', 'arguments', 'args', 'partialJson', 'action'];

/** The message's text with a call's arguments emptied: `{}`, or the string of it where arguments are a string. */
export function clearInput(text: string, { path }: Part): string {
  const inner = [...path, 'function'];
  const holder = valueTextAt(text, inner)?.startsWith('{') === true ? inner : path;
  const key = INPUT_KEYS.find((name) => valueTextAt(text, [...holder, name]) !== null);
  if (key === undefined) return text;
  const before = valueTextAt(text, [...holder, key]) ?? '';
  if (before.startsWith('{')) return setMember(text, holder, key, '{}');
  // Custom tools of OpenAI take any text; all other strings are the JSON of an object.
  return before.startsWith('"') ? setMember(text, holder, key, key === 'arguments' ? '"{}"' : '""') : text;
}

const REASONING_FIELDS: ReadonlySet<unknown> = new Set(['reasoning_content', 'reasoning']);

/** The message's text without reasoning that stands beside its content, and without that reasoning's signature. */
export function removeReasoningFields(text: string, parts: readonly Part[]): string {
  let edited = text;
  for (const { path } of parts) {
    const [key] = path;
    if (path.length !== 1 || typeof key !== 'string' || !REASONING_FIELDS.has(key)) continue;
    edited = removeMember(removeMember(edited, [], key), [], 'thinking_signature');
  }
  return edited;
}

/** The message's text with a block of text put behind its content. */
export function appendText(text: string, addition: string): string {
  const block = `{"type":"text","text":${jsonString(addition)}}`;
  const gemini = valueTextAt(text, ['content']) === null && valueTextAt(text, ['parts'])?.startsWith('[') === true;
  if (gemini) return pushElement(text, ['parts'], `{"text":${jsonString(addition)}}`);
  if (valueTextAt(text, ['content'])?.startsWith('[') === true) return pushElement(text, ['content'], block);
  const before = stringAtPath(text, ['content']) ?? '';
  const first = before === '' ? '' : `{"type":"text","text":${jsonString(before)}},`;
  return setMember(text, [], 'content', `[${first}${block}]`);
}

function pushElement(text: string, path: readonly string[], json: string): string {
  const start = locate(text, path)?.start ?? 0;
  return insertElements(text, path, elements(text, start).length, [json]);
}
