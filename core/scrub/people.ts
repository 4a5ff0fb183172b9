// Users, hosts and keys of people: in prompts, listings, logs, the environment, and beside addresses of e-mail.
import { isMailDomain, isNobody, NOREPLY, ROLE } from './personal.ts';
import type { Hit, Tier } from './types.ts';

/** What a tool puts before the first line of its output. */
const HEAD = String.raw`(?:(?:[Oo]utput|OUTPUT|[Rr]esult|[Oo]bservation|[Ss]td(?:out|err)): ?|<(?:bash-)?(?:output|std(?:out|err)|result|observation)>)?`;
/** The beginning of a line, behind what a tool, a diff, a search or a numbered listing puts there. */
const LINE = String.raw`(?:^|\n)${HEAD}(?:[ \t]{0,8}\d{1,6}[→|]|[\w./-]{1,80}[:-]\d{1,6}[:-]|[+> -]){0,2}`;
const USER = String.raw`([A-Za-z_][\w.-]{1,31})`;
const HOST = String.raw`([A-Za-z][A-Za-z0-9-]{1,62}(?:\.[A-Za-z0-9-]{1,62}){0,5})`;

const PROMPT = new RegExp(
  String.raw`(?:${LINE}|[\r[(])([A-Za-z_][\w.-]{1,31})@([A-Za-z][\w-]{1,62}(?:\.(?:local|lan|internal|home|corp))?)(?=:[~/]|\s[~/]| [\w.-]+\]? ?[$#%]|[$#%] )`,
  'g',
);
// A mode says that it is a listing, wherever its line begins.
const LS_OWNER = new RegExp(
  String.raw`(?:${LINE}|(?<![\w-]))(?=-{0,9}[a-z])[bcdlps-][r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-][@+.]?[ \t]{1,4}\d{1,6}[ \t]{1,4}([A-Za-z_][\w.-]{1,31})[ \t]{1,8}([A-Za-z_][\w.-]{1,31})?`,
  'g',
);
const HAS_PROMPT = /@[\w.-]{2,80}(?::[~/]|\s[~/]| [\w.-]{1,80}\]? ?[$#%]|[$#%] )/;
const HAS_MODE = /[bcdlps-](?:[r-][w-][xsStT-]){3}[@+.]?\s/;
const UNAME = /\b(?:Linux|Darwin) ([A-Za-z][\w.-]{1,62}) \d{1,3}\.\d{1,3}\.\d/g;
const PUBLIC_KEY =
  /\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-nistp\d{3}|sk-ssh-ed25519@openssh\.com) (AAAA[A-Za-z0-9+/]{40,2000}={0,3})(?: ([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63}){0,6}))?/g;
