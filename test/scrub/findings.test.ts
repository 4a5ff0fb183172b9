import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findIn } from '../../core/scrub/findIn.ts';
import { findInJson } from '../../core/scrub/json.ts';
import { ownDetector } from '../../core/scrub/own.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';
import { isWordy } from '../../core/scrub/shapes.ts';
import { seededRng } from '../../core/util/rng.ts';
import { EMBEDDINGS, fillTemplate, isFound, isSecretsFile, runSecrets } from '../support/vectors/secrets.ts';

const KINDS = [
  { kind: 'npm', template: 'npm_{AN36}' },
  { kind: 'age', template: 'AGE-SECRET-KEY-1{BECH58}' },
  { kind: 'sendgrid', template: 'SG.{AN22}.{AN43}' },
  { kind: 'linear', template: 'lin_api_{AN40}' },
  { kind: 'model key of a router', template: 'sk-or-v1-{HEX64}' },
  { kind: 'key in the environment', template: 'MISTRAL_API_KEY={AN32}' },
  { kind: 'exported', template: 'export DATADOG_APP_KEY="{HEX40}"' },
  { kind: 'in YAML', template: 'webhook_secret: "{AN32}"' },
  { kind: 'in JSON', template: '{"refreshToken":"{AN48}"}' },
  { kind: 'in Python', template: "client = Client(api_key='{AN40}')" },
  { kind: 'in XML', template: '<clientSecret>{AN40}</clientSecret>' },
  { kind: 'header of its own', template: 'X-Api-Key: {AN32}' },
  { kind: 'bearer', template: 'Authorization: Bearer {AN40}' },
  { kind: 'cookie', template: 'Cookie: theme=dark; sid={AN40}; lang=en' },
  { kind: 'option', template: 'deploy --token {AN40} --force' },
  { kind: 'curl', template: 'curl -u ci:{AN20} https://build.example.net/x' },
  { kind: 'address', template: 'amqps://app:{AN20}@mq.example.net/vhost' },
  { kind: 'signed address', template: 'https://s3.example.net/b/k?X-Amz-Signature={HEX64}&x=1' },
  {
    kind: 'account key',
    template: 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey={AN86}==;EndpointSuffix=core',
  },
  {
    kind: 'key block',
    template: '{DASH5}BEGIN OPENSSH PRIVATE KEY{DASH5}\n{AN70}\n{AN40}\n{DASH5}END OPENSSH PRIVATE KEY{DASH5}',
  },
];

const CLEAN = [
  'max_tokens: 4096, token_count=81234',
  '"id": "0b7e4f3c-9d0e-4b59-8a77-0e0d2f3a4b5c"',
  'apiKey: process.env.OPENAI_API_KEY ?? ""',
  'password: str = Field(..., description="the password")',
  'const token = await getAccessToken(session.user)',
  'git@github.com:owner/project.git',
  'GET /home/user/project 200',
  'listening on 127.0.0.1:8080, version 4.2.1.0',
  'npm install @types/node@24.19.2',
  'data-testid="session-key-input"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of somebody’s code
  'Authorization: Bearer ${token}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of somebody’s code
  'postgres://${DB_USER}:${DB_PASSWORD}@localhost/app',
  'etag "5d41402abc4b2a76b9719d911017c592"',
  'the sk-learn-style key- value- pairs',
];

