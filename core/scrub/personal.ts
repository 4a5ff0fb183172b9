// Data of persons: names of home folders, users and hosts, e-mail, IP addresses, telephone numbers, public keys.
import type { Hit, Tier } from './types.ts';

const HOME =
  /(?:(?<![A-Za-z0-9_.-])\/(?:home|Users|export\/home|var\/home|data\/home)\/|\/[a-z]\/Users\/|(?<![A-Za-z])[A-Za-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4}|\/[a-z]\/Users\/|%2F(?:home|Users)%2F|(?<![A-Za-z0-9])-{1,2}(?:home|Users)-|\\Users\\)([^\s/\\:*?"'`<>|,;()[\]{}$%&=#!^+~@]{1,64})/g;

/** Users that are not persons: of systems, images, services and documentation. */
const NOBODY = new Set(
  `user users username user_name user-name youruser yourname your-name your_name your-user name me you someone somebody anyone
  root admin administrator runner runneradmin ubuntu debian centos fedora ec2-user azureuser gcp vagrant docker node deno bun app apps
  application appuser www www-data http git svn jenkins circleci travis gitlab-runner github actions builder build test tests tester
  testuser dev devuser developer code coder codespace vscode jovyan openhands swe-agent agent sandbox sandboxuser container
  nonroot nobody guest shared public default defaultuser0 all linuxbrew homebrew postgres mysql redis oracle hadoop spark airflow
  ansible deploy deployer project projects src workspace work workdir data example foo bar alice bob carol dave eve john jane doe
  johndoe janedoe john.doe xxx x xyz path to dir folder file files bin lib tmp temp home library desktop documents downloads
  browser playwright pwuser chrome headless kali pi steam service svc svc-account mambauser micromamba conda steamuser ci model
  claude codex gemini opencode null undefined none no`.split(/\s+/),
);

function isNobody(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    NOBODY.has(lower) || /^(?:user|u)\d*[a-z]?$|^\.+$|…/.test(lower) || isStandInName(name) || !/[\p{L}\d]/u.test(name)
  );
}

/** Words that replace names: things, so that nobody is called so. */
export const STAND_IN_NAMES: readonly string[] =
  `cup jar pot jam pea oat bun pie mug soapy lamp door roof leaf soap rope nail bowl fork spoon chair clock bread apple lemon grape
  plate shelf towel bottle pencil carpet basket candle banana pocket button orange saucer teapot napkin blanket cabinet lantern
  kitchen pumpkin drawers bathtub umbrella notebook cupboard teaspoon raspberry blueberry chopstick tablecloth strawberry
  wheelbarrow marshmallow`.split(/\s+/);
/** Three letters that are in no name: those that are made of letters by lot have them. */
export const ODD = 'vqx';
const STAND_IN_SET = new Set(STAND_IN_NAMES);

/** Whether it is a name that replaces another (standIns.ts): nobody is called so. */
export function isStandInName(name: string): boolean {
  const lower = name.toLowerCase();
  return /^(?:user|host)q[a-z0-9._+-]*$/.test(lower) || lower.includes(ODD) || STAND_IN_SET.has(lower);
}

/** Names of home folders. */
export function* findHomes(text: string): Generator<Hit> {
  if (!/home|Users|Documents and/.test(text)) return;
  for (const found of text.matchAll(HOME)) {
    const whole = found[1] ?? '';
    const start = found.index + found[0].length - whole.length;
    // In a folder's name made of a path the signs of the path are dashes: the name ends at the first.
    const isFlat = /-{1,2}(?:home|Users)-$/.test(found[0].slice(0, -whole.length));
    const name = isFlat ? (whole.split('-', 1)[0] ?? '') : whole.replace(/[.…]+$/, '');
    if (name.length === 0 || isNobody(name)) continue;
    yield { kind: 'home', tier: 'definite', from: start, to: start + name.length };
  }
}

const EMAIL_DOMAIN = /@([A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9-]{1,63}){1,8})/y;
const NOT_TLD =
  /\.(?:png|jpe?g|gif|svg|webp|js|mjs|cjs|ts|tsx|jsx|py|rb|go|rs|java|c|h|cc|cpp|cs|css|scss|html?|json|ya?ml|toml|md|mdx|txt|sh|lock|xml|map|wasm|so|dll|exe|zip|gz|tar|whl|service|local|internal|localhost|test|example|invalid|lan|home|corp)$/i;
