// Secrets without a name beside them: a form of file, the head of a table, the heading of a list says what they are.
import { isPath, isRandomSecret, secretUnder } from './assignments.ts';
import { charKinds, isMadeByPeople, isPlaceholder, isWordy, maybePassword, mixesAll } from './shapes.ts';
import type { Hit, Tier } from './types.ts';

/** The first group is a password; looked for only where the text has the sign. */
const FORMS: readonly {
  readonly sign: string;
  readonly form: RegExp;
  readonly tier?: Tier;
  readonly kind?: string;
}[] = [
  // .pgpass: host:port:database:user:password
  {
    sign: ':',
    form: /(?:^|[\s:→+])[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:([^\s:]{8,128})(?=\s|$)/gm,
  },
  // .netrc, on one line or three
  { sign: 'login', form: /\blogin\s{1,4}\S{1,80}(?:\s|[\d→+:-]){1,24}password\s{1,4}(\S{6,128})/g },
  // jdbc:oracle:thin:user/password@, sqlplus user/password@
  { sign: '/', form: /(?:jdbc:oracle:\w{2,6}:|\bsqlplus\s{1,4})[\w$#]{1,40}\/([^\s/@"']{6,128})(?=@)/g },
  // cookies.txt: seven columns
  { sign: '\t', form: /\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,80}\t([^\t\s]{12,2048})/g },
  { sign: 'otpauth:', form: /otpauth:\/\/[^\s"'`<>]{0,300}?[?&]secret=([A-Z2-7a-z]{16,128})/g },
  // A password behind its user, in quotes or by a name that says so: auth=("bot", "…"), getConnection(url, user, "…"), new PDO($dsn, $user, "…")
  {
    sign: '(',
    form: /(?:auth|login|credentials?|connect(?:ion)?|PDO|mysqli)\w{0,8}\s{0,2}=?\s{0,2}\((?:(?:[^()"',\n]{0,80}|["'][^"'\n]{0,80}["']),\s{0,3}){0,2}(?:["'][^"'\n]{1,60}["']|[$\w.>-]{0,40}(?:user|login|name|uid)\w{0,8}),\s{0,4}(?:Some\()?["']([^\s"'`]{6,128})["']/gi,
  },
  // login: bot / …, creds: bot:…
  {
    sign: ':',
    form: /\b(?:login|creds?|credentials|log ?in with)\b:?[ \t]{1,3}[\w.@-]{1,60}(?:[ \t]\/[ \t]|:)([^\s"'`/]{8,128})/gi,
  },
  // A key as an argument of what signs and encrypts: jwt.sign(claims, "…"), createHmac("sha256", "…"), Fernet(b"…").
  {
    sign: '(',
    form: /\b(?:jwt\.(?:sign|verify|encode|decode)|createHmac|hmac\.new|Fernet|createCipheriv)\([^"'`\n]{0,60}(?:["'][\w-]{1,20}["'],\s{0,2})?b?["'`]([^\s"'`]{16,200})["'`]/g,
  },
  // The words of a wallet.
  {
    sign: ' ',
    form: /\b(?:mnemonic|(?:seed|recovery|secret)[_ -]?phrase)["']?[ \t]{0,3}[:=][ \t]{0,3}["'\x60]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b/gi,
  },
  // A phrase in quotes, with a number among its words.
  {
    sign: 'pass',
    form: /pass(?:phrase|word|wd)\w{0,8}["']?[ \t]{0,3}(?:[:=]|to\b|[ \t])[ \t]{0,3}["'\x60]((?!(?:must|minimum|at least|enter)\b)(?:[A-Za-z]{3,12}[ -]){2,8}\d{1,6})["'\x60]/gi,
    tier: 'candidate',
  },
  { sign: 'cookieParser', form: /\bcookieParser\(\s{0,2}["'\x60]([^\s"'\x60]{8,256})["'\x60]/g },
  { sign: 'toCharArray', form: /["']([^\s"']{6,128})["']\.toCharArray\(\)/g, tier: 'candidate' },
  { sign: 'bindpw', form: /\bbindpw[ \t]{1,8}([^\s"']{6,128})/g },
  { sign: '--passphrase', form: /--passphrase[ =]["']([^"'\n]{8,128})["']/g },
  {
    sign: '-password',
    form: /\badd-(?:generic|internet)-password\b[^\n]{0,160}?[ \t]-w[ \t]{1,3}["']?([^\s"'-][^\s"']{5,127})/g,
  },
  {
    sign: 'put-parameter',
    form: /\bput-parameter\b[^\n]{0,200}?--type[ =]SecureString[^\n]{0,80}?--value[ =]["']?([^\s"']{6,512})/g,
  },
  { sign: 'temporary password', form: /\btemporary password\b[^\n:]{0,60}:[ \t]{0,2}([^\s"']{8,128})/gi },
  { sign: 'password', form: /\bpassword\b[^\n:]{0,80}:\s{2,8}([0-9a-f]{32})(?=\s|$)/gi },
  {
    sign: 'New value',
    form: /\bPassword for the \[?[\w.-]{1,40}\]? user\b[^\n]{0,60}\n\s{0,4}New value:[ \t]{0,2}([^\s"']{8,128})/g,
  },
  { sign: 'nseal', form: /\b(?:Unseal Key \d{1,2}|Initial Root Token):[ \t]{0,3}([A-Za-z0-9+/=._-]{16,200})/g },
  {
    sign: 'string(',
    form: /\["?\w{0,24}(?:passw\w{0,8}|secret|token|api_?key)"?\]\s{0,2}=>\s{1,8}string\(\d{1,5}\)\s{1,4}"([^"\s]{6,2048})"/gi,
  },
  {
    sign: '"value"',
    form: /"value"\s{0,3}:\s{0,3}"([^"\s]{16,2048})",\s{0,8}"name"\s{0,3}:\s{0,3}"(?:[\w-]{0,30}(?:token|key|auth\w{0,12}|secret|cookie|session))"/gi,
  },
  {
    sign: 'with the value',
    form: /\b[\w-]{0,30}(?:token|key|authorization|secret|password)\b[\x60"']{0,2} with the value [\x60"']{0,2}([^\s"'\x60]{8,512})/gi,
  },
  { sign: 'storepass', form: /-(?:store|key)pass[ \t]{1,3}["']?([^\s"'-][^\s"']{5,127})/g },
  { sign: 'net use', form: /\bnet use\b[^\n]{0,80}?\/user:[^\s"']{1,60}[ \t]{1,3}["']?([^\s"'*]{6,128})/gi },
  {
    sign: '-P',
    form: /\b(?:sqlcmd|bcp|isql|tsql)\b[^\n]{0,120}?[ \t]-P[ \t]{0,2}["']?([^\s"']{6,128})/g,
  },
  { sign: '%', form: /\bsmbclient\b[^\n]{0,120}?[ \t](?:-U|--user)[ \t=]{1,2}["']?[^\s"'%]{1,60}%([^\s"']{6,128})/g },
  {
    sign: 'htpasswd',
    form: /\bhtpasswd[ \t]{1,3}-\w*b\w*[ \t][^\n]{0,160}?[ \t]["']?([^\s"'-][^\s"']{5,127})["']?[ \t]*(?=[\n;&|]|$)/gm,
  },
  { sign: 'http-basic', form: /\bhttp-basic\.[\w.-]{1,60}[ \t]{1,3}[^\s"']{1,60}[ \t]{1,3}["']?([^\s"']{8,256})/g },
  { sign: 'sonar.login', form: /\bsonar\.login\s{0,2}[=:]\s{0,2}["']?([A-Za-z0-9_]{20,128})/g },
  { sign: 'SESSID', form: /[?&](?:PHPSESSID|JSESSIONID|ASPSESSIONID\w{0,12})=([A-Za-z0-9_.-]{16,128})/g },
  {
    sign: '"cookies"',
    form: /"name"\s{0,3}:\s{0,3}"(?:[\w.-]{0,40}(?:sess|auth|token|jwt|remember|login)[\w.-]{0,40}|sid)",\s{0,8}"value"\s{0,3}:\s{0,3}"([^"\s]{16,2048})"/gi,
  },
  { sign: 'SecureString', form: /ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?["']([^\s"']{8,128})["']/g },
  { sign: 'add-mask', form: /::add-mask::([^\s"']{8,512})/g },
  {
    sign: 'ookie',
    form: /\b[Cc]ookies?(?:\.set|\.put)?\s{0,2}[=(]\s{0,2}\{?["'][\w.-]{1,60}["'][,:]\s{0,2}["']([^\s"']{16,2048})["']/g,
  },
  { sign: '/hook', form: /\/hooks?\/([A-Za-z0-9_-]{20,200})(?=[\s"'`)>]|$)/g },
  // Commands whose last word is one: `rabbitmqctl add_user bot …`, `vault login …`.
  {
    sign: ' ',
    form: /\b(?:(?:add_user|change_password|net user)\s{1,3}[\w.@-]{1,60}|vault login|auth init -t)\s{1,3}["']?([^\s"'-][^\s"']{7,256})/g,
  },
  // Commands that are given a key: `wandb login …`, `cargo login …`.
  {
    sign: ' ',
    form: /\b(?:wandb login|cargo login|snyk auth|ngrok authtoken|ngrok config add-authtoken|cachix authtoken)(?:[ \t]{1,3}--?[\w-]{1,30}){0,3}[ \t]{1,3}["']?([A-Za-z0-9_-]{20,256})(?=["'\s]|$)/g,
  },
  {
    sign: 'mc alias',
    form: /\bmc alias set[ \t]{1,3}\S{1,40}[ \t]{1,3}\S{1,200}[ \t]{1,3}\S{1,64}[ \t]{1,3}["']?([^\s"']{8,128})/g,
  },
  { sign: 'ssh-keygen', form: /\bssh-keygen\b[^\n]{0,160}?[ \t]-[NP][ \t]{0,2}["']([^\s"']{6,128})(?=["'])/g },
  // AUTH of Redis, of SMTP; behind the prompt of redis-cli a user may be left out.
  { sign: 'AUTH ', form: /\bAUTH[ \t]{1,3}(?:default|PLAIN)[ \t]{1,3}["']?([^\s"']{8,512})/g },
  {
    sign: '> ',
    form: /:\d{2,5}(?:\[\d{1,3}\])?>[ \t]{1,3}(?:AUTH|auth)[ \t]{1,3}(?:[\w.@-]{1,40}[ \t]{1,3})?["']?([^\s"']{8,512})(?=["']?[ \t]{0,3}(?:\r?\n|$))/g,
  },
  // Nodes of a chain: who has the address is let in.
  { sign: 'infura.io', form: /\.infura\.io\/(?:ws\/)?v3\/([0-9a-f]{32})(?![0-9a-f])/g, kind: 'url_credentials' },
  { sign: 'alchemy.com', form: /\.g\.alchemy\.com\/v2\/([A-Za-z0-9_-]{28,40})(?![\w-])/g, kind: 'url_credentials' },
  { sign: 'quiknode.pro', form: /\.quiknode\.pro\/([0-9a-f]{40})(?![0-9a-f])/g, kind: 'url_credentials' },
  // Cookies as browsers and archives of requests export them.
  {
    sign: '"httpOnly"',
    form: /"name"\s{0,3}:\s{0,3}"(?:[\w.-]{0,40}(?:sess|auth|token|jwt|remember|login)[\w.-]{0,40}|sid)",\s{0,8}"value"\s{0,3}:\s{0,3}"([^"\s]{16,2048})"/gi,
    kind: 'cookie',
  },
  // Words of a passphrase; a sentence about one has words of grammar.
  {
    sign: 'PHRASE',
    form: /PASSPHRASE=["']((?![^"'\n]{0,80}\b(?:the|your|my|for|of|to|is|must|enter|not|and|or|with)\b)(?:[a-z]{3,12} ){3,8}[a-z]{3,12})["']/g,
  },
  // user:password@tcp(host) of Go, sip:user:password@host
  {
    sign: '@',
    form: /(?:(?<![\w/])[\w.-]{1,40}|\bsips?:[\w.-]{1,60}):([^\s:@/"'`]{8,128})@(?=tcp\(|unix\(|(?<=sip.{1,200})[\w.-])/g,
  },
  // lftp -u name,password; smbclient -U name%password; xfreerdp /p:password
  {
    sign: ' ',
    form: /\b(?:lftp|smbclient|xfreerdp|rdesktop)\b[^\n]{0,120}?[ \t](?:-u[ \t]?[\w.@-]{1,60},|-U[ \t]?[\w.@-]{1,60}%|\/p:)["']?([^\s"']{8,128})/g,
  },
  {
    sign: '',
    form: /(?:mot de passe|contraseña|contrasena|\bsenha|wachtwoord|lösenord|adgangskode|passord|\bhasło|\bparola|salasana|пароль|密码|密碼|パスワード|비밀번호)[ \t]{0,2}(?:[:=：]|est\b|es\b|é\b|är\b|er\b|to\b|是|は)[ \t]{0,2}["'`]?([^\s"'`]{8,128})/gi,
  },
];

/** Passwords in forms of files and of calls that say by their places what is one. */
export function* findInForms(text: string): Generator<Hit> {
  for (const { sign, form, tier = 'definite', kind = 'password' } of FORMS) {
    if (!text.includes(sign)) continue;
    for (const found of text.matchAll(form)) {
      const value = found[1] ?? '';
      if (!isPasswordHere(value)) continue;
      const to = found.index + found[0].lastIndexOf(value) + value.length;
      yield { kind, tier, from: to - value.length, to };
    }
  }
  if (text.includes('define(')) yield* saltsOfWordPress(text);
}

const SALT =
  /\bdefine\(\s{0,3}["'](?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],\s{0,64}(?:'([^'\n]{40,128})'|"([^"\n]{40,128})")/g;

/** Keys and salts of `wp-config.php`: any characters, blanks among them. */
function* saltsOfWordPress(text: string): Generator<Hit> {
  for (const found of text.matchAll(SALT)) {
    const value = found[1] ?? found[2] ?? '';
    if (charKinds(value) < 3 || isWordy(value)) continue;
    const to = found.index + found[0].length - 1;
    yield { kind: 'secret_value', tier: 'definite', from: to - value.length, to };
  }
}

const INSERT = /\bINSERT\s{1,4}INTO\s{1,4}[\w."\x60[\]]{1,80}\s{0,4}\(([^()]{1,800})\)\s{0,40}VALUES\s{0,40}/gi;
// Each character can be read in one way only, so that no row is read twice.
const ROW = /\((?:[^()'\\]|'(?:[^'\n\\]|'')*'(?!')|\([^()]*\))+\)/y;
const FIELD = /\s{0,20}(?:[NE]?'((?:[^'\n]|'')*)'|(?:[^',()]|\([^()]*\))*)\s{0,20}(?:,|$)/y;
const MOST_OF_A_ROW = 4_000;
const MOST_ROWS = 200;

/** Values of an `INSERT` under the names of their columns. */
export function* findInInserts(text: string): Generator<Hit> {
  if (!SECRET_HEAD.test(text)) return;
  for (const insert of text.matchAll(INSERT)) {
    const names = (insert[1] ?? '').split(',').map((name) => name.replace(/[\s"'\x60[\]]/g, ''));
    if (!names.some((name) => SECRET_HEAD.test(name))) continue;
    let at = insert.index + insert[0].length;
    for (let count = 0; count < MOST_ROWS; count++) {
      ROW.lastIndex = 0;
      const row = ROW.exec(text.slice(at, at + MOST_OF_A_ROW))?.[0];
      if (row === undefined) break;
      yield* inFields(row.slice(1, -1), at + 1, names);
      at += row.length;
      NEXT_ROW.lastIndex = at;
      if (!NEXT_ROW.test(text)) break;
      at = NEXT_ROW.lastIndex;
    }
  }
}

const NEXT_ROW = /\s{0,8},\s{0,80}/y;

function* inFields(row: string, start: number, names: readonly string[]): Generator<Hit> {
  let at = 0;
  for (const name of names) {
    FIELD.lastIndex = at;
    const field = FIELD.exec(row);
    if (field === null) return;
    const [whole, value] = field;
    const hit = value === undefined || !SECRET_HEAD.test(name) ? null : secretUnder(name, value);
    const from = start + at + whole.indexOf("'") + 1;
    if (hit !== null && hit.tier === 'definite') yield { ...hit, from: from + hit.from, to: from + hit.to };
    at = FIELD.lastIndex;
  }
}

function isPasswordHere(value: string): boolean {
  if (isPlaceholder(value) || isPath(value) || /^[\d.,:-]+$/.test(value)) return false;
  if (isMadeByPeople(value) || mixesAll(value) || isRandomSecret(value) || maybePassword(value)) return true;
  // Only forms of phrases let a blank through.
  if (/^(?:[a-z]{3,12} ){2,}/i.test(value)) return true;
  return /^[A-Z2-7]{16,}$/.test(value) || (charKinds(value) >= 3 && !isWordy(value));
}

/** Parameters of `Authorization: Digest …`, `AWS4-HMAC-SHA256 …`, `OAuth …`, `Hawk …`. */
const AUTHORIZATION =
  /\bauthorization["']?[ \t]{0,3}[:=][ \t]{0,4}["'`]?[A-Za-z][A-Za-z0-9-]{2,30}[ \t]+(?=[A-Za-z_]{1,30}=)/gi;
const PARAMETER =
  /\b(?:response|signature|mac|sig|oauth_token|oauth_signature|oauth_consumer_key|token|hash|secret|key)=["']?([A-Za-z0-9+/=%_.-]{16,1024})/gi;
const MOST_PARAMETERS = 2_000;

export function* findAuthorizationParameters(text: string): Generator<Hit> {
  for (const found of text.matchAll(AUTHORIZATION)) {
    const from = found.index + found[0].length;
    const line = text.slice(from, from + MOST_PARAMETERS).split('\n', 1)[0] ?? '';
    for (const { index, 0: whole, 1: value = '' } of line.matchAll(PARAMETER)) {
      if (isPlaceholder(value) || !isRandomSecret(value)) continue;
      const to = from + index + whole.length;
      yield { kind: 'header', tier: 'definite', from: to - value.length, to };
    }
  }
}

const CODES =
  /\b(?:recovery|backup|emergency|scratch|one[- ]time|2fa|mfa)[ _-]?(?:access[ _-])?(?:codes?|keys?)\b|recoveryCodes|backupCodes|emergency kit/gi;
const CODE =
  /(?<![\w.-])(?:[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,7}|\d{4}[ ]\d{4}|\d{6,12}|(?=[a-z]*\d)[a-z0-9]{8,16})(?![\w-])/g;
/** What may stand between codes: marks of lists, numbers of lines, quotes. */
const BETWEEN_CODES =
  /^(?:[\s"'`,:;|*•+[\]()\\→-]|\b\d{1,2}[.)]|\d{1,6}→|[\w./-]{1,60}[:-]\d{1,6}[:-]|Secret Key|(?:are|is)\b)*$/;
const CODES_BEHIND = 1_500;

/** Codes of a list that a heading calls recovery codes. */
export function* findRecoveryCodes(text: string): Generator<Hit> {
  for (const heading of text.matchAll(CODES)) {
    const start = heading.index + heading[0].length;
    const behind = text.slice(start, start + CODES_BEHIND);
    let last = 0;
    for (const found of behind.matchAll(CODE)) {
      if (!/\d/.test(found[0])) continue;
      if (!BETWEEN_CODES.test(behind.slice(last, found.index))) break;
      last = found.index + found[0].length;
      // A number of eight digits may be a day.
      if (/^(?:19|20)\d\d[01]\d[0-3]\d$|^\d{4}-\d\d?-\d\d?$/.test(found[0])) break;
      yield { kind: 'recovery_code', tier: 'definite', from: start + found.index, to: start + last };
    }
  }
}

const SECRET_OF_KUBERNETES = /\bkind:[ \t]{1,3}["']?Secret\b/;
const DATA = /\b(?:data|stringData):[ \t]{0,3}\r?\n/g;
const DATA_LINE =
  /(?:[ \t]{0,8}\d{1,6}[→:|\t]|[\w./-]{1,80}[:-]\d{1,6}[:-]|[+>-])?[ \t]{1,12}[\w.-]{1,80}:[ \t]{1,3}["']?([^\s"'{}|>]{4,20000})["']?[ \t]{0,4}(?:\r?\n|$)/y;

/** All values of a Secret of Kubernetes. */
export function* findKubernetesSecrets(text: string): Generator<Hit> {
  if (!SECRET_OF_KUBERNETES.test(text)) return;
  let begin = 0;
  for (const document of text.split(/(?<=\n)---/)) {
    for (const data of SECRET_OF_KUBERNETES.test(document) ? document.matchAll(DATA) : []) {
      DATA_LINE.lastIndex = begin + data.index + data[0].length;
      for (let line = DATA_LINE.exec(text); line !== null; line = DATA_LINE.exec(text)) {
        const value = line[1] ?? '';
        if (value.length < 8 || isPlaceholder(value)) continue;
        const from = line.index + line[0].lastIndexOf(value);
        yield { kind: 'secret_value', tier: 'definite', from, to: from + value.length };
      }
    }
    begin += document.length + 3;
  }
}

const PUTTY =
  /\bPrivate-Lines: \d{1,3}\s{1,4}([A-Za-z0-9+/=\s→:|-]{20,8000}?)(?=Private-|$)|\bPrivate-MAC: ([0-9a-f]{40,64})/g;
const BLOCK_OF_SSH2 = /-{4} BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY -{4}([\s\S]{40,20000}?)(?=-{4} END SSH2)/g;
const STATIC_KEY = /-----BEGIN OpenVPN Static key V1-----([\s\S]{40,4000}?)(?=-----END OpenVPN)/g;
const MINISIGN = /encrypted secret key\s{1,12}([A-Za-z0-9+/]{80,300}={0,2})/g;
const JWK_PART = /"(?:d|k|p|q|dp|dq|qi)"\s{0,2}:\s{0,2}"([A-Za-z0-9_-]{22,1400})"/g;

/** Private keys in other forms than PEM: PuTTY, SSH2, OpenVPN, minisign, JSON Web Keys. */
export function* findOtherKeys(text: string): Generator<Hit> {
  const forms = [
    ...(text.includes('Private-') ? [PUTTY] : []),
    ...(text.includes('BEGIN SSH2') ? [BLOCK_OF_SSH2] : []),
    ...(text.includes('OpenVPN Static') ? [STATIC_KEY] : []),
    ...(text.includes('encrypted secret key') ? [MINISIGN] : []),
    ...(text.includes('"kty"') ? [JWK_PART] : []),
  ];
  for (const form of forms)
    for (const found of text.matchAll(form)) {
      const value = found[1] ?? found[2] ?? '';
      const from = found.index + found[0].lastIndexOf(value);
      yield { kind: 'private_key', tier: 'definite', from, to: from + value.length };
    }
}

/** Cells of a line of a table; null: it is none. Offsets in the text. */
interface Cell {
  readonly from: number;
  readonly to: number;
}

const SEPARATORS = ['|', '│', '\t', ';', ','] as const;
const MOST_LINE = 2_000;
const SECRET_HEAD = /passw|secret|token|key|credential|pwd/i;

/** Values under the head of a table that says secret: Markdown, boxes, columns, CSV. */
export function* findInTables(text: string): Generator<Hit> {
  if (!SECRET_HEAD.test(text)) return;
  let head: { readonly separator: string; readonly names: readonly string[] } | null = null;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = end - start > MOST_LINE ? '' : text.slice(start, end);
    if (!/^[\s|+:=─┼├┤┌┐└┘┬┴→\w./-]{0,90}[-─=]{3}[\s|+:=─┼├┤┌┐└┘┬┴-]*$/.test(line)) {
      const separator = head?.separator ?? SEPARATORS.find((sign) => SECRET_HEAD.test(line) && line.includes(sign));
      const cells = separator === undefined ? [] : cellsOf(text, start, end, separator);
      if (head !== null && cells.length === head.names.length) yield* inRow(text, cells, head.names);
      else head = headOf(text, cells, separator);
    }
    start = end + 1;
  }
}

function headOf(text: string, cells: readonly Cell[], separator: string | undefined) {
  const names = cells.map(({ from, to }) => text.slice(from, to).replace(/^.*[→:]|^[+>-]|["'*`\s]/g, ''));
  if (separator === undefined || names.length < 2 || names.length > 40) return null;
  // Two columns of which the first has no name, or is a number: lines of a file with their numbers.
  if (names.length === 2 && /^\d*$/.test(names[0] ?? '')) return null;
  const isHead = names.every((name) => name.length <= 40 && /^[\p{L}\w./#-]*$/u.test(name) && !isRandomSecret(name));
  return isHead && names.some((name) => SECRET_HEAD.test(name)) ? { separator, names } : null;
}

function* inRow(text: string, cells: readonly Cell[], names: readonly string[]): Generator<Hit> {
  for (const [at, { from, to }] of cells.entries()) {
    const name = names[at] ?? '';
    const hit = SECRET_HEAD.test(name) ? secretUnder(name, text.slice(from, to)) : null;
    if (hit !== null && hit.tier === 'definite') yield { ...hit, from: from + hit.from, to: from + hit.to };
  }
}

function cellsOf(text: string, start: number, end: number, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (let from = start; from <= end; ) {
    const next = text.indexOf(separator, from);
    const to = next < 0 || next > end ? end : next;
    cells.push(trimmed(text, from, to));
    from = to + 1;
  }
  return cells;
}

function trimmed(text: string, from: number, to: number): Cell {
  let [a, b] = [from, to];
  while (a < b && /[\s"'`*]/.test(text.charAt(a))) a++;
  while (b > a && /[\s"'`*]/.test(text.charAt(b - 1))) b--;
  return { from: a, to: b };
}