describe('findings', () => {
  test('of a hundred kinds of assignments, addresses and headers each is found nine times of ten, and clean lines stay', () => {
    const file: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'madeUpKinds.json'), 'utf8'));
    if (!isSecretsFile(file)) throw new Error('madeUpKinds.json has no kinds');
    expect(file.kinds.length).toBeGreaterThan(100);
    const { found, of, missed, masked } = runSecrets(file, 10);
    expect(masked).toEqual([]);
    expect([...missed].filter(([, count]) => count > 2)).toEqual([]);
    expect(found / of).toBeGreaterThan(0.99);
  });

  test('kinds that were made up before the rules were read stay found', () => {
    const file: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'unseenKinds.json'), 'utf8'));
    if (!isSecretsFile(file)) throw new Error('unseenKinds.json has no kinds');
    expect(file.kinds.length).toBeGreaterThan(200);
    const { found, of } = runSecrets(file, 1);
    expect(found / of).toBeGreaterThan(0.985);
  });

  test('kinds nobody wrote a vector for are found however they are embedded, and clean lines stay', () => {
    const { found, of, missed, masked } = runSecrets({ kinds: KINDS, clean: CLEAN });
    expect(masked).toEqual([]);
    expect([...missed].filter(([, count]) => count > 2)).toEqual([]);
    expect(found / of).toBeGreaterThan(0.99);
  });

  test('a key that has no digits is found beside a name that is sure; names of code are not keys', () => {
    const rng = seededRng(11);
    const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const drawn = (length: number) => Array.from({ length }, () => rng.pick([...LETTERS])).join('');
    const isSeen = (text: string) =>
      findIn(text).some(({ kind, tier }) => kind === 'secret_value' && tier === 'definite');
    const missed = Array.from({ length: 500 }, (_, nth) => drawn(nth % 2 === 0 ? 24 : 40)).filter(
      (value, nth) => !isSeen(`${nth % 4 < 2 ? 'COHERE_API_KEY' : 'VERCEL_TOKEN'}=${value}`),
    );
    expect(missed.length).toBeLessThan(20);
    // The same behind a prefix that alone says little.
    const tokens = Array.from({ length: 500 }, () => `fw_${drawn(24)}`);
    expect(tokens.filter((token) => findIn(token).length === 0).length).toBeLessThan(20);
    expect(isWordy('61HlqtIeIbUjikNhHh61VgQmzPm1BFJS')).toBe(false);
    expect(isWordy('toMapOfIdsByNameOfTheirOwner')).toBe(true);
    const code = [
      ...['getURLOfTheConfiguredProvider', 'parseJSONWebTokenFromTheHeader', 'readFromTheEnvironmentOfTheProcess'],
      ...['loadHTTPSConfigurationOnce', 'XMLHttpRequestWithCredentials', 'defaultAccountKeyProviderFactory'],
    ];
    expect(code.filter((name) => isSeen(`api_key = ${name}`))).toEqual([]);
    expect(code.filter((name) => isSeen(`"accessToken": "${name}"`))).toEqual([]);
  });

  test('a secret is found inside percent signs and base64, and what surrounds it stays', () => {
    const rng = seededRng(3);
    const filled = fillTemplate('ghp_{AN36}', rng);
    const texts = [
      `redirect=https%3A%2F%2Fx.example.net%2F%3Ftoken%3D${filled.text}%26a%3D1`,
      `config: ${btoa(`user: build\napi_token: ${filled.text}\nhost: x\n`)} end`,
      JSON.stringify(JSON.stringify(JSON.stringify({ a: `one\n${filled.text}\n` }))),
    ];
    for (const content of texts) {
      const message = JSON.stringify({ role: 'user', content });
      expect(isFound({ role: 'user', content }, filled)).toBe(true);
      const scrubber = new Scrubber();
      scrubber.learn(message);
      const written = scrubber.mask(message);
      expect(JSON.parse(written)).toHaveProperty('role', 'user');
      expect(
        findInJson(written)
          .flatMap(({ found }) => found)
          .filter(({ value }) => value === filled.text),
      ).toEqual([]);
      expect(written.length).toBe(message.length);
    }
  });

  test.each(['SystemEntropyOriginTrialToken', 'originTrialToken', 'origin_trial_token', 'origin-trial-token'])(
    '%s: what every page publishes is not a secret; the same value beside another name is',
    (name) => {
      const value = fillTemplate('{AN120}', seededRng(8)).text;
      const found = (key: string) => findInJson(JSON.stringify({ content: `"${key}": "${value}"`, [key]: value }));
      expect(found(name)).toEqual([]);
      expect(found('trial_access_token').length).toBe(2);
    },
  );

  test('a value is judged by the name beside it, in an object of its own', () => {
    const [value = ''] = fillTemplate('{AN32}', seededRng(6)).drawn;
    const inputs = (name: string) => ({ env: [{ name, value }, { key: name, type: 'x', value }, { value: 'plain' }] });
    const found = (name: string) =>
      findInJson(JSON.stringify({ content: [{ type: 'tool_use', input: inputs(name) }] })).flatMap((one) => one.found);
    expect(found('BROKER_SECRET').map((one) => one.value)).toEqual([value, value]);
    expect(found('BUILD_NUMBER')).toEqual([]);
    const json = JSON.stringify(inputs('BROKER_SECRET'));
    const scrubber = new Scrubber();
    scrubber.learn(json);
    expect(scrubber.mask(json)).not.toContain(value);
  });

  test('a value found once is masked wherever else it stands', () => {
    const [value] = fillTemplate('{AN24}', seededRng(5)).drawn;
    const [said, printed] = [
      JSON.stringify({ role: 'user', content: `DB_PASSWORD=${value}` }),
      JSON.stringify({ role: 'tool', content: `it was\n${value}, as I said` }),
    ];
    const scrubber = new Scrubber();
    scrubber.learn(printed);
    scrubber.learn(said);
    expect(scrubber.mask(printed)).not.toContain(value);
    expect(scrubber.standIns.of('password', value ?? '')).toHaveLength(24);
  });

  test('personal data: homes, addresses, hosts, not those of nobody', () => {
    const text = [
      'cd /home/mirandak/work',
      String.raw`C:\Users\Mirandak\AppData`,
      'mail miranda.k@firm.io or git@github.com or a@example.com',
      'mirandak@falcon-9:~/work$ ls',
      'connect to 81.2.69.142 from 127.0.0.1',
      'call +49 30 901820 41',
      '/home/user/x /Users/runner/y',
    ].join('\n');
    expect(findIn(text).map(({ kind, tier, value }) => [kind, tier, value])).toEqual([
      ['home', 'definite', 'mirandak'],
      ['home', 'definite', 'Mirandak'],
      ['email', 'definite', 'miranda.k@firm.io'],
      ['user_name', 'definite', 'mirandak'],
      ['host_name', 'definite', 'falcon-9'],
      ['ip_address', 'definite', '81.2.69.142'],
      ['phone', 'definite', '+49 30 901820 41'],
    ]);
  });

  test('own words and expressions; what cannot be run is refused', () => {
    const own = ownDetector({ words: ['Project Heron'], patterns: ['ACME-\\d{4}'] });
    if (!own.ok) throw new Error(own.error);
    const found = findIn('project heron has ACME-1234, heronry has none', { detectors: [own.value] });
    expect(found.map(({ value }) => value)).toEqual(['project heron', 'ACME-1234']);
    expect(ownDetector({ words: [], patterns: ['(a+)+$'] }).ok).toBe(false);
    expect(ownDetector({ words: [], patterns: ['('] }).ok).toBe(false);
    expect(ownDetector({ words: [], patterns: ['x*'] }).ok).toBe(false);
  });

  test('thinking that is edited loses its signature, clean thinking keeps it; encrypted content and pictures go', () => {
    const signature = 'c2ln'.repeat(40);
    const block = (thinking: string) => ({ type: 'thinking', thinking, signature });
    const dirty = JSON.stringify({ role: 'assistant', content: [block('look in /home/mirandak/x')] });
    const clean = JSON.stringify({ role: 'assistant', content: [block('look again')] });
    const hidden = JSON.stringify({ type: 'reasoning', encrypted_content: `gAAAA${'b1Xz'.repeat(30)}` });
    const scrubber = new Scrubber();
    for (const text of [dirty, clean, hidden]) scrubber.learn(text);
    expect(scrubber.mask(clean)).toBe(clean);
    expect(scrubber.mask(dirty)).not.toContain(signature);
    expect(scrubber.mask(dirty)).toHaveLength(dirty.length);
    expect(scrubber.mask(hidden)).not.toContain('b1Xzb1Xz');
    expect(scrubber.mask(hidden)).toHaveLength(hidden.length);
  });
});