const EXAMPLE_DOMAIN =
  /(?:^|\.)(?:example\.(?:com|org|net|edu)|example|domain\.(?:com|tld)|email\.com|company\.com|yourdomain\.com|mydomain\.com|test\.com|foo\.com|bar\.com|contoso\.com|fabrikam\.com|acme\.com|users\.noreply\.github\.com|noreply\.github\.com|ingest\.sentry\.io|sentry\.io)$/i;
const ROLE =
  /^(?:git|hg|svn|noreply|no-reply|donotreply|do-not-reply|root|user|username|you|your\.?name|your-?email|email|me|name|someone|foo|bar|test|example|postmaster|mailer-daemon|bot|actions|x)$/i;

/** E-mail addresses, but those of documentation and of no person. */
export function* findEmails(text: string): Generator<Hit> {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    EMAIL_DOMAIN.lastIndex = at;
    const found = EMAIL_DOMAIN.exec(text);
    if (found === null) continue;
    const domain = (found[1] ?? '').replace(/[.-]+$/, '');
    const from = localStart(text, at);
    const local = text.slice(from, at);
    if (local === '' || !isMailDomain(domain) || ROLE.test(local) || text.slice(from - 3, from) === '://') continue;
    if (text.charAt(from - 1) === '/' || text.charAt(from - 1) === ':') continue;
    yield { kind: 'email', tier: isStandInName(local) ? 'candidate' : 'definite', from, to: at + 1 + domain.length };
  }
}

function localStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && at - from < 64 && /[A-Za-z0-9._%+-]/.test(text.charAt(from - 1))) from--;
  while (from < at && /[._%+-]/.test(text.charAt(from))) from++;
  return from;
}

function isMailDomain(domain: string): boolean {
  const last = domain.slice(domain.lastIndexOf('.') + 1);
  return /^[A-Za-z]{2,24}$/.test(last) && !NOT_TLD.test(domain) && !EXAMPLE_DOMAIN.test(domain);
}

const IPV4 = /(?<![\w.-])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w]|\.\d|-\w)/g;
const IPV6 = /(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}){1,7}(?![\w:])/g;
const NEAR =
  /(?:\bip\b|addr|host|inet|from|peer|client|server|ssh|remote|listen|connect|ping|dns|route|@|\/\/)[^\n]{0,24}$/i;
const VERSION_NEAR = /(?:version|ver|v|build|release|==|~=|>=|<=|\^|~|@|[A-Za-z]\/)\s{0,2}["']?$/i;
/** Resolvers and the like that everybody knows. */
const EVERYBODYS =
  /^(?:8\.8\.[48]\.[48]|1\.[01]\.[01]\.1|9\.9\.9\.9|208\.67\.22\d\.22\d|169\.254\.169\.254|1\.2\.3\.4|4\.4\.4\.4|2\.2\.2\.2)$/;

/** IP addresses of machines somewhere; not loopback, documentation, masks, versions. */
export function* findAddresses(text: string): Generator<Hit> {
  for (const found of text.matchAll(IPV4)) {
    const tier = ipv4Tier(found[0], text.slice(Math.max(0, found.index - 40), found.index));
    if (tier !== null) yield { kind: 'ip_address', tier, from: found.index, to: found.index + found[0].length };
  }
  if (!text.includes(':')) return;
  for (const found of text.matchAll(IPV6)) {
    const tier = ipv6Tier(found[0]);
    if (tier !== null) yield { kind: 'ip_address', tier, from: found.index, to: found.index + found[0].length };
  }
}

function ipv4Tier(address: string, before: string): Tier | null {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  if (a === 0 || a === 127 || a >= 224 || EVERYBODYS.test(address)) return null;
  if ((a === 192 && b === 0 && c === 2) || (a === 198 && b === 51 && c === 100) || (a === 203 && b === 0 && c === 113))
    return null;
  if (VERSION_NEAR.test(before)) return null;
  const isPrivate =
    a === 10 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128);
  if (isPrivate) return d === 0 || d === 255 ? null : 'candidate';
  if (d === 0 && (b === 0 || c === 0)) return null;
  return NEAR.test(before) && a > 30 ? 'definite' : 'candidate';
}

