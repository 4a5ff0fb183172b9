// Data of persons: names of home folders, users and hosts, e-mail, IP addresses, telephone numbers, public keys.
import type { Hit, Tier } from './types.ts';

const HOME =
  /(?:(?<![A-Za-z0-9_.-])\/(?:home|Users|(?:usr|export|var|data|net|nfs)\/home|System\/Volumes\/Data\/Users|volume\d\/homes|run\/media)\/|\bwsl\+[\w.-]{1,30}\/home\/|\/[a-z]\/Users\/|(?<![A-Za-z])[A-Za-z]:[\\/]{1,4}(?:[Uu]sers|Documents and Settings)[\\/]{1,4}|\\{2,4}[\w.$-]{1,60}\\{1,2}(?:[\w.-]{1,40}\\{1,2})?home\\{1,2}|(?<![A-Za-z0-9])[A-Za-z]--Users-|%2F(?:home|Users)%2F|(?<![A-Za-z0-9])-{1,2}(?:home|Users)-|\\Users\\)([^\s/\\:*?"'`<>|,;()[\]{}$%&=#!^+~@]{1,64})/g;

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

export function isNobody(name: string): boolean {
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
  return /^(?:user|host)q[a-z0-9._+ -]*$/.test(lower) || lower.includes(ODD) || STAND_IN_SET.has(lower);
}

/** Names of home folders. */
export function* findHomes(text: string): Generator<Hit> {
  if (!/home|[Uu]sers|Documents and|run\/media/.test(text)) return;
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
/** GitHub's addresses for whoever hides theirs; the number is of the account. */
export const NOREPLY = /^users\.noreply\.github\.com$/i;
export const ROLE =
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
    const isHidden = NOREPLY.test(domain) && /^\d+\+(?!copilot$|[\w-]*bot$)[A-Za-z\d]/i.test(local);
    if (local === '' || !(isMailDomain(domain) || isHidden) || ROLE.test(local) || text.slice(from - 3, from) === '://')
      continue;
    if (text.charAt(from - 1) === '/') continue;
    // The password of an address, and what follows it.
    if (/:\/\/[^\s/@]{0,64}:$/.test(text.slice(Math.max(0, from - 72), from))) continue;
    // A path of git, credentials of an address; or what says that it is one.
    if (
      text.charAt(from - 1) === ':' &&
      !/(?:mailto|mail|TYPE=\w{1,9}|\d):$/i.test(text.slice(Math.max(0, from - 16), from))
    )
      continue;
    yield {
      kind: 'email',
      tier: isHidden || isStandInName(local) ? 'candidate' : 'definite',
      from,
      to: at + 1 + domain.length,
    };
  }
}

function localStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && at - from < 64 && /[A-Za-z0-9._%+-]/.test(text.charAt(from - 1))) from--;
  while (from < at && /[._%+-]/.test(text.charAt(from))) from++;
  return from;
}

export function isMailDomain(domain: string): boolean {
  const last = domain.slice(domain.lastIndexOf('.') + 1);
  return /^[A-Za-z]{2,24}$/.test(last) && !NOT_TLD.test(domain) && !EXAMPLE_DOMAIN.test(domain);
}

const IPV4 = /(?<![\w.-])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w]|\.\d|-\w)/g;
const IPV6 = /(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}){1,7}(?![\w:])/g;
const NEAR =
  /(?:\bip\b|addr|host|inet|from|forwarded|real-ip|trying|public|allow|pts\/|\bIN A\b|peer|client|server|ssh|remote|listen|connect|ping|dns|route|@|\/\/)[^\n]{0,24}$/i;
const VERSION_NEAR = /(?:version|ver|v|build|release|==|~=|>=|<=|\^|~|@|[A-Za-z]\/)\s{0,2}["'\x60]?$/i;
/** Names of a product: a capital at the beginning of a string, or two words with one. */
const PRODUCT_NEAR = /(?:["'\x60>(]|\b[A-Z][\w.-]{0,20}\s)[A-Z][\w.-]{0,30}\s$/;
const LOGIN_NEAR = /\b(?:ssh|scp|rsync|sftp|mosh)\b[^\n]{0,30}@$/;
/** Resolvers and the like that everybody knows. */
const EVERYBODYS =
  /^(?:8\.8\.[48]\.[48]|1\.[01]\.[01]\.1|9\.9\.9\.9|208\.67\.22\d\.22\d|169\.254\.169\.254|1\.2\.3\.4|4\.4\.4\.4|2\.2\.2\.2)$/;

/** IP addresses of machines somewhere; not loopback, documentation, masks, versions. */
export function* findAddresses(text: string): Generator<Hit> {
  for (const found of text.matchAll(IPV4)) {
    const end = found.index + found[0].length;
    const guess = ipv4Tier(found[0], text.slice(Math.max(0, found.index - 40), found.index));
    // A line of an access log, of known_hosts.
    const isClient = /^ - (?:-|\w+) \[| (?:ssh|ecdsa)-/y.test(text.slice(end, end + 40));
    const tier = guess !== null && isClient && !isPrivate(found[0]) ? 'definite' : guess;
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
  if (VERSION_NEAR.test(before) && !LOGIN_NEAR.test(before)) return null;
  if (a <= 30 && PRODUCT_NEAR.test(before) && !NEAR.test(before)) return null;
  if (isPrivate(address)) return d === 0 || d === 255 ? null : 'candidate';
  if (d === 0 && (b === 0 || c === 0)) return null;
  return NEAR.test(before) && a > 30 ? 'definite' : 'candidate';
}

function isPrivate(address: string): boolean {
  const [a = 0, b = 0] = address.split('.').map(Number);
  return (
    a === 10 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128)
  );
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
        tier: isWritten || isCalled(text, found.index) ? 'definite' : 'candidate',
        from: found.index,
        to: found.index + found[0].length,
      };
    }
  }
  for (const found of text.matchAll(US_PHONE)) {
    if (isMadeUp(found[0].replace(/\D/g, ''))) continue;
    const tier = isCalled(text, found.index) ? 'definite' : 'candidate';
    yield { kind: 'phone', tier, from: found.index, to: found.index + found[0].length };
  }
}

/** The words before it say that it is a telephone number. */
const CALLED = /(?:\b(?:tel|phone|mobile|cell|fax|whatsapp|sms)\b|TEL;[\w=;]{0,30})[\W_]{0,8}$/i;

function isCalled(text: string, at: number): boolean {
  return CALLED.test(text.slice(Math.max(0, at - 48), at));
}

function isMadeUp(digits: string): boolean {
  return /555(?:0|1)?\d{0,6}$|123456|(\d)\1{6}/.test(digits);
}
