// Secrets known by their build: key blocks, signed tokens, tokens of two or three parts, addresses that are a key themselves.
import { charKinds, isExample, isNobodysPassword, looksRandom } from './shapes.ts';
import type { Hit } from './types.ts';

const definite = (kind: string, from: number, to: number): Hit => ({ kind, tier: 'definite', from, to });

const BLOCK_BEGIN = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/g;
/** Longest body of a key block that is taken for one. Unit: characters. */
const MOST_OF_A_BLOCK = 20_000;

/** Blocks of private keys, whole; where the end is cut off, as far as there is base64. */
export function* findKeyBlocks(text: string): Generator<Hit> {
  if (!text.includes('-----BEGIN ')) return;
  BLOCK_BEGIN.lastIndex = 0;
  for (let begin = BLOCK_BEGIN.exec(text); begin !== null; begin = BLOCK_BEGIN.exec(text)) {
    const body = begin.index + begin[0].length;
    const end = text.slice(body, body + MOST_OF_A_BLOCK).indexOf(`-----END ${begin[1] ?? ''}-----`);
    const to = end >= 0 ? body + end : baseEnd(text, body);
    // What is between is the key; a block of which only the first line is quoted holds none.
    if (/[A-Za-z0-9+/]{16}/.test(text.slice(body, Math.min(to, body + 2_000)))) {
      yield definite('private_key', body, to);
      BLOCK_BEGIN.lastIndex = to;
    }
  }
}

const BASE_LINES = /(?!-----)(?:[A-Za-z0-9+/=\s\\:,.→|"'+]|-(?!----)){0,20000}/y;

function baseEnd(text: string, from: number): number {
  BASE_LINES.lastIndex = from;
  BASE_LINES.test(text);
  return Math.max(from, BASE_LINES.lastIndex);
}

const JWT =
  /ey[A-Za-z0-9_-]{8,4000}\.(?:[A-Za-z0-9_-]{8,8000}|(?=\.[A-Za-z0-9_-]{8}))(?:\.[A-Za-z0-9_-]{0,2000}){0,3}/y;

/** JSON Web Tokens, also encrypted ones. */
export function* findJwts(text: string): Generator<Hit> {
  for (let at = text.indexOf('eyJ'); at >= 0; at = text.indexOf('eyJ', at)) {
    JWT.lastIndex = at;
    const found = isWordBefore(text, at) ? null : JWT.exec(text);
    if (found === null || !found[0].slice(3).includes('.')) at += 3;
    else {
      yield definite('jwt', at, JWT.lastIndex);
      at = JWT.lastIndex;
    }
  }
}

function isWordBefore(text: string, at: number): boolean {
  return at > 0 && /[A-Za-z0-9_-]/.test(text.charAt(at - 1)) && /[A-Za-z0-9]/.test(text.charAt(at - 1));
}

const DISCORD = /(?<![\w.-])[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{5,7}\.[A-Za-z0-9_-]{26,45}(?![\w-])/g;
const PASETO = /(?<![\w.-])v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,8000}(?:\.[A-Za-z0-9_-]{4,400})?/g;
const ATLASV1 = /(?<![\w.-])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,100}/g;
const MAILCHIMP = /(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?!\w)/g;
const HASHED_PASSWORD =
  /\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|(?:5|6|y|apr1|1)\$[^\s:$'"]{1,40}\$[./A-Za-z0-9]{22,100}|argon2(?:id|i|d)\$[^\s'"]{30,200})/g;

/** Tokens whose parts say what they are. */
export function* findPartedTokens(text: string): Generator<Hit> {
  for (const found of text.matchAll(DISCORD)) {
    if (looksRandom(found[0].replaceAll('.', ''))) yield whole('discord_token', found);
  }
  if (text.includes('.local.') || text.includes('.public.'))
    for (const found of text.matchAll(PASETO)) yield whole('paseto', found);
  if (text.includes('.atlasv1.')) for (const found of text.matchAll(ATLASV1)) yield whole('terraform_token', found);
  if (text.includes('-us')) for (const found of text.matchAll(MAILCHIMP)) yield whole('mailchimp_key', found);
  if (text.includes('$')) for (const found of text.matchAll(HASHED_PASSWORD)) yield whole('password_hash', found);
  yield* findTelegram(text);
}

function whole(kind: string, found: RegExpExecArray): Hit {
  return definite(kind, found.index, found.index + found[0].length);
}

const TELEGRAM = /:AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9])/y;

function* findTelegram(text: string): Generator<Hit> {
  for (let at = text.indexOf(':AA'); at >= 0; at = text.indexOf(':AA', at + 3)) {
    TELEGRAM.lastIndex = at;
    let from = at;
    while (from > at - 11 && /\d/.test(text.charAt(from - 1))) from--;
    if (at - from >= 8 && TELEGRAM.test(text)) yield definite('telegram_token', from, TELEGRAM.lastIndex);
  }
}