function ipv6Tier(address: string): Tier | null {
  const groups = address.split(':');
  if (groups.length < 5 || !/[a-f]/i.test(address) || !groups.some((group) => group.length >= 3)) return null;
  if (/^2001:0?db8/i.test(address)) return null;
  return /^[23]/.test(address) && groups.length >= 6 ? 'definite' : 'candidate';
}

const PHONE = /(?<![\w+.-])\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,5}\)?){2,6}(?![\w])/g;
const US_PHONE = /(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])/g;

/** Telephone numbers with a country code, or as they are written in North America. */
export function* findPhones(text: string): Generator<Hit> {
  if (text.includes('+')) {
    for (const found of text.matchAll(PHONE)) {
      const digits = found[0].replace(/\D/g, '');
      if (digits.length < 10 || digits.length > 15 || isMadeUp(digits)) continue;
      const isWritten = /[ .()-]/.test(found[0].trim()) && !/\.\d{1,2}\.|\.\d+$/.test(found[0]);
      yield {
        kind: 'phone',
        tier: isWritten ? 'definite' : 'candidate',
        from: found.index,
        to: found.index + found[0].length,
      };
    }
  }
  for (const found of text.matchAll(US_PHONE)) {
    if (isMadeUp(found[0].replace(/\D/g, ''))) continue;
    yield { kind: 'phone', tier: 'candidate', from: found.index, to: found.index + found[0].length };
  }
}

function isMadeUp(digits: string): boolean {
  return /555(?:0|1)?\d{0,6}$|123456|(\d)\1{6}/.test(digits);
}

const PROMPT =
  /(?:^|[\n\r[(])([A-Za-z_][\w.-]{1,31})@([A-Za-z][\w-]{1,62}(?:\.(?:local|lan|internal|home|corp))?)(?=:[~/]|\s[~/]| \w+\]?[$#%]|[$#%] )/g;
const UNAME = /\b(?:Linux|Darwin) ([A-Za-z][\w.-]{1,62}) \d{1,3}\.\d{1,3}\.\d/g;
const PUBLIC_KEY =
  /\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-nistp\d{3}|sk-ssh-ed25519@openssh\.com) (AAAA[A-Za-z0-9+/]{40,2000}={0,3})(?: [\w.+-]+@[\w.-]+)?/g;
const LS_OWNER =
  /(?:^|\n)[bcdlps-][r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-][@+.]?\s{1,4}\d{1,6}\s{1,4}([A-Za-z_][\w.-]{1,31})\s{1,8}/g;
const NAMED_USER =
  /\b(?:USER|LOGNAME|USERNAME|SUDO_USER|user\.name|User Name|COMPUTERNAME|HOSTNAME)(?:["']?\s{0,2}[=:]\s{0,2}["']?)([A-Za-z][\w.-]{2,40})(?![\w(])/g;
const NO_HOST =
  /^(?:localhost|host|hostname|server|ubuntu|debian|docker|sandbox|runner|node|raspberrypi|machine|computer|desktop|laptop|macbook|[0-9a-f]{12}|github|runnervm\w*|fv-az[\w-]*)$/i;

/** Users and hosts as prompts, `uname`, listings of folders and the environment name them. */
export function* findUsersAndHosts(text: string): Generator<Hit> {
  if (text.includes('@')) {
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
  if (text.includes('rw')) {
    for (const found of text.matchAll(LS_OWNER)) {
      const [whole, owner = ''] = found;
      if (!isNobody(owner) && !/^(?:wheel|staff|daemon|bin|sys|systemd[\w-]*|_\w+)$/.test(owner))
        yield named('user_name', found.index + whole.lastIndexOf(owner), owner);
    }
  }
  for (const found of text.matchAll(NAMED_USER)) {
    const [whole, name = ''] = found;
    if (isNobody(name) || isNoHost(name) || /^[A-Z_]+$/.test(name)) continue;
    yield { ...named('user_name', found.index + whole.length - name.length, name), tier: 'candidate' };
  }
  for (const found of text.matchAll(PUBLIC_KEY)) {
    const [whole, key = ''] = found;
    yield { ...named('public_key', found.index + whole.indexOf(key), key), tier: 'candidate' };
  }
}

function isNoHost(host: string): boolean {
  return /^[A-Z_]+$/.test(host) || NO_HOST.test(host) || /^hostq/i.test(host);
}

function named(kind: string, from: number, value: string): Hit {
  return { kind, tier: 'definite', from, to: from + value.length };
}