const NAMED_USER =
  /\b(?:USER|LOGNAME|USERNAME|SUDO_USER|user\.name|User Name|COMPUTERNAME|HOSTNAME)(?:["']?\s{0,2}[=:]\s{0,2}["']?)([A-Za-z][\w.-]{2,40})(?![\w(])/g;
const NO_HOST =
  /^(?:localhost|host|hostname|server|ubuntu|debian|docker|sandbox|runner|node|raspberrypi|machine|computer|desktop|laptop|macbook|[0-9a-f]{12}|github|runnervm\w*|fv-az[\w-]*)$/i;

/** Users and hosts as prompts, `uname`, listings of folders and the environment name them. */
export function* findUsersAndHosts(text: string): Generator<Hit> {
  if (HAS_PROMPT.test(text)) {
    for (const found of text.matchAll(PROMPT)) {
      const [, user = '', host = ''] = found;
      const at = text.indexOf(`${user}@${host}`, found.index);
      if (!isNobody(user) && !ROLE.test(user)) yield named('user_name', at, user);
      if (!isNoHost(host)) yield named('host_name', at + user.length + 1, host);
    }
  }
  for (const found of text.matchAll(UNAME)) {
    const [whole, host = ''] = found;
    if (!isNoHost(host)) yield named('host_name', found.index + whole.indexOf(host, 5), host);
  }
  if (HAS_MODE.test(text)) {
    for (const found of text.matchAll(LS_OWNER)) {
      const [whole, owner = '', group = ''] = found;
      const at = whole.lastIndexOf(owner, whole.length - group.length - 1);
      if (!isNobodysName(owner)) yield named('user_name', found.index + at, owner);
      if (group !== '' && !isNobodysName(group) && !/^(?:users|domain)$/i.test(group))
        yield named('user_name', found.index + whole.length - group.length, group);
    }
  }
  yield* inForms(text);
  yield* besideMail(text);
  for (const found of text.matchAll(NAMED_USER)) {
    const [whole, name = ''] = found;
    if (isNobody(name) || isNoHost(name) || /^[A-Z_]+$/.test(name)) continue;
    yield { ...named('user_name', found.index + whole.length - name.length, name), tier: 'candidate' };
  }
  for (const found of text.matchAll(PUBLIC_KEY)) {
    const [whole, key = '', user = '', host = ''] = found;
    // A key with a name is somebody's.
    const tier = user === '' ? 'candidate' : 'definite';
    yield { ...named('public_key', found.index + whole.indexOf(key), key), tier };
    if (user !== '' && !isNobody(user)) yield named('user_name', found.index + whole.lastIndexOf(`${user}@`), user);
    if (host !== '' && !isNoHost(host)) yield named('host_name', found.index + whole.length - host.length, host);
  }
}

interface NameForm {
  /** The text has it, or the form is not looked for. */
  readonly sign: RegExp;
  readonly form: RegExp;
  /** What each group is. */
  readonly kinds: readonly ('user_name' | 'host_name' | 'public_key')[];
  readonly tier?: Tier;
}

const form = (sign: RegExp, source: string, kinds: NameForm['kinds'], tier: Tier = 'definite'): NameForm => ({
  sign,
  form: new RegExp(source, 'dg'),
  kinds,
  tier,
});

const FORMS: readonly NameForm[] = [
  form(
    /whoami|id -un|logname/,
    String.raw`\b(?:whoami|id -un|logname)[ \t]{0,4}${'\\r?'}${LINE.replace('(?:^|\\n)', '\\n')}${USER}(?=\s|$)`,
    ['user_name'],
  ),
  form(/[ug]id=|groups=/, String.raw`(?:[ug]id=|groups=|,)\d{3,10}\(${USER}\)`, ['user_name']),
  form(/:x:\d/, String.raw`${LINE}${USER}:x:[1-9]\d{3,6}:`, ['user_name']),
  form(/sudo/, String.raw`\bsudo(?:\[\d+\])?:[ \t]{1,12}${USER} : TTY=`, ['user_name']),
  form(
    /for |user /i,
    String.raw`\b(?:Accepted [\w-]{1,30}|Failed [\w-]{1,30}|session (?:opened|closed)) for (?:invalid user |user )?${USER}(?=[ (])`,
    ['user_name'],
  ),
  form(/Invalid user/, String.raw`\bInvalid user ${USER} from `, ['user_name']),
  form(
    /\d[ \t]{1,4}\d{1,3}\.\d[ \t]{1,4}\d{1,3}\.\d[ \t]/,
    String.raw`${LINE}${USER}[ \t]{1,12}\d{1,7}[ \t]{1,4}\d{1,3}\.\d[ \t]{1,4}\d{1,3}\.\d[ \t]`,
    ['user_name'],
  ),
  form(/[ \t]20[ \t]{1,4}0[ \t]/, String.raw`${LINE}[ \t]{0,6}\d{1,7}[ \t]${USER}[ \t]{1,10}20[ \t]{1,4}0[ \t]`, [
    'user_name',
  ]),
  form(
    /[ \t](?:pts\/\d|tty\w|console[ \t])/,
    String.raw`${LINE}${USER}[ \t]{1,12}(?:pts\/\d+|tty\w{0,4}|console)[ \t]`,
    ['user_name'],
  ),
  form(
    /Uid:/,
    String.raw`Uid: \([ \t]{0,6}\d{3,6}\/[ \t]{0,8}${USER}\)(?:[ \t]{1,4}Gid: \([ \t]{0,6}\d{3,6}\/[ \t]{0,8}${USER}\))?`,
    ['user_name', 'user_name'],
  ),
  form(
    /[ \t](?:\d{1,5}[uwr]|cwd|txt|mem)[ \t]/,
    String.raw`${LINE}[\w.-]{1,20}[ \t]{1,8}\d{1,7}[ \t]{1,4}${USER}[ \t]{1,8}(?:\d{1,5}[uwr]|cwd|txt|mem)[ \t]`,
    ['user_name'],
  ),
  form(
    /(?:LOGNAME|USER|USERNAME)=/,
    String.raw`${LINE}(?:export )?(?:LOGNAME|USER|USERNAME|SUDO_USER)=["']?${USER}["']?(?=[ \t]{0,4}(?:\r?\n|$))`,
    ['user_name'],
  ),
  form(
    /"(?:hostname|host_name|computerName)"/,
    String.raw`"(?:hostname|host_name|computerName)"[ \t]{0,2}:[ \t]{0,2}"([A-Za-z]+-[A-Za-z0-9-]{1,60})"`,
    ['host_name'],
  ),
  form(/Logged in/, String.raw`\bLogged in to [\w.-]{3,80} (?:account|as) ${USER}(?=[\s(]|$)`, ['user_name']),
  form(/@\d/, String.raw`\b(?:ssh|scp|rsync|sftp|mosh)\b[^\n@]{0,80}[ "']${USER}@(?=\d)`, ['user_name']),
  form(/HostName/, String.raw`\bHostName[ \t]{1,4}\S{1,200}(?:\s|[\w./→:+-]){1,100}?\bUser[ \t]{1,4}${USER}(?=\s|$)`, [
    'user_name',
  ]),
  form(/@/, String.raw`\b(?:ssh|scp|rsync|sftp|ssh-copy-id|mosh)\b[^\n@]{0,80}[ "']${USER}@${HOST}(?=[\s:"']|$)`, [
    'user_name',
    'host_name',
  ]),
  form(
    /chown|usermod|crontab|gpasswd|linger| -user/,
    String.raw`\b(?:chown (?:-\w+ )*|usermod (?:-\w+ \S+ )*|crontab -u |gpasswd -a |enable-linger |find \S{1,80} -user )${USER}(?=[\s:])`,
    ['user_name'],
    'candidate',
  ),
  form(/\b(?:su|sudo) -/, String.raw`\b(?:sudo -u|su -l?) ${USER}(?=\s|$)`, ['user_name'], 'candidate'),
  form(/SHA256:|MD5:/, String.raw`\b((?:SHA256:[A-Za-z0-9+/]{43}|MD5(?::[0-9a-f]{2}){16})) ${USER}@${HOST}`, [
    'public_key',
    'user_name',
    'host_name',
  ]),
  form(
    /using \w+ key|ingerprint|signingkey/i,
    String.raw`\b(?:using \w{2,6} key |[Ff]ingerprint = |signingkey[ =]{1,3})((?:[0-9A-F]{4}[ ]{1,2}){9}[0-9A-F]{4}|[0-9A-F]{16,40})`,
    ['public_key'],
    'candidate',
  ),
  form(/age1/, String.raw`\b(age1[02-9ac-hj-np-z]{58})\b`, ['public_key'], 'candidate'),
  form(
    /(?:HOSTNAME|HOST|COMPUTERNAME|NODENAME)=/,
    String.raw`${LINE}(?:export )?(?:HOSTNAME|HOST|COMPUTERNAME|SLURMD_NODENAME)=["']?${HOST}["']?(?=[ \t]{0,4}(?:\r?\n|$))`,
    ['host_name'],
  ),
  form(
    /Host ?name:|hostname/i,
    String.raw`(?:\bStatic hostname:|\bHost Name:|[$#%>] hostname[ \t]{0,4}\r?\n)[ \t]{0,30}${HOST}(?=\s|$)`,
    ['host_name'],
  ),
  form(/127\.0\.1\.1/, String.raw`\b127\.0\.1\.1[ \t]{1,12}${HOST}`, ['host_name']),
  form(/nodename=/, String.raw`\bnodename=["']${HOST}["']`, ['host_name']),
  form(
    /\d:\d\d:\d\d/,
    String.raw`(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?[+-]\d\d:?\d\d) ${HOST} (?:kernel|[\w./-]{2,40}\[\d{1,7}\]): `,
    ['host_name'],
  ),
  form(/Permanently added/, String.raw`\bPermanently added '${HOST}'`, ['host_name']),
  form(/HostName/, String.raw`${LINE}[ \t]{0,8}HostName[ \t]{1,4}${HOST}(?=\s|$)`, ['host_name']),
  form(
    /\.local/,
    String.raw`(?<![\w.-])([\w-]{0,40}(?:MacBook|mbp|imac|Mac-?mini|laptop|desktop|thinkpad)[\w-]{0,40}\.local)\b(?![(.])`,
    ['host_name'],
  ),
];

function* inForms(text: string): Generator<Hit> {
  for (const { sign, form, kinds, tier = 'definite' } of FORMS) {
    if (!sign.test(text)) continue;
    for (const found of text.matchAll(form)) {
      for (const [nth, kind] of kinds.entries()) {
        const value = found[nth + 1];
        const at = found.indices?.[nth + 1]?.[0];
        if (value === undefined || at === undefined) continue;
        const isOurs = kind === 'public_key' || (kind === 'user_name' ? !isNobodysName(value) : !isNobodysHost(value));
        if (isOurs) yield { ...named(kind, at, value), tier };
      }
    }
  }
}

function isNobodysName(name: string): boolean {
  return (
    isNobody(name) ||
    ROLE.test(name) ||
    /^(?:wheel|staff|daemon|sudo|adm|lp|mail|man|sshd|systemd[\w-]*|polkitd|message\+?|messagebus|dbus|chrony|ntp|_\w+)$/i.test(
      name,
    )
  );
}

function isNobodysHost(host: string): boolean {
  return (
    isNoHost(host) ||
    isNobody(host) ||
    /(?:^|\.)(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)$|(?:^|\.)example\.\w+$/i.test(host)
  );
}

/** Particles of a family name, which are not capitals: Jan de Vries. */
const PARTICLES =
  '(?: (?:a[fl]|bin|da|dal|de|del|della|dem|den|der|di|do|dos|du|el|ibn|la|le|ten|ter|van|vom|von|y|zu|zur)){0,3}';
const PERSON = String.raw`([\p{Lu}][\p{L}'’-]{1,30}(?:${PARTICLES} [\p{Lu}][\p{L}'’.-]{0,30}){1,3})`;
const MAIL = String.raw`[\w.%+-]{1,64}@((?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24})`;
/** Where the first is not, the second is not looked for. */
const BESIDE_MAIL: readonly (readonly [RegExp, RegExp])[] = [
  [/<[\w.%+-]{1,64}@/, new RegExp(`${PERSON}["']? <${MAIL}>`, 'gu')],
  [
    /\be-?mail["']?[ \t]{0,4}[:=]/i,
    new RegExp(
      String.raw`\bname["']?[ \t]{0,4}[:=][ \t]{0,4}["']?${PERSON}["']?(?:,\s{0,20}|\s{1,20})["']?e-?mail["']?[ \t]{0,4}[:=][ \t]{0,4}["']?${MAIL}`,
      'giu',
    ),
  ],
  [
    /user\.name|GIT_\w+_NAME=/,
    new RegExp(
      String.raw`(?:\buser\.name[= ]{1,3}|\bGIT_(?:AUTHOR|COMMITTER)_NAME=)["']?${PERSON}(?=["'\s]|$)()`,
      'gu',
    ),
  ],
  [/\[user\]/, new RegExp(String.raw`\[user\]\s{1,12}name[ \t]{0,3}=[ \t]{0,3}${PERSON}()`, 'gu')],
  // git blame
  [
    /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}/,
    new RegExp(String.raw`\b[0-9a-f]{7,40} \(${PERSON}[ \t]{1,30}\d{4}-\d\d-\d\d()`, 'gu'),
  ],
];
const NO_PERSON =
  /\b(?:bot|team|actions|name|user|github|claude|copilot|codex|gemini|cursor|agent|authors?|developers?|contributors|support|security|info|project|foundation|inc|test|example|dependabot|renovate)\b/i;

// Full names beside an address of e-mail, and as git knows them.
function* besideMail(text: string): Generator<Hit> {
  for (const [sign, form] of BESIDE_MAIL) {
    if (!sign.test(text)) continue;
    for (const found of text.matchAll(form)) {
      const [whole, name = '', domain = ''] = found;
      if (NO_PERSON.test(name) || isNobody(name)) continue;
      const hit = named('user_name', found.index + whole.indexOf(name), name);
      // An address that hides a person's is beside the name of one as often as beside the name of a program.
      if (NOREPLY.test(domain)) yield { ...hit, tier: 'candidate' };
      else if (domain === '' || isMailDomain(domain)) yield hit;
    }
  }
}

function isNoHost(host: string): boolean {
  return /^[A-Z_]+$/.test(host) || NO_HOST.test(host) || /^hostq/i.test(host);
}

function named(kind: string, from: number, value: string): Hit {
  return { kind, tier: 'definite', from, to: from + value.length };
}
