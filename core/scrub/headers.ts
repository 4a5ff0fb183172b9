// What headers of HTTP carry, and passwords among the options of commands.
import { isPath, isRandomSecret } from './assignments.ts';
import { charKinds, isExpression, isMadeByPeople, isPlaceholder, isWordy, looksRandom } from './shapes.ts';
import type { Hit } from './types.ts';

const HEADER =
  /(?:authorization|proxy-authorization)["']?\]?[ \t]{0,3}[:=,][ \t]{0,4}["'`]?(?:[A-Za-z][A-Za-z0-9-]{2,30}[ \t]+)?/gi;
const HEADER_VALUE = /[A-Za-z0-9+/_.~=%:-]{8,4096}/y;
const BEARER =
  /\b(?:Bearer|Basic)(?:["'`][ \t]{0,2}[,+][ \t]{0,2}["'`]|,?[ \t]+(?:["'`][ \t]{0,2}\+[ \t]{0,2}["'`])?)(?=[A-Za-z0-9+/_.~-]{16})/g;
const COOKIE =
  /(?:^|[^A-Za-z])(?:(?:set-cookie2?|cookie)["']?[ \t]{0,3}[:=]|--cookie[ =]|\bcurl [^\n]{0,200}? -b)[ \t]{0,4}["'`]?/gi;
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
  if (isPlaceholder(value) || isWordy(value)) return;
  const isDrawn = looksRandom(value.replaceAll(/[-_.~+/=%:]/g, '')) || /^[A-Za-z0-9+/]{12,}={1,2}$/.test(value);
  if (!isDrawn && !isOpaque(value)) return;
  yield { kind: 'header', tier: isDrawn ? 'definite' : 'candidate', from, to: from + value.length };
}

/** Digits among letters, long enough to open something: hexadecimal, a UUID, a token too regular to be called drawn by lot. */
function isOpaque(value: string): boolean {
  return /^(?=[^a-z]*[a-z])(?=\D*\d\D*\d)[\w-]{16,256}$/i.test(value) && !isWordy(value);
}

const OPENS_SESSION = /sess|auth|token|jwt|remember|^sid$|login/i;

function* cookiesAt(text: string, start: number): Generator<Hit> {
  let at = start;
  for (let count = 0; count < MOST_COOKIES; count++) {
    COOKIE_PAIR.lastIndex = at;
    const pair = COOKIE_PAIR.exec(text);
    if (pair === null) return;
    const [matched, name = '', value = ''] = pair;
    const from = at + matched.indexOf('=') + 1;
    if (!COOKIE_ATTRIBUTE.test(name) && value.length >= 12 && !isPlaceholder(value)) {
      const isDrawn = isRandomSecret(value);
      if (isDrawn || (OPENS_SESSION.test(name) && isOpaque(value)))
        yield { kind: 'cookie', tier: isDrawn ? 'definite' : 'candidate', from, to: from + value.length };
    }
    at = COOKIE_PAIR.lastIndex;
    // Attributes without a value: `; HttpOnly`.
    FLAG.lastIndex = at;
    if (FLAG.test(text)) at = FLAG.lastIndex;
  }
}

const FLAG = /(?:[ \t]{0,3}(?:HttpOnly|Secure|Partitioned)(?:;|$))+/iy;

const USER_OPTION =
  /\b(?:curl|wget|http|mysql|mysqldump|psql|sshpass|redis-cli|mongosh?|sqlplus|docker login|helm|ldapsearch|az|zip|unzip|7z|gpg|rabbitmqctl|htpasswd)\b/g;
const USER_PASSWORD =
  /[ \t](?:-[a-zA-Z]{0,4}u|--user|--proxy-user|-U)[ \t=]{0,2}["']?([^\s:"'$<]{1,64}):([^\s"'$<]{6,256}\$?)/g;
/** A key in place of a user, with an empty password: `curl -u KEY:`. */
const USER_KEY = /[ \t](?:-[a-zA-Z]{0,4}u|--user)[ \t=]{0,2}["']?([^\s:"'$<]{16,256}):(?=["']?(?:\s|$))/g;
/** Commands with a short option for a password, by its letter; the same letter says something else to others. */
const SHORT_OPTION = [
  { letter: 'p', of: /^(?:mysql|mysqldump|sshpass|mongosh?|docker login|helm|az|7z)$/ },
  { letter: 'P', of: /^(?:zip|unzip)$/ },
  { letter: 'a', of: /^(?:redis-cli|http)$/ },
  { letter: 'w', of: /^ldapsearch$/ },
].map(({ letter, of }) => ({
  of,
  form: new RegExp(String.raw`[ \t]-${letter}[ \t]?["']?([^\s"'$<-][^\s"'$<]{5,256}\$?)`, 'g'),
}));
const COMMAND_LENGTH = 600;

const READS_ALL = String.raw`--password-stdin|\bsudo -S|\bchpasswd|--with-token|--data-file=-`;
const PIPED = new RegExp(
  String.raw`\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?["']?(?:\w{1,32}:)?([^\s"'$|<>:]{8,256}\$?)["']?[ \t]{0,4}\|[^\n|]{0,200}?(?:${READS_ALL})`,
  'g',
);

// A command's own options: `curl -u name:password`, `mysql -pPASSWORD`, `echo PASSWORD | docker login --password-stdin`.
function* findUserOptions(text: string): Generator<Hit> {
  for (const found of text.includes('|') ? text.matchAll(PIPED) : []) {
    const [whole, value = ''] = found;
    const from = found.index + whole.indexOf(value, 5);
    if (!isPlaceholder(value) && !isPath(value))
      yield {
        kind: 'password',
        tier: looksRandom(value) || isMadeByPeople(value) ? 'definite' : 'candidate',
        from,
        to: from + value.length,
      };
  }
  let done = 0;
  for (const command of text.matchAll(USER_OPTION)) {
    if (command.index < done) continue;
    const end = Math.min(text.length, command.index + COMMAND_LENGTH);
    const line = text.slice(command.index, end).split('\n', 1)[0] ?? '';
    done = command.index + Math.max(1, line.length);
    for (const found of line.matchAll(USER_KEY)) {
      const key = found[1] ?? '';
      if (isPlaceholder(key) || isWordy(key) || !isRandomSecret(key)) continue;
      const to = command.index + found.index + found[0].length - 1;
      yield { kind: 'password', tier: 'definite', from: to - key.length, to };
    }
    const short = SHORT_OPTION.find(({ of }) => of.test(command[0]))?.form;
    for (const found of [...line.matchAll(USER_PASSWORD), ...(short === undefined ? [] : line.matchAll(short))]) {
      const value = found[2] ?? found[1] ?? '';
      if (
        isPlaceholder(value) ||
        isPath(value) ||
        (isExpression(value) && !isMadeByPeople(value)) ||
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