const URL_START = /:\/\/(?:([^\s/?#"'`<>:\\]{0,128}):)?([^\s/"'`<>@\\]{1,512})@(?=[A-Za-z0-9[{$])/y;
const WEBHOOK =
  /:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/|[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2\/|hooks\.zapier\.com\/hooks\/catch\/|outlook\.office\.com\/webhook\/|open\.feishu\.cn\/open-apis\/bot\/v2\/hook\/|chat\.googleapis\.com\/v1\/spaces\/|maker\.ifttt\.com\/trigger\/|hook\.[a-z0-9.]{2,20}\.make\.com\/)([A-Za-z0-9_./@-]{16,200})/y;
/** Credentials in addresses, and addresses that are a credential. */
export function* findUrls(text: string): Generator<Hit> {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    URL_START.lastIndex = at;
    const found = URL_START.exec(text);
    const hit = found === null ? null : credentialIn(found, at, /[{$]/.test(text.charAt(URL_START.lastIndex)));
    if (hit !== null) yield hit;
    WEBHOOK.lastIndex = at;
    const path = WEBHOOK.exec(text)?.[1];
    if (path !== undefined && !isExample(path))
      yield definite('webhook', WEBHOOK.lastIndex - path.length, WEBHOOK.lastIndex);
    yield* opensByPath(text, at);
  }
}

const ADDRESS = /:\/\/[^\s"'`<>\\/?#]{1,120}\/[^\s"'`<>\\]{20,400}/y;
/** Steps of a path behind which is what opens it: to hooks of anybody, links that log somebody in, feeds that are private. */
const OPENING =
  /^(?:(?:web)?hooks?|incoming|services|magic(?:-?links?)?|invit(?:e|ation)s?|reset(?:-?password)?|verify|activate|unlock|confirm|unsubscribe)$/i;
/** Steps of a path behind which is the hash of some content. */
const OF_FILES = /^(?:blobs?|trees?|commits?|raw|releases?|objects?|sha256|assets?|archive|packages?|files?)$/i;

/** Who has such an address is let in. Not sure: what is random in a path may be a number of something. */
function* opensByPath(text: string, at: number): Generator<Hit> {
  ADDRESS.lastIndex = at;
  const address = ADDRESS.exec(text)?.[0] ?? '';
  let isOpening = false;
  let from = at + address.indexOf('/', 3) + 1;
  for (const piece of address.slice(from - at).split(/[/?&=#]/)) {
    if (OF_FILES.test(piece)) return;
    const isPrivate = piece.startsWith('private-');
    const value = piece.slice(isPrivate ? PRIVATE : 0).replace(/[.,;:)\]]+$/, '');
    if ((isOpening || isPrivate) && value.length >= 20 && isKey(value)) {
      const begin = from + (isPrivate ? PRIVATE : 0);
      yield { kind: 'url_credentials', tier: 'candidate', from: begin, to: begin + value.length };
    }
    isOpening ||= OPENING.test(piece);
    from += piece.length + 1;
  }
}

const PRIVATE = 'private-'.length;

/** Words for a user and for a password, which a form of an address has in their places: `postgres://USER:PASS@HOST`. */
const OF_USER = /^(?:db_?)?(?:user(?:_?name)?|usr|login)$/i;
const OF_PASSWORD = /^(?:db_?)?(?:pass(?:word|wd)?|pwd?|secret)$/i;

// Of a template the host is filled in: what documentation is full of are words for a password, too.
function credentialIn(found: RegExpExecArray, at: number, isTemplate: boolean): Hit | null {
  const [matched, user, password = ''] = found;
  const from = at + matched.length - 1 - password.length;
  const to = from + password.length;
  if (/[{}[\](]|\$[A-Z_]|^\$|\*{3}|^\*+$|^\.{3}|\.{3}$|^%[A-Za-z_]+%$/.test(password)) return null;
  // A port, then a query in which an address of e-mail is.
  if (/^\d{0,5}[?#]/.test(password) || (user === undefined && /[?#]/.test(password))) return null;
  if (OF_USER.test(user ?? '') && OF_PASSWORD.test(password)) return null;
  // A user alone is one only if it is drawn by lot: a token.
  if (user === undefined) return isKey(password) ? definite('url_credentials', from, to) : null;
  const kind = 'url_credentials';
  if (isKey(user)) return definite(kind, from - user.length - 1, to);
  if (isNobodysPassword(password) || password === user || isExample(password))
    return isTemplate ? null : { kind, tier: 'candidate', from, to };
  return definite(kind, from, to);
}

function isKey(user: string): boolean {
  if (user.length >= 12 && user.length < 16) return charKinds(user) >= 3 && looksRandom(user) && !isExample(user);
  return user.length >= 16 && (looksRandom(user) || /^[0-9a-f]{32,64}$/.test(user)) && !isExample(user);
}