describe('growth', () => {
  const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
    names: (size) => 'key='.repeat(size / 4),
    quotes: (size) => 'token="'.repeat(size / 7),
    addresses: (size) => '://a:'.repeat(size / 5),
    mail: (size) => 'a@a.'.repeat(size / 4),
    blocks: (size) => '-----BEGIN PRIVATE KEY-----'.repeat(size / 27),
    tokens: (size) => 'eyJ.'.repeat(size / 4),
    numbers: (size) => '1.'.repeat(size / 2),
    homes: (size) => '/home/'.repeat(size / 6),
    words: (size) => 'a'.repeat(size),
    escapes: (size) => '\\'.repeat(size),
    colons: (size) => 'a:'.repeat(size / 2),
    cookies: (size) => 'cookie: '.repeat(size / 8),
    aligned: (size) => `password${' '.repeat(60)}= ${' '.repeat(56)}'x`.repeat(size / 128),
    blanks: (size) => `key:${' '.repeat(60)}`.repeat(size / 64),
    inserts: (size) => "INSERT INTO t (token) VALUES (f(''), ".repeat(size / 36),
    rows: (size) => `INSERT INTO t (token) VALUES ${"('a''b', f(x)), ".repeat(size / 16)}`,
    phones: (size) => '+1 '.repeat(size / 3),
  };

  // The clock of a thread may go by ticks of several ms: less than a dozen of them says nothing.
  const ENOUGH_US = 50_000;

  /** Processor time of one search through a text, in µs: of as many as take long enough, the lesser of two. */
  const timeOf = (text: string): number => {
    const once = (): number => {
      const from = process.threadCpuUsage();
      for (let runs = 1; ; runs++) {
        findIn(text);
        // How it is split between the two is only sampled.
        const { user, system } = process.threadCpuUsage(from);
        if (user + system >= ENOUGH_US) return (user + system) / runs;
      }
    };
    return Math.min(once(), once());
  };

  // Four times the text takes about four times as long; what grows with the square takes up to sixteen times. Texts
  // shorter than the span in which the end of a private key is looked for would grow with the square as well.
  test.each(Object.keys(HOSTILE))('%s: in proportion to the text', (name) => {
    const make = HOSTILE[name];
    if (make === undefined) throw new Error(name);
    timeOf(make(4_000));
    expect(timeOf(make(128_000)) / timeOf(make(32_000))).toBeLessThan(7);
  });
});

test('every embedding holds the text it was given', () => {
  for (const embed of Object.values(EMBEDDINGS)) expect(JSON.stringify(embed('NEEDLE'))).toContain('NEEDLE');
});
