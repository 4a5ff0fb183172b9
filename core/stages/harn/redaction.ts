// Putting a pointer in place of a tool result's body. Message shape, ids, names and roles stay, so that a provider
// still accepts the conversation. Source: spec of the projection, "reachability_gc".
import type { JsonPath } from '../../model/message.ts';
import { jsonString, RawJson, setMember, stringifyWithRaw, valueTextAt } from '../../util/json/index.ts';
import { isRecord } from '../../util/unknown.ts';
import type { RedactionPointer } from '../../view/types.ts';

/** The text that is in place of a reclaimed body. */
export function replacementText(pointer: RedactionPointer): string {
  return (
    `[tool result reclaimed by reachability_gc; source_index=${pointer.source_index}; ` +
    `content_hash=${pointer.content_hash}; estimated_tokens_reclaimed=${pointer.estimated_tokens_reclaimed}. ` +
    'Raw content remains in the transcript audit trail.]'
  );
}

/** Characters that a pointer saves; 0 where it is longer than the body it stands for. */
export function savedChars(pointer: RedactionPointer): number {
  return Math.max(0, pointer.content_chars - replacementText(pointer).length);
}

/** One body to redact: the place of its result in the message's JSON (`[]` = the message), and what replaces it. */
export interface Redaction {
  readonly path: JsonPath;
  readonly pointer: RedactionPointer;
  readonly replacement: string;
}

/** The message's JSON text with those bodies replaced and marked; all other bytes as they were. */
export function redactMessage(text: string, redactions: readonly Redaction[]): string {
  let edited = text;
  for (const { path, pointer, replacement } of redactions) {
    const marker = { redacted: true, policy: pointer.policy, redaction_pointer: pointer };
    edited = setMember(edited, path, 'content', jsonString(replacement));
    edited = setMember(edited, path, '_harn_projection', JSON.stringify(marker));
  }
  const inBlocks = redactions.filter(({ path }) => path.length > 0).map(({ pointer }) => pointer);
  return inBlocks.length > 0 ? setMember(edited, [], '_harn_projection', messageMarker(edited, inBlocks)) : edited;
}

// A mark that an earlier projection left on the message is kept and added to.
function messageMarker(text: string, pointers: readonly RedactionPointer[]): string {
  const existing = valueTextAt(text, ['_harn_projection']);
  const parsed: unknown = existing === null ? null : JSON.parse(existing);
  const earlier = isRecord(parsed) ? parsed : {};
  const listed = existing === null ? null : valueTextAt(existing, ['redaction_pointers']);
  const before = listed?.startsWith('[') ? rawElements(listed) : [];
  return stringifyWithRaw({
    ...earlier,
    redacted: true,
    policy: 'reachability_gc',
    redaction_pointers: [...before, ...pointers],
  });
}

function rawElements(list: string): RawJson[] {
  const values: unknown = JSON.parse(list);
  return Array.isArray(values) ? values.map((_, at) => new RawJson(valueTextAt(list, [at]) ?? 'null')) : [];
}
