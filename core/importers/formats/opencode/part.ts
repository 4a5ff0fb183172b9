// Blocks and tool messages made of slices of a part's own text.

import type { JsonPath } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { sliceAt } from '../../reading/slices.ts';

/** A part: its exact JSON text and its value. */
export interface PartText {
  readonly text: string;
  readonly fields: Fields;
}

/** True for a value a scrubber left where an id was. */
export function isScrubbed(id: string): boolean {
  return /^(|<.*>|\[.*\])$|REDACTED/.test(id);
}

/** A text part; null if it is empty or kept from the model. */
export function textBlock({ text, fields }: PartText): string | null {
  if ((stringAt(fields, 'text') ?? '') === '' || ownAt(fields, 'ignored') === true) return null;
  return `{"type":"text","text":${sliceAt(text, ['text']) ?? '""'}}`;
}

/** A reasoning part with the signature or encrypted content a provider left in its metadata; null if it has neither text nor these. */
export function reasoningBlock({ text, fields }: PartText): string | null {
  const signature = signatureIn(text, fields);
  if ((stringAt(fields, 'text') ?? '') === '' && signature === null) return null;
  const words = stringAt(fields, 'text') === undefined ? '""' : (sliceAt(text, ['text']) ?? '""');
  return `{"type":"thinking","thinking":${words}${signature === null ? '' : `,"signature":${signature}`}}`;
}

function signatureIn(text: string, fields: Fields): string | null {
  const metadata = recordAt(fields, 'metadata') ?? {};
  for (const [provider, facts] of Object.entries(metadata)) {
    for (const key of ['signature', 'redactedData', 'reasoningEncryptedContent', 'thoughtSignature']) {
      if (!isRecord(facts) || (stringAt(facts, key) ?? '') === '') continue;
      return sliceAt(text, ['metadata', provider, key]);
    }
  }
  return null;
}

/** A file part: an image or a file block. */
export function fileBlock({ text, fields }: PartText): string {
  return fileAt(text, [], fields);
}

function fileAt(text: string, path: JsonPath, fields: Fields): string {
  const type = (stringAt(fields, 'mime') ?? '').startsWith('image/') ? 'image' : 'file';
  const members = ['mime', 'filename', 'url'].flatMap((key) => {
    const value = stringAt(fields, key) === undefined ? null : sliceAt(text, [...path, key]);
    return value === null ? [] : [`"${key}":${value}`];
  });
  return `{${[`"type":"${type}"`, ...members].join(',')}}`;
}

/** The call in a tool part. A scrubbed call id gives way to the part's own id, for call and result alike. */
export function toolCall(part: PartText): string {
  const state = recordAt(part.fields, 'state') ?? {};
  const input = recordAt(state, 'input');
  const isRaw = Object.keys(input ?? {}).length === 0 && (stringAt(state, 'raw') ?? '') !== '';
  const members = [
    idOf(part, 'id'),
    nameOf(part),
    `"input":${sliceAt(part.text, ['state', isRaw ? 'raw' : 'input']) ?? '{}'}`,
  ];
  return `{${['"type":"tool_use"', ...members].filter((member) => member !== '').join(',')}}`;
}

/** The tool message of a finished call: its output with attachments, or its error; null while there is none. */
export function toolResult(part: PartText): string | null {
  const state = recordAt(part.fields, 'state') ?? {};
  const status = stringAt(state, 'status');
  if (status !== 'completed' && status !== 'error') return null;
  const content = status === 'error' ? (sliceAt(part.text, ['state', 'error']) ?? '""') : outputOf(part, state);
  const members = [idOf(part, 'tool_call_id'), nameOf(part), `"content":${content}`];
  if (status === 'error') members.push('"is_error":true');
  return `{${['"role":"tool"', ...members].filter((member) => member !== '').join(',')}}`;
}

function outputOf({ text }: PartText, state: Fields): string {
  const output = sliceAt(text, ['state', 'output']) ?? '""';
  const attachments = arrayAt(state, 'attachments') ?? [];
  if (attachments.length === 0) return output;
  const files = attachments.map((file, at) => fileAt(text, ['state', 'attachments', at], isRecord(file) ? file : {}));
  return `[${[`{"type":"text","text":${output}}`, ...files].join(',')}]`;
}

/** The id that call, result and the session it started go by; undefined if a scrubber left none. */
export function callIdOf({ fields }: PartText): string | undefined {
  return idsOf(fields)[0]?.[1];
}

function idsOf(fields: Fields): readonly (readonly [key: string, id: string])[] {
  return ['callID', 'id'].flatMap((key) => {
    const id = stringAt(fields, key) ?? '';
    return isScrubbed(id) ? [] : [[key, id] as const];
  });
}

function idOf({ text, fields }: PartText, name: string): string {
  const key = idsOf(fields)[0]?.[0];
  return key === undefined ? '' : `"${name}":${sliceAt(text, [key]) ?? 'null'}`;
}

function nameOf({ text, fields }: PartText): string {
  return stringAt(fields, 'tool') === undefined ? '' : `"name":${sliceAt(text, ['tool']) ?? 'null'}`;
}
