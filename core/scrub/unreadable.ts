// What cannot be searched: pictures and files, encrypted content, and signatures of thinking that is edited. It is taken out:
// something of the same size replaces it, so that counts and positions stay.
import { parseString } from '../util/json/index.ts';
import type { JsonString } from './json.ts';
import type { Found, StandInOf } from './types.ts';

const ENCRYPTED_KEYS = new Set(['encrypted_content', 'encryptedContent', 'encrypted_index', 'encrypted_stdout']);
const PAYLOAD = /^(?:data:[a-z0-9.+/-]{3,80}(?:;[a-z0-9=.-]{1,40}){0,3};base64,)?([A-Za-z0-9+/_-]{200,}={0,2})$/i;
const SHORTEST = 200;
/** Words of whoever shortened a recording, in place of the content: no encoding has blanks. They can be searched. */
const WORDS = /^[[(<]?[A-Za-z][a-z-]*(?:[,.:]? [A-Za-z\d-]+){1,30}[\])>.…]*$/;
const IMAGE_HEAD = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;

/** The strings of a JSON text that cannot be searched, each as one finding. */
export function unreadableIn(json: string, strings: readonly JsonString[]): ReadonlyMap<JsonString, readonly Found[]> {
  const found = new Map<JsonString, readonly Found[]>();
  if (json.length < 16) return found;
  for (const string of strings) {
    if (string.isKey || string.end - string.start < 16) continue;
    const kind = kindOf(json, string, strings);
    if (kind !== null) found.set(string, [wholeOf(json, string, kind)]);
  }
  return found;
}

function kindOf(json: string, string: JsonString, strings: readonly JsonString[]): string | null {
  const { start, end, key } = string;
  const isOpaque = end - start > SHORTEST || !WORDS.test(json.slice(start, end));
  if (isOpaque && ENCRYPTED_KEYS.has(key)) return 'encrypted';
  if (isOpaque && key === 'data' && isRedactedThinking(json, string, strings)) return 'encrypted';
  if (end - start < SHORTEST || json.slice(start, start + 64).includes(' ')) return null;
  const raw = json.slice(start, end).replaceAll('\\/', '/');
  const payload = PAYLOAD.exec(raw)?.[1];
  if (payload === undefined) return null;
  if (IMAGE_HEAD.test(payload) || raw.startsWith('data:image/')) return 'image';
  return key === 'signature' || isBase64OfText(payload)
    ? null
    : isBinaryKey(key) || raw.startsWith('data:')
      ? 'file'
      : null;
}

function isBinaryKey(key: string): boolean {
  return /^(?:data|file_data|base64|bytes|b64_json|content_base64|body)$/i.test(key);
}

function isBase64OfText(payload: string): boolean {
  const head = atob(payload.slice(0, 200).replaceAll('-', '+').replaceAll('_', '/'));
  return /^[\t\n\r\x20-\x7e]+$/.test(head);
}

function isRedactedThinking(json: string, { path }: JsonString, strings: readonly JsonString[]): boolean {
  const parent = JSON.stringify([...path.slice(0, -1), 'type']);
  return strings.some(
    (one) => !one.isKey && JSON.stringify(one.path) === parent && /^redacted/.test(json.slice(one.start, one.end)),
  );
}

function wholeOf(json: string, { start, end }: JsonString, kind: string): Found {
  const raw = json.slice(start, end);
  const value = raw.includes('\\') ? parseString(`"${raw}"`, 0, raw.length + 2) : raw;
  const write = (standIn: StandInOf): string => JSON.stringify(standIn(kind, value)).slice(1, -1);
  return { kind, tier: 'definite', from: 0, to: end - start, value, write };
}

const SIGNATURES = new Set([
  'signature',
  'thinking_signature',
  'thoughtSignature',
  'thought_signature',
  'thinkingSignature',
  'textSignature',
]);

/**
 * The signatures of what is edited: those under the same object as one of `edited`, and of a message's own thinking. An
 * edited text is not what was signed, so its signature is taken out.
 */
export function signaturesOf(
  json: string,
  strings: readonly JsonString[],
  edited: readonly JsonString[],
): readonly { readonly string: JsonString; readonly found: readonly Found[] }[] {
  const signed = strings.filter(({ key, isKey, start, end }) => !isKey && SIGNATURES.has(key) && end > start);
  if (signed.length === 0) return [];
  const parents = new Set(edited.map(({ path }) => JSON.stringify(path.slice(0, -1))));
  return signed
    .filter(({ path }) => parents.has(JSON.stringify(path.slice(0, -1))))
    .map((string) => ({ string, found: [wholeOf(json, string, 'signature')] }));
}
