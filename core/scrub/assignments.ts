// Values beside a name that says secret: `API_KEY=…`, `"apiKey": "…"`, `client_secret: …`, `--token …`, `<password>…`,
// headers and cookies. Found at the name, which is searched for; all that follows it is bounded.
import { charKinds, isExpression, isPlaceholder, isWordy, looksRandom } from './shapes.ts';
import type { Hit, Tier } from './types.ts';

const WORD =
  /key|token|secret|passw|passphrase|pwd|pass(?=[\s"'=:_])|credential|cred(?=s?["'=:\s])|(?:^|[^a-z])auth(?=["'=:\s])|signature|[?&]sig=|[?&]code=|jwt|bearer|session|cookie|dsn|webhook|identified by|sshpass|apikey|_pat(?=["'=:\s])|conn(?:ection)?_?str|x-amz-s|salt(?=["'=:\s])|seed(?=["'=:\s])|mnemonic|\bpin(?=["'=:])|\botp(?=["'=:])/gi;

/** How sure a name makes us: of any value, only of one drawn by lot, or not at all. */
type NameSays = 'secret' | 'maybe' | 'nothing';

const NOT_SECRET =
  /^(?:.*(?:max|min|num|count|total|prompt|completion|input|output|cached?|reasoning|used|usage|limit|budget|per|avg|mean|remaining|estimated|new|free|stop|bos|eos|pad|unk|mask|special|added|next|prev|previous|page|continuation|sync|cancel(?:l?ation)?|public|primary|foreign|partition|sort|cache|idempotency|lookup|group|unique|row|object|s3|routing|map|dict|i18n|translation|locale|hot|short|arrow|escape|enter|press|any|json|yaml|toml|xml|csv|config|setting|data|query|search|index|storage_?object|state|dedupe?|hash|sha\d*|md5|checksum|integrity|fingerprint|design|theme|lex|syntax|text|word|sub)[_\-. ]?(?:keys?|tokens?|signature|sessions?)|tokens?[_\-. ]?(?:count|usage|limit|budget|type|kind|id|index|name|s|url|uri|endpoint|path|file|expir\w*|ttl)|keys?[_\-. ]?(?:id|name|type|path|file|code|down|up|press|board|frame|word|stroke|vault|s|point|size|length|usage|version|format|url|uri)|tokeni[sz]\w*|passwords?[_\-. ]?(?:field|input|hash_?algo\w*|label|placeholder|policy|length|file|reset|prompt)|secrets?[_\-. ]?(?:name|ref|manager|store|arn|path|file|s|key_?ref)|passed|passes|passing|authors?|authority|cookies?[_\-. ]?(?:name|consent|policy|jar|domain|path)|session[_\-. ]?(?:id|name|key_?prefix|start|end|type|state|file|path|dir|count|title)|keywords?|sessions?|thought_?signature|signature)$/i;

const SURE =
  /(?:^|[^a-z])(?:.*(?:api|access|secret|private|auth|encryption|signing|master|service|account|license|client|app|shared|subscription|admin|deploy|project|consumer|personal|live|storage|integration|write|read|root|server|vendor|ingest(?:ion)?|instrumentation)[_\-. ]?(?:key|token)|.*(?:secret|passw(?:or)?d|passphrase|pwd|passwd|password)|.*(?:refresh|id|bearer|bot|session|security|oauth|user|device|registration|runner|jwt|csrf|xsrf|push|install|upload|publish|github|gitlab|npm|pypi|slack|hf|ci|registry)[_\-. ]?token|.*(?:account|shared[_\-. ]?access)[_\-. ]?key|.*[_\-.]?(?:pat|dsn|mnemonic|private_key_id|sessionid|session_?cookie|set-cookie|cookie|jwt|credentials?|webhook_?(?:secret|key|url)?|connection_?string|conn_?str|encryption_?salt|signature_?key|authorization|x-amz-signature|x-amz-security-token|x-amz-credential))$/i;

function nameSays(name: string): NameSays {
  // Signatures of thinking are not secrets; `PASS:` is the word of a test, `pwd` most often a folder.
  if (/signature$/i.test(name) && !/amz/i.test(name)) return 'nothing';
  if (name === 'PASS' || /^(?:.*[._-])?old_?pwd$/i.test(name)) return 'nothing';
  if (/^(?:.*[._-])?pwd$/i.test(name)) return 'maybe';
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  if (SURE.test(snake)) return 'secret';
  if (NOT_SECRET.test(snake)) return 'nothing';
  return /(?:key|token|secret|pass|pwd|auth|cred|sig|session|signature|salt|seed|pin|otp|code|creds)s?$/i.test(name)
    ? 'maybe'
    : 'nothing';
}

const NAME_REST = /[A-Za-z0-9_.-]{0,40}/y;
// Behind the name: quotes, brackets, white space and one sign that says "is".
const JOINT =
  /["'`\])\\]{0,3}[ \t]{0,8}(?::=|=>|->|==?|:|,(?=[ \t]{0,3}["'`])|>(?=[^\s<])|\||\bis:?\b|\bwas:?\b)[ \t]{0,8}(?:\r?\n[ \t]{1,16})?(?:[brfu]{1,2}(?=["'`]))?["'`\\|(]{0,4}[ \t]?/y;
const FLAG_JOINT = /[ \t]{1,4}["'`]?|=["'`]?/y;
const VALUE = /[^\s"'`<>,;|&(){}[\]\\]{4,4096}/y;
const QUOTED_VALUE: Readonly<Record<string, RegExp>> = {
  '"': /[^"\n\\]{4,4096}(?=")/y,
  "'": /[^'\n\\]{4,4096}(?=')/y,
  '`': /[^`\n\\]{4,4096}(?=`)/y,
};

/** Secrets beside their names, and what headers carry. */
export function* findAssignments(text: string): Generator<Hit> {
  WORD.lastIndex = 0;
  for (let word = WORD.exec(text); word !== null; word = WORD.exec(text)) {
    const hit = assignedAt(text, word.index, word[0]);
    if (hit === null) continue;
    yield hit;
    // The value may itself hold a name: it is looked at once.
    WORD.lastIndex = Math.max(WORD.lastIndex, hit.to);
  }
}

function assignedAt(text: string, at: number, word: string): Hit | null {
  const from = nameStart(text, at);
  NAME_REST.lastIndex = at + word.length;
  NAME_REST.test(text);
  const end = /[=\s]$/.test(word) ? at + word.trimEnd().replace(/=$/, '').length : NAME_REST.lastIndex;
  const name = text.slice(from, end).replace(/^[^A-Za-z]+/, '');
  const says = nameSays(name);
  if (says === 'nothing') return null;
  const start = valueStart(text, from, end);
  if (start === null) return null;
  const value = valueAt(text, start);
  if (value === null) return null;
  const isQuoted = /["'`]/.test(text.charAt(start - 1));
  // A call, a member, an element: code.
  if (!isQuoted && /[([]/.test(text.charAt(start + value.length)) && /^[\w.$]+$/.test(value)) return null;
  return judged(name, says, { start, value, isQuoted });
}

function nameStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && at - from < 40 && /[A-Za-z0-9_.-]/.test(text.charAt(from - 1))) from--;
  return from;
}

function valueStart(text: string, from: number, end: number): number | null {
  const joints = text.startsWith('--', from) ? [JOINT, FLAG_JOINT] : [JOINT];
  for (const joint of joints) {
    joint.lastIndex = end;
    if (joint.test(text)) return joint.lastIndex;
  }
  return null;
}

const SCHEME = /(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|Bot|SharedAccessSignature|AWS4-HMAC-SHA256)[ \t]+/iy;

function valueAt(text: string, start: number): string | null {
  const quoted = QUOTED_VALUE[text.charAt(start - 1)];
  for (const form of quoted === undefined ? [VALUE] : [quoted, VALUE]) {
    form.lastIndex = start;
    const found = form.exec(text);
    if (found !== null) return found[0];
  }
  return null;
}

interface Assigned {
  readonly start: number;
  readonly value: string;
  readonly isQuoted: boolean;
}

function judged(name: string, says: NameSays, { start, value, isQuoted }: Assigned): Hit | null {
  if (/cookie/i.test(name)) return null;
  const scheme = schemeOf(value);
  const bare = value.slice(scheme).replace(/[.:!?]+$/, '');
  const tier = secretTier(name, says, bare, isQuoted);
  const from = start + scheme;
  return tier === null ? null : { kind: kindOfName(name), tier, from, to: from + bare.length };
}

function schemeOf(value: string): number {
  SCHEME.lastIndex = 0;
  return SCHEME.test(value) ? SCHEME.lastIndex : 0;
}

function kindOfName(name: string): string {
  if (/passw|passphrase|pwd|pass$/i.test(name)) return 'password';
  return 'secret_value';
}

/** The beginning of a long value says what it is. Unit: characters. */
const MOST_JUDGED = 256;

/** How sure it is that a value beside such a name is a secret; null = it is not one. */
export function secretTier(name: string, says: NameSays, whole: string, isQuoted: boolean): Tier | null {
  const value = whole.length > MOST_JUDGED ? whole.slice(0, MOST_JUDGED) : whole;
  if (value.length < 6 || /\s/.test(value) || isPlaceholder(value) || isPath(value)) return null;
  if (
    /^(?:true|false|null|none|undefined|string|number|boolean|str|int|bytes|required|optional|[\d.,:_-]+)$/i.test(value)
  )
    return null;
  if (KNOWN_ID.test(value) || /^(?:sha\d{1,3}|md5)[-:]/i.test(value)) return null;
  if (isHash(value) && /sha|md5|hash|digest|commit|checksum|etag/i.test(name)) return null;
  const random = isRandomSecret(value) && (/\d/.test(value) || !isWordy(value));
  if (/pwd$/i.test(name) && /[/\\;%\]]/.test(value)) return null;
  if (says === 'maybe' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i.test(value)) return null;
  if (says === 'maybe') return random ? 'definite' : null;
  if (random) return 'definite';
  if (isExpression(value) && !isQuoted) return null;
  if (/passw|passphrase|pwd/i.test(name)) return passwordTier(value, isQuoted);
  return isQuoted && !isWordy(value) && value.length >= 12 && charKinds(value) >= 2 ? 'candidate' : null;
}

/** Ids of calls, messages and requests that providers give: they open nothing. */
const KNOWN_ID =
  /^(?:toolu|srvtoolu|call|fc|ctc|msg|rs|resp|req|run|thread|asst|chatcmpl|cmpl|gen|step|file|vs|batch|ses|prt|evt|task|agent|ws|item|conv|tooluse)[_-](?:vrtx_|bdrk_|proj_)?[A-Za-z0-9_-]{8,}$/;

function passwordTier(value: string, isQuoted: boolean): Tier | null {
  if (/^[\w.-]+\(|[=(){}]|=>/.test(value)) return null;
  if (value.length >= 8 && charKinds(value) >= 3 && !isWordy(value)) return 'definite';
  return isQuoted || /\d/.test(value) ? 'candidate' : null;
}

const LABELLED = /^(?:[A-Za-z][A-Za-z0-9+.-]{0,20}:)?\/\//;

function isPath(value: string): boolean {
  if (LABELLED.test(value)) return true;
  if (/^(?:\.{0,2}|~|[A-Za-z]:)[\\/]/.test(value)) return !looksRandom(value.replaceAll('/', ''));
  return /\.(?:json|ya?ml|ts|tsx|js|py|go|rs|md|txt|pem|key|crt|env|toml|lock|sh|html|css)$/i.test(value);
}

function isHash(value: string): boolean {
  return /^(?:sha\d+[-:])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(value);
}

function isRandomSecret(value: string): boolean {
  if (value.length < 16) return value.length >= 12 && looksRandom(value) && charKinds(value) >= 3;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value)) return true;
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(value)) return value.length >= 32 || (value.length >= 20 && looksRandom(value));
  return looksRandom(value.replaceAll(/[-_.~+/=%:]/g, ''));
}

const HEADER =
  /(?:authorization|proxy-authorization)["']?[ \t]{0,3}[:=,][ \t]{0,4}["'`]?(?:[A-Za-z][A-Za-z0-9-]{2,30}[ \t]+)?/gi;
const HEADER_VALUE = /[A-Za-z0-9+/_.~=%:-]{8,4096}/y;
const BEARER = /\b(?:Bearer|Basic)[ \t]+(?=[A-Za-z0-9+/_.~-]{16})/g;
const COOKIE = /(?:^|[^A-Za-z])(?:set-cookie2?|cookie)["']?[ \t]{0,3}[:=][ \t]{0,4}["'`]?/gi;
const COOKIE_PAIR = /[ \t]{0,3}([A-Za-z0-9_.!#$%&*+^|~-]{1,80})=([^;\s"'`,\\]{0,4096})(?:;|(?=["'`\s\\,])|$)/y;
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|version|comment|priority)$/i;
const MOST_COOKIES = 60;

/** Credentials of HTTP headers: Authorization in any scheme, cookies. */
export function* findHeaders(text: string): Generator<Hit> {
  for (const found of text.matchAll(HEADER)) yield* headerValue(text, found.index + found[0].length);
  for (const found of text.matchAll(BEARER)) yield* headerValue(text, found.index + found[0].length);
  for (const found of text.matchAll(COOKIE)) yield* cookiesAt(text, found.index + found[0].length);
  yield* findUserOptions(text);
}

function* headerValue(text: string, from: number): Generator<Hit> {
  HEADER_VALUE.lastIndex = from;
  const found = HEADER_VALUE.exec(text);
  if (found === null) return;
  const value = found[0].replace(/[.:]+$/, '');
  if (
    isPlaceholder(value) ||
    isWordy(value) ||
    !(looksRandom(value.replaceAll(/[-_.~+/=%:]/g, '')) || /^[A-Za-z0-9+/]{12,}={1,2}$/.test(value))
  )
    return;
  yield { kind: 'header', tier: 'definite', from, to: from + value.length };
}

function* cookiesAt(text: string, start: number): Generator<Hit> {
  let at = start;
  for (let count = 0; count < MOST_COOKIES; count++) {
    COOKIE_PAIR.lastIndex = at;
    const pair = COOKIE_PAIR.exec(text);
    if (pair === null) return;
    const [matched, name = '', value = ''] = pair;
    const from = at + matched.indexOf('=') + 1;
    if (!COOKIE_ATTRIBUTE.test(name) && value.length >= 12 && !isPlaceholder(value) && isRandomSecret(value)) {
      yield { kind: 'cookie', tier: 'definite', from, to: from + value.length };
    }
    at = COOKIE_PAIR.lastIndex;
    // Attributes without a value: `; HttpOnly`.
    FLAG.lastIndex = at;
    if (FLAG.test(text)) at = FLAG.lastIndex;
  }
}

const FLAG = /(?:[ \t]{0,3}(?:HttpOnly|Secure|Partitioned)(?:;|$))+/iy;

const USER_OPTION =
  /\b(?:curl|wget|http|mysql|mysqldump|psql|sshpass|redis-cli|mongosh?|sqlplus|docker login|ldapsearch)\b/g;
const USER_PASSWORD = /[ \t](?:-u|--user|--proxy-user|-U)[ \t=]{0,2}["']?([^\s:"'$<]{1,64}):([^\s"'$<]{6,256})/g;
const SHORT_PASSWORD = /[ \t]-(?:p|a|w)[ \t]?["']?([^\s"'$<-][^\s"'$<]{5,256})/g;
const COMMAND_LENGTH = 600;

// A command's own options: `curl -u name:password`, `mysql -pPASSWORD`.
function* findUserOptions(text: string): Generator<Hit> {
  let done = 0;
  for (const command of text.matchAll(USER_OPTION)) {
    if (command.index < done) continue;
    const end = Math.min(text.length, command.index + COMMAND_LENGTH);
    const line = text.slice(command.index, end).split('\n', 1)[0] ?? '';
    done = command.index + Math.max(1, line.length);
    for (const found of [...line.matchAll(USER_PASSWORD), ...line.matchAll(SHORT_PASSWORD)]) {
      const value = found[2] ?? found[1] ?? '';
      if (
        isPlaceholder(value) ||
        isPath(value) ||
        isExpression(value) ||
        charKinds(value) < 2 ||
        /^[\d:.]+$/.test(value)
      )
        continue;
      const to = command.index + found.index + found[0].length;
      const tier = looksRandom(value) || (value.length >= 8 && charKinds(value) >= 3) ? 'definite' : 'candidate';
      yield { kind: 'password', tier, from: to - value.length, to };
    }
  }
}

/** As {@link findAssignments}, of a value that is alone in JSON under `key`. Null: it is not a secret. */
export function secretUnder(key: string, value: string): Pick<Hit, 'kind' | 'tier' | 'from' | 'to'> | null {
  const says = nameSays(key);
  if (says === 'nothing' || value.length > 4096) return null;
  return judged(key, says, { start: 0, value, isQuoted: true });
}
