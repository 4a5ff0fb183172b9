// Edits of contents that several vendors make. Splices: every byte that is not replaced stays as it was.
import type { MessageFacts } from '../../../../../core/model/message.ts';
import {
  elements,
  insertElements,
  jsonString,
  locate,
  setMember,
  stringAtPath,
  valueTextAt,
} from '../../../../../core/util/json/index.ts';
import type { PartMap } from '../../../../../core/view/origins.ts';

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

/** The map of an edit that was followed by so many {@link appendText}: their blocks stand before calls beside the content. */
export function appendedMap({ parts }: Pick<MessageFacts, 'parts'>, map: PartMap, additions: number): PartMap {
  const isBeside = (part: number): boolean => ['tool_calls', 'function_call'].includes(String(parts[part]?.path[0]));
  const first = map.findIndex(([part]) => part !== undefined && isBeside(part));
  const blocks = Array.from({ length: additions }, (): readonly number[] => []);
  return map.toSpliced(first < 0 ? map.length : first, 0, ...blocks);
}

function pushElement(text: string, path: readonly string[], json: string): string {
  const start = locate(text, path)?.start ?? 0;
  return insertElements(text, path, elements(text, start).length, [json]);
}
