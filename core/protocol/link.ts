// browser-safe
// A link to a place: a transcript, in it a message or a call point, a mode, a policy. It comes from anywhere (a chat, a
// mail, another program), so it is read by a grammar that knows nothing else: what does not fit is not a link at all.

/** Where a link leads. */
export interface Link {
  /** The transcript's id. It is made from its file's bytes, so that another library has the same file under the same id. */
  readonly id: string;
  /** Source index of a message, and its part. */
  readonly message?: number;
  readonly part?: number;
  /** A call point; absent = the next request. */
  readonly at?: number;
  /** A mode of the main screen by its id; the screen ignores one it does not have. */
  readonly mode?: string;
  /** Name of a preset. */
  readonly policy?: string;
  /** A policy as JSON text. It is not parsed here. */
  readonly spec?: string;
}

/** What other programs hand over; `parallax://app` is the page itself, and not a link. */
export const LINK_BASE = 'parallax://';
/** In the address of the page, behind its path. */
export const ADDRESS_BASE = '#/';

/** No longer link is written or read, in characters. */
export const MAX_LINK = 16_384;

const FORM =
  /^(?:parallax:\/\/|http:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}\/#\/|#\/)open\/([\w-]{1,64})\/?(?:\?([\w=&-]*))?$/;
const NUMBERS = ['message', 'part', 'at'] as const;
const WORDS = ['mode', 'policy'] as const;

/** The link as text, behind a base: `LINK_BASE`, `ADDRESS_BASE`, or the address of the web page with `#/`. Null = too long. */
export function encodeLink(link: Link, base: string = LINK_BASE): string | null {
  const values = [...NUMBERS, ...WORDS].flatMap((key) => (link[key] === undefined ? [] : [`${key}=${link[key]}`]));
  if (link.spec !== undefined) values.push(`spec=${toBase64Url(link.spec)}`);
  const query = values.length === 0 ? '' : `?${values.join('&')}`;
  const text = `${base}open/${link.id}${query}`;
  return text.length > MAX_LINK ? null : text;
}

/** Reads a link or an address of the page; null if it is anything else. */
export function decodeLink(text: string): Link | null {
  if (text.length > MAX_LINK) return null;
  const [, id, query = ''] = FORM.exec(text) ?? [];
  if (id === undefined) return null;
  const values = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const [key = '', value, more] = pair.split('=');
    if (value === undefined || more !== undefined || values.has(key)) return null;
    values.set(key, value);
  }
  const fields: Record<string, string | number> = {};
  for (const [key, value] of values) {
    const field = readField(key, value);
    if (field === null) return null;
    fields[key] = field;
  }
  if ('part' in fields && !('message' in fields)) return null;
  if ('policy' in fields && 'spec' in fields) return null;
  return { ...fields, id };
}

/** The first link among a launch's arguments; undefined = there is none, null = there is one that cannot be read. */
export function linkAmong(args: readonly string[]): Link | null | undefined {
  const text = args.slice(1).find((arg) => arg.toLowerCase().startsWith('parallax:'));
  return text === undefined ? undefined : decodeLink(text);
}

function readField(key: string, value: string): string | number | null {
  if (NUMBERS.some((one) => one === key)) return /^\d{1,9}$/.test(value) ? Number(value) : null;
  if (WORDS.some((one) => one === key)) return /^\w[\w-]{0,63}$/.test(value) ? value : null;
  return key === 'spec' ? fromBase64Url(value) : null;
}

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Null if it is not base64url of UTF-8. */
function fromBase64Url(text: string): string | null {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
