// Values beside a name that says secret: `API_KEY=…`, `"apiKey": "…"`, `client_secret: …`, `--token …`, `<password>…`.
// Found at the name, which is searched for; all that follows it is bounded.
import {
  charKinds,
  isExpression,
  isJumbled,
  isMadeByPeople,
  isPlaceholder,
  isUnreadable,
  isWordy,
  looksRandom,
  maybePassword,
  mixesAll,
} from './shapes.ts';
import type { Hit, Tier } from './types.ts';

const WORD =
  /key|token|secret|passw|passphrase|pwd|pass(?:code)?(?=[\s"'=:_])|credential|cred(?=s?["'=:\s])|(?:^|[^a-z])auth(?=["'=:\s])|signature|[?&]sig=|[?&]code=|jwt|bearer|session|cookie|dsn|webhook|\bmac(?==")|identified by|sshpass|apikey|_pat(?=["'=:\s])|conn(?:ection)?_?str|x-amz-s|salt(?=["'=:\s])|seed(?=["'=:\s])|mnemonic|pepper(?=["'=:\s])|\bpin(?=["'=:])|\botp(?=["'=:])|\b(?:wpa_?)?psk(?=["'=:\s])|(?:\b|_|root|admin)pw(?=["'=:\s])|masterauth|appid=|oauth(?=["'])|dockerconfigjson|code_verifier|ticket=|\bsid=|_sid(?=["'=:])|\bx-auth-/gi;

/** How sure a name makes us: of any value, only of one drawn by lot, or not at all. */
type NameSays = 'secret' | 'maybe' | 'nothing';

const NOT_SECRET =
  /^(?:(?:.*[^A-Za-z])?(?:max|min|num|count|total|prompt|completion|input|output|cached?|reasoning|used|usage|limit|budget|per|avg|mean|remaining|estimated|new|free|stop|bos|eos|pad|unk|mask|special|added|next|prev|previous|page|continuation|sync|restore|cancel(?:l?ation)?|public|primary|foreign|partition|sort|cache|idempotency|lookup|group|unique|row|object|s3|routing|map|dict|i18n|translation|locale|hot|short|arrow|escape|enter|press|any|json|yaml|toml|xml|csv|config|setting|data|query|search|index|site|storage_?object|state|dedupe?|hash|sha\d*|md5|checksum|integrity|fingerprint|design|theme|lex|syntax|text|word|sub|web_?socket)[_\-. ]?(?:keys?|tokens?|signature|sessions?)|tokens?[_\-. ]?(?:count|usage|limit|budget|type|kind|id|index|name|s|url|uri|endpoint|path|file|expir\w*|ttl)|keys?[_\-. ]?(?:id|name|type|path|file|code|down|up|press|board|frame|word|stroke|vault|s|point|size|length|usage|version|format|url|uri)|tokeni[sz]\w*|passwords?[_\-. ]?(?:field|input|hash_?algo\w*|label|placeholder|policy|length|file|reset|prompt)|secrets?[_\-. ]?(?:name|ref|manager|store|arn|path|file|s|key_?ref)|passed|passes|passing|authors?|authority|cookies?[_\-. ]?(?:name|consent|policy|jar|domain|path)|session[_\-. ]?(?:id|name|key_?prefix|start|end|type|state|file|path|dir|count|title)|keywords?|sessions?|thought_?signature|signature)$/i;

const SURE =
  /(?:^|[^a-z])(?:.*secret[_-]?(?:string|value|text)|.*(?:api|access|secret|private|auth|encryption|signing|master|service|account|license|client|app|shared|subscription|admin|deploy|project|consumer|personal|live|storage|integration|write|read|root|server|vendor|ingest(?:ion)?|instrumentation)[_\-. ]?(?:key|token)|.*(?:secret|passw(?:or)?[dt]|passphrase|pwd|passwd|requirepass|masterauth|passcode|psk|[._-]pass)|.*(?:refresh|id|bearer|bot|session|security|oauth|user|device|registration|runner|jwt|csrf|xsrf|push|install|upload|publish|github|gitlab|npm|pypi|slack|hf|ci|registry)[_\-. ]?token|.*(?:account|shared[_\-. ]?access)[_\-. ]?key|.*[_\-.]?(?:pat|dsn|mnemonic|private_key_id|sessionid|session_?cookie|set-cookie|cookie|jwt|credentials?|webhook_?(?:secret|key|url)?|connection_?string|conn_?str|encryption_?salt|signature_?key|authorization|x-amz-signature|x-amz-security-token|x-amz-credential))$/i;

function nameSays(name: string): NameSays {
  if (/^identified by$/i.test(name)) return 'secret';
  // A site publishes its token of an origin trial in each page.
  if (/origin[_-]?trial/i.test(name)) return 'nothing';
  // Signatures of thinking are not secrets; `PASS:` is the word of a test, `pwd` most often a folder.
  if (/signature$/i.test(name) && !/amz|goog/i.test(name)) return 'nothing';
  if (name === 'PASS' || /^(?:.*[._-])?old_?pwd$/i.test(name)) return 'nothing';
  if (/^(?:.*[._-])?pwd$/i.test(name)) return 'maybe';
  const snake = snakeCase(name);
  if (SURE.test(snake) || SURE.test(snake.replace(QUALIFIER, ''))) return 'secret';
  if (NOT_SECRET.test(snake)) return 'nothing';
  return MAYBE.test(name.replace(QUALIFIER, '')) ? 'maybe' : 'nothing';
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
}

const MAYBE =
  /^mac$|pw$|^appid$|^code_verifier$|^ticket$|(?:^|_)sid$|^x-auth-[a-z-]+$|dockerconfigjson$|(?:key|token|secret|pass|pwd|auth|cred|sig|session|signature|salt|pepper|seed|pin|otp|code|bearer|creds|password)s?$/i;
/** What follows the name of a secret and says which one, or how it is written: `secret_key_base`, `API_KEY_PROD`, `token2`. */
const QUALIFIER =
  /[_-]?(?:base|prod(?:uction)?|dev(?:elopment)?|staging|stage|live|main|value|raw|plain|text|b64|base64|hex|encoded|data|v?\d{1,2})$/i;

const NAME_REST = /[A-Za-z0-9_.-]{0,40}/y;
/** The next line, with what a diff, a search or a numbered listing puts before it. */
const NEXT_LINE = String.raw`\r?\n(?:[ \t]{0,8}\d{1,6}[→:|\t]|[\w./-]{1,80}[:-]\d{1,6}[:-]|[+>-])?`;
// `password[prod]="…"`, and words that say which one: "the password for staging is …", "the key (of the test account): …".
const WHICH_ONE = String.raw`(?:\[["']?[\w.-]{1,40}["']?\]|[ \t]\([^()\n]{1,60}\)(?=:)|[ \t](?:you|we|I)(?:[ \t][a-z]{1,12}){1,3}(?=:)|[ \t](?:for|of|on|in|at)(?:[ \t][\w.@-]{1,30}){1,3}?(?=[ \t](?:is|was)\b|:))?`;
const SIGN = String.raw`[:?+]=|=>|->|\|\|=?|\?\?=?|<<<|==?|:-|::?|,(?=[ \t]{0,64}["'\x60]|[A-Za-z0-9+/_-]{20})|>(?=[^\s<])|[|│]|\b(?:is|was)\b:?|\bto\b|\blautet\b:?|\bist\b`;
// A call or a key of a table around the value: `String::from("…")`, `([prod]="…")`, `{ main = "…" }`.
const WRAPPED = String.raw`(?:!!?\w{1,12} |&\w{1,20} |\$(?=')|"""\s{0,4}|[\w.()[\]"'!=? -]{1,60}?(?:\?\??|\|\||\bor)[ \t](?=["'\x60])|(?:new )?(?:\[\])?[A-Za-z_][\w.:<>]{0,40}\([ \t]?(?=[brfu]{0,2}["'\x60])|\(?\[["']?[\w.-]{1,40}["']?\]=|\{[ \t]{0,4}["']?[\w.-]{1,40}["']?[ \t]{0,2}[:=][ \t]{0,2}(?=["'\x60]))?`;
// Quotes of one kind: those of another kind behind them are the first characters of the value.
const OPENED = String.raw`(?:[\\|(]{0,3}(?:"{1,3}|'{1,3}|\x60{1,3})(?:\\{1,3}["'\x60])?|[\\|(]{0,4})`;
/** Blanks around a sign: names of a file are aligned by the longest of them. */
const ALIGNED = String.raw`[ \t]{0,64}(?![ \t])`;
// Behind the name: quotes, brackets, white space and one sign that says "is"; the value may be on the next line.
const JOINT = new RegExp(
  String.raw`${WHICH_ONE}["'\x60\])\\]{0,3}${ALIGNED}(?:${SIGN})${ALIGNED}(?:[|>][-+]?\d?(?=\r?\n))?(?:\\(?:${NEXT_LINE})[ \t]{0,16}|(?:${NEXT_LINE})(?:[ \t]{1,16}(?:- )?|(?<=[+]))[ \t]{0,16})?${WRAPPED}(?:[brfuN]{1,2}(?=["'\x60]))?${OPENED}[ \t]?`,
  'y',
);
/** The value is an argument: `setApiKey("…")`. Only of what is drawn by lot. */
const CALL_JOINT = /\([ \t]{0,2}["'`]/y;
// `apiKey: string = "…"`, `var apiKey string = "…"`: a type between the name and a value in quotes.
const TYPED_JOINT =
  /[?!]?(?:[ \t]{0,2}:[ \t]{0,2}&?(?:'static )?[A-Za-z_[][\w.<>[\]|? ]{0,40}?|[ \t](?:string|\[\]byte)|\[\d{0,4}\])[ \t]{0,2}=[ \t]{0,2}(?:[A-Za-z_][\w.:]{0,40}\((?:\w{1,20}=)?)?(?:[brfu]{1,2}(?=["'`]))?["'`]/y;
// `key="ApiSecret" value="…"`, `"name": "API_KEY", "value": "…"`, `- name: API_KEY` above `value: …`, `secret set API_KEY --body "…"`,
// `variable "api_key" { … default = "…" }`, `<th>API key</th><td>…`, `vault put API_KEY <<< …`.
const PAIR_JOINT = new RegExp(
  [
    String.raw`["']?[ \t]{0,4}(?:,\s{0,40}|[ \t]|(?:${NEXT_LINE})[ \t]{1,40})["']?(?:parameter)?value["']?[ \t]{0,3}[:=][ \t]{0,3}["']?`,
    String.raw`["'],[ \t]{0,3}["'][\w-]{1,30}["']:[ \t]{0,3}["'][\w-]{1,40}["'],[ \t]{0,3}["']value["']:[ \t]{0,3}["']`,
    String.raw`["'],[^\n]{0,60}?[ \t](?:default|value)=["']`,
    String.raw`["']?[ \t]{0,4}\{[^{}]{0,200}?\b(?:default|value)["']?[ \t]{0,64}[:=][ \t]{0,4}["']?`,
    String.raw`["']?:[ \t]{0,4}(?:${NEXT_LINE})[ \t]{1,16}default:[ \t]{1,4}["']?`,
    String.raw`["']?[ \t]{1,4}-{1,2}(?:body|value|plaintext|secret-string)[ =]["']?`,
    String.raw`["'][^<>\n]{0,60}[ \t](?:value|content)=["']`,
    String.raw`<\/\w{1,20}>(?:\s|(?:${NEXT_LINE})){0,40}(?:<\w{1,20}[^<>\n]{0,80}>\s{0,20}){1,3}`,
    // Properties and functions: `Token { get; set; } = "…"`, `get token() { return "…"`.
    String.raw`[ \t]\{ ?get;[^{}]{0,30}\}[ \t]?=[ \t]?["']|\(\)[^\n{]{0,30}\{\s{0,8}return[ \t]["']`,
    String.raw`[^\n<]{0,40}<<<[ \t]?["']?`,
    String.raw`:?\*{2}[ \t]{0,2}[|:]?[ \t]{0,2}[\x60"']?`,
    String.raw`[ \t]-[ \t][\x60"']?(?=[A-Za-z0-9+/_.=-]{16})`,
  ].join('|'),
  'iy',
);
const DEFINE_JOINT = /[ \t]{1,20}["']/y;
// `set -x API_TOKEN …`, `login bot password …`: only of what is drawn by lot.
const SPACE_JOINT = /[ \t]{1,16}["'`]?(?=[A-Za-z0-9+/_.=-]{16}|[^\s"'`]{8,64}(?:[\s"'`]|$))/y;
/** Commands that set the variable behind them. */
const SETS = /\b(?:setx|set -[gxU]{1,3}|setenv)[ \t]{1,3}$/;
const FLAG_JOINT = /[ \t]{1,4}["'`]?|=["'`]?/y;
/** Of a line that is an assignment the value goes to its end, whatever signs it has. */
const LINE_VALUE = /[^\s\x1b"'`<>(){}[\]\\]{4,512}(?=[ \t]{0,8}(?:\r?\n|$|[;#][ \t]))/y;
const VALUE = /[^\s\x1b"'`<>,;|&(){}[\]\\]{4,4096}/y;
/** Up to the same quote. A backslash that escapes nothing is one of the characters. */
const quotedBy = (quote: string): RegExp =>
  new RegExp(String.raw`[^${quote}\n\\](?:[^${quote}\n\\]|\\(?![nrtbfvux0"'\x60\\\s])){3,4095}(?=${quote})`, 'y');
const QUOTED_VALUE: Readonly<Record<string, RegExp>> = {
  '"': quotedBy('"'),
  "'": quotedBy("'"),
  '`': quotedBy('`'),
};

/** Secrets beside their names. */
export function* findAssignments(text: string): Generator<Hit> {
  WORD.lastIndex = 0;
  for (let word = WORD.exec(text); word !== null; word = WORD.exec(text)) {
    const hit = assignedAt(text, word.index, word[0]);
    if (hit === null) continue;
    yield hit;
    // The value may itself hold a name: it is looked at once.
    WORD.lastIndex = Math.max(WORD.lastIndex, hit.to);
    if (hit.tier === 'definite') for (const next of continued(text, hit)) yield next;
  }
}

/** `"…" + "…"`, `["…", "…"]`, a list of lines: one more value behind a value. */
const CONTINUED = new RegExp(
  String.raw`["'\x60]\)?[ \t]{0,4}(?:[+.,\\][ \t]{0,4})?(?:(?:${NEXT_LINE})[ \t]{0,40})?[brf]?["'\x60]|(?:${NEXT_LINE})[ \t]{1,16}- ["']?`,
  'y',
);
const MOST_CONTINUED = 32;

function* continued(text: string, first: Hit): Generator<Hit> {
  for (let count = 0, end = first.to; count < MOST_CONTINUED; count++) {
    CONTINUED.lastIndex = end;
    if (!CONTINUED.test(text)) return;
    const from = CONTINUED.lastIndex;
    const value = valueAt(text, from) ?? '';
    if (value.length < 12 || !isRandomSecret(value) || isPlaceholder(value) || isPath(value)) return;
    end = from + value.length;
    yield { ...first, from, to: end };
  }
}

function assignedAt(text: string, at: number, word: string): Hit | null {
  const from = nameStart(text, at);
  NAME_REST.lastIndex = at + word.length;
  NAME_REST.test(text);
  const end = /[=\s]$/.test(word) ? at + word.trimEnd().replace(/=$/, '').length : NAME_REST.lastIndex;
  const name = text.slice(from, end).replace(/^[^A-Za-z]+/, '');
  if (IN_ARN.test(text.slice(Math.max(0, from - 120), from))) return null;
  // An address is signed by what its query says, and may open a session; the same names elsewhere open nothing.
  const isInQuery =
    /[?&]/.test(text.charAt(from - 1)) && /^(?:(?:[\w-]{1,30}-)?signature|session_?id|sid)$/i.test(name);
  const says = isInQuery ? 'maybe' : isOfCache(text, name, from) ? 'nothing' : nameSays(name);
  if (says === 'nothing') return ofSeveral(text, name, end);
  const start = valueStart(text, from, end) ?? calledStart(text, end, name) ?? spacedStart(text, end, name, says);
  if (start === null) return ofSeveral(text, name, end);
  const line = lineValueAt(text, from, start);
  const value = line ?? valueAt(text, start);
  if (value === null) return null;
  const isString = /["'`]/.test(text.charAt(start - 1));
  // A call, a member, an element: code.
  if (!isString && /[([]/.test(text.charAt(start + value.length)) && /^[\w.$]+$/.test(value)) return null;
  const isQuoted = isString && !isNextOfList(text, { from, end, start, to: start + value.length });
  // `='"$PASSWORD"'` of a shell: quotes within quotes.
  const quotes = isString && /^(["'`]).*\1$/.test(value) ? 1 : 0;
  const inner = value.slice(quotes, value.length - quotes);
  const isAssigned = /[\w"'\]]=$/.test(text.slice(start - 2, start));
  const isWhole = isString || (line !== null && isAssigned);
  return judged(name, says, { start: start + quotes, value: inner, isQuoted, isAssigned, isWhole });
}

/** `arn:aws:secretsmanager:eu-west-1:…:secret:prod/db`: what it names is a secret, the name is not. */
const IN_ARN = /\barn:aws[a-z-]{0,12}:[\w:/.*-]{0,90}$/;

/** Behind a comma is the next name of a list, but for two that are all of a call: `set("password", "…")`. */
function isNextOfList(text: string, at: { from: number; end: number; start: number; to: number }): boolean {
  if (!/^["'`]?,/.test(text.slice(at.end, at.start))) return false;
  return !/\(["'`]$/.test(text.slice(at.from - 2, at.from)) || text.charAt(at.to + 1) !== ')';
}

/** `Cache restored from key: …`, `Saved cache with key …`: of what CI keeps. */
function isOfCache(text: string, name: string, from: number): boolean {
  const behind = text.slice(from, from + 200);
  if (/^key$/i.test(name) && /^key["']?:[^\n]{0,160}\n[ \t]{0,16}(?:restore-keys|paths?|hashFiles)\b/i.test(behind))
    return true;
  return /^keys?$/i.test(name) && /(?:\b|\\[nrt])cached?\b[^\n]{0,60}$/i.test(text.slice(Math.max(0, from - 80), from));
}

/** `secrets["main"] = "…"`, `tokens: ["…"]`, `API_KEYS[0]=…`: of several; only what is drawn by lot, hashes apart. */
const SEVERAL = /^(.*(?:secret|token|key|password|credential)(?=s)|.*oauth)s?(?:\.[\w-]+)?$/i;
const IN_SEVERAL = new RegExp(
  String.raw`\[["']?[\w.-]{1,40}["']?\][ \t]{0,4}[:=]{1,2}[ \t]{0,4}["']?|\](?:${NEXT_LINE})[ \t]{0,8}[\w.-]{1,40}[ \t]{0,2}=[ \t]{0,2}["']|["']?[ \t]{0,4}[:=][ \t]{0,4}(?:\[[ \t]{0,4}["']|\(\[["']?[\w.-]{1,40}["']?\]=["']?|\{[ \t]{0,4}["']?[\w.-]{1,40}["']?[ \t]{0,2}[:=][ \t]{0,2}["']|(?:${NEXT_LINE})[ \t]{1,16}(?:- |[\w.-]{1,40}: )["']?)`,
  'y',
);

function ofSeveral(text: string, name: string, end: number): Hit | null {
  const one = SEVERAL.exec(name)?.[1];
  if (one === undefined || (nameSays(one) === 'nothing' && one.length > 8)) return null;
  IN_SEVERAL.lastIndex = end;
  // `[secrets.main]` of TOML, then names with values.
  if (!IN_SEVERAL.test(text)) return null;
  const start = IN_SEVERAL.lastIndex;
  const value = valueAt(text, start);
  if (value === null || isHash(value) || KNOWN_ID.test(value)) return null;
  const isDrawn = isRandomSecret(value) && !isPlaceholder(value) && !isPath(value) && !isWordy(value);
  return isDrawn ? { kind: kindOfName(one), tier: 'definite', from: start, to: start + value.length } : null;
}

// `export NAME=…` with a line for itself.
function lineValueAt(text: string, from: number, start: number): string | null {
  if (!/[:=][ \t]{0,64}$/.test(text.slice(Math.max(0, start - 65), start))) return null;
  const line = text.slice(Math.max(0, from - 24), from);
  if (!/(?:^|[\n\r]|[\d:→+-])[ \t]{0,8}(?:(?:export|set|local|readonly|declare -x|ENV|ARG|#) )?$/.test(line))
    return null;
  LINE_VALUE.lastIndex = start;
  return LINE_VALUE.exec(text)?.[0].replace(/[,;]+$/, '') ?? null;
}

function calledStart(text: string, end: number, name: string): number | null {
  CALL_JOINT.lastIndex = end;
  if (!CALL_JOINT.test(text)) return null;
  const value = valueAt(text, CALL_JOINT.lastIndex) ?? '';
  const isOne = (isRandomSecret(value) && !isWordy(value)) || (OPENS_BY_PASSWORD.test(name) && isMadeByPeople(value));
  return isOne ? CALL_JOINT.lastIndex : null;
}

function nameStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && at - from < 40 && /[A-Za-z0-9_.-]/.test(text.charAt(from - 1))) from--;
  // The letter of an escape is none of its name.
  const isEscape = from < at && text.charAt(from - 1) === '\\' && /[nrtbfv]/.test(text.charAt(from));
  return isEscape ? from + 1 : from;
}

function valueStart(text: string, from: number, end: number): number | null {
  const joints = [TYPED_JOINT, PAIR_JOINT, JOINT];
  if (text.startsWith('--', from) || /by$/i.test(text.slice(end - 2, end))) joints.push(FLAG_JOINT);
  if (SETS.test(text.slice(Math.max(0, from - 16), from))) joints.push(FLAG_JOINT);
  if (text.startsWith('#define ', from - 8)) joints.push(DEFINE_JOINT);
  for (const joint of joints) {
    joint.lastIndex = end;
    if (joint.test(text)) return joint.lastIndex;
  }
  return null;
}

function spacedStart(text: string, end: number, name: string, says: NameSays): number | null {
  SPACE_JOINT.lastIndex = end;
  if (!SPACE_JOINT.test(text)) return null;
  const start = SPACE_JOINT.lastIndex;
  const value = valueAt(text, start) ?? '';
  if (/passw|passphrase|pass$|pw$/i.test(name) && isMadeByPeople(value)) return start;
  const isDrawn = isHash(value) ? says === 'secret' : looksRandom(value) && charKinds(value) >= 3 && !isWordy(value);
  const isNamed = says === 'secret' || name.includes('_') || value.length >= 24;
  if (OF_HEADER.test(name) && isRandomSecret(value) && !isWordy(value)) return start;
  return isDrawn && isNamed ? start : null;
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
  /** `NAME=value` without a blank, as environments and forms have it. */
  readonly isAssigned: boolean;
  /** Something else than a sentence says where it ends: quotes, or the end of the line of an assignment. */
  readonly isWhole: boolean;
}

function judged(name: string, says: NameSays, assigned: Assigned): Hit | null {
  const { start, value, isQuoted, isAssigned, isWhole } = assigned;
  // Cookies are read whole; the keys that sign them are keys.
  if (/cookie(?![_-]?(?:secret|key|token|salt|passw))/i.test(name)) return null;
  const scheme = schemeOf(value);
  const whole = value.slice(scheme);
  // A sign at the end of a sentence, or of a password; a full stop and a colon end a sentence or a line of code.
  const said = whole.replace(/[.:]+$/, '');
  const isPassword = OPENS_BY_PASSWORD.test(name) && isMadeByPeople(said);
  const bare = isWhole ? whole : isPassword ? said : whole.replace(/[.:!?]+$/, '');
  const isBounded = isQuoted || isAssigned;
  const isLong = bare.length >= 12 || OPENS_BY_PASSWORD.test(name);
  const isSure = says === 'secret' && isBounded && isLong && isJumbled(bare) && !isPath(bare);
  const tier = isSure && !isKnown(name, bare) ? 'definite' : secretTier(name, says, bare, isQuoted);
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
  if (isKnown(name, value)) return null;
  if (!isQuoted && isMember(value)) return null;
  if (isMadeByPeople(value) && OPENS_BY_PASSWORD.test(name))
    return !isQuoted && GIVES_SECRET.test(value) ? 'candidate' : 'definite';
  if (/otp|2fa|mfa/i.test(name) && /^[A-Z2-7]{16,64}$/.test(value)) return 'definite';
  const random =
    (says === 'secret' && mixesAll(value)) ||
    (isRandomSecret(value) && (/\d/.test(value) || !isWordy(value))) ||
    ((says === 'secret' || OF_ENVIRONMENT.test(name)) && isUnreadable(value));
  if (/pwd$/i.test(name) && /[/\\;%\]]/.test(value)) return null;
  const isToken = OF_HEADER.test(name) || TOKEN_ALONE.test(name);
  const opens = isToken && (UUID.test(value) || isMadeByPeople(value) || maybePassword(value)) ? 'candidate' : null;
  if (UUID.test(value) && OF_ENVIRONMENT.test(name)) return 'definite';
  if (says === 'maybe') return random && !UUID.test(value) ? 'definite' : opens;
  if (random) return 'definite';
  if (opens !== null) return opens;
  const ofPassword = isExpression(value) && !isQuoted ? null : passwordTier(name, value, isQuoted);
  // Before what is only a guess: a longer value is no less sure than the first characters of it would be.
  if (ofPassword === 'definite') return ofPassword;
  // A name that says so, and what people make up: more than a name of code, less than what is drawn by lot.
  if (says === 'secret' && (isMadeByPeople(value) || maybePassword(value) || LONG_MIXED.test(value)))
    return 'candidate';
  if (OPENS_BY_PASSWORD.test(name) && maybePassword(value)) return 'candidate';
  if (isExpression(value) && !isQuoted) return null;
  if (OF_PASSWORD.test(name)) return ofPassword;
  return isQuoted && !isWordy(value) && value.length >= 12 && charKinds(value) >= 2 ? 'candidate' : null;
}

/** Whether it is known as something that opens nothing. */
function isKnown(name: string, value: string): boolean {
  // The address of a network card.
  if (/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value)) return true;
  // An account or a contract of a chain: its private key has 64 digits.
  if (/^0x[0-9a-f]{40}$/i.test(value)) return true;
  if (KNOWN_ID.test(value) || /^(?:sha\d{1,3}|md5)[-:]/i.test(value)) return true;
  return isHash(value) && OF_CONTENT.test(snakeCase(name));
}

/** A member of something in code: `formValues.password1`. */
function isMember(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !/\d{2}$/.test(value) && isWordy(value);
}

/** What people make up themselves opens it. */
const OPENS_BY_PASSWORD = /passw|passphrase|passcode|pwd$|pass$|pw$|psk$|masterauth|secret$|identified by$/i;

/** A header of its own that opens something: `X-Consul-Token`. */
const OF_HEADER = /^x-(?:[a-z-]*(?:token|key|secret|auth|password)|auth-[a-z-]+)$/i;
/** Names that say a secret, where nothing says of what. */
const TOKEN_ALONE = /^(?:x_)?(?:token|secret|pwd|pass|jwt_?key|signing_?key|auth)$/i;
/** Letters and digits too regular to be called drawn by lot. */
const LONG_MIXED = /^(?=[^a-z]*[a-z])(?=\D*\d\D*\d)[A-Za-z0-9]{20,128}$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Of a variable of the environment, whosever it is: `VERCEL_TOKEN`. */
const OF_ENVIRONMENT = /^[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET)$/;

/** Ids of calls, messages and requests that providers give: they open nothing. */
const KNOWN_ID =
  /^(?:toolu|srvtoolu|call|fc|ctc|msg|rs|resp|req|run|thread|asst|chatcmpl|cmpl|gen|step|file|vs|batch|ses|prt|evt|task|agent|ws|item|conv|tooluse)[_-](?:vrtx_|bdrk_|proj_)?[A-Za-z0-9_-]{8,}$/;

/** A function or a variable of code that gives one: `getPassword12`. Without quotes it is that as often as a password. */
const GIVES_SECRET =
  /^(?:get|set|read|load|fetch|find|make|create|gen|generate|derive|hash|check|is|has|verify|validate|compare|encode|decode|encrypt|decrypt|update|reset|change|parse|resolve|ask|prompt)(?=[A-Z_])\w*(?:[Pp]ass|[Ss]ecret|[Tt]oken|[Kk]ey|[Pp]wd|[Cc]redential)\w*$/;

/** What forms call their fields: `new_password2`. */
const FIELD_OF_FORM =
  /^(?:(?:old|new|current|confirm|repeat|verify|user|raw|input)[_-]?){0,2}pass(?:word|wd)?(?:[_-]?(?:confirm|confirmation|again|repeat|hash|field|input))?[_-]?\d?$/i;

const OF_PASSWORD = /passw|passphrase|pwd/i;

function passwordTier(name: string, value: string, isQuoted: boolean): Tier | null {
  if (!OF_PASSWORD.test(name)) return null;
  if (/^[\w.-]+\(|[=(){}]|=>|^[A-Z][A-Z_]+$/.test(value) || FIELD_OF_FORM.test(value)) return null;
  if (value.length >= 8 && charKinds(value) >= 3 && !isWordy(value)) return 'definite';
  return isQuoted || /\d/.test(value) ? 'candidate' : null;
}

const LABELLED = /^(?:[A-Za-z][A-Za-z0-9+.-]{0,20}:)?\/\//;

/** Whether it is the path or the address of something. */
export function isPath(value: string): boolean {
  if (LABELLED.test(value)) return true;
  if (/^(?:\.{0,2}|~|[A-Za-z]:)[\\/]/.test(value)) return !looksRandom(value.replaceAll('/', ''));
  if (/^[\w-]+\/[\w./@-]+\.[a-z]{2,5}$/i.test(value)) return true;
  return /\.(?:json|ya?ml|ts|tsx|js|py|go|rs|md|txt|pem|key|crt|env|toml|lock|sh|html|css)$/i.test(value);
}

/** Names of the hash of some content. */
const OF_CONTENT = /(?:^|[^a-z])(?:sha\d*|md5|hash(?:es)?|digests?|commits?|checksums?|etags?)(?![a-z])/i;

function isHash(value: string): boolean {
  return /^(?:sha\d+[-:])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(value);
}

/** Whether a value is drawn by lot, as keys and passwords of machines are. */
export function isRandomSecret(value: string): boolean {
  if (value.length < 16) return value.length >= 12 && looksRandom(value) && charKinds(value) >= 3;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value)) return true;
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(value)) return value.length >= 32 || (value.length >= 20 && looksRandom(value));
  return looksRandom(value.replaceAll(/[-_.~+/=%:]/g, ''));
}

/** As {@link findAssignments}, of a value that is alone in JSON under `key`. Null: it is not a secret. */
export function secretUnder(key: string, value: string): Pick<Hit, 'kind' | 'tier' | 'from' | 'to'> | null {
  const says = nameSays(key);
  if (says === 'nothing' || value.length > 4096) return null;
  return judged(key, says, { start: 0, value, isQuoted: true, isAssigned: false, isWhole: true });
}
