// What stands between a name and its value, and within names, addresses and colours of a terminal, hides no secret.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { findIn, rewritten } from '../../core/scrub/findIn.ts';
import { listMessage } from '../../core/scrub/listing.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';

const VALUE = 'q8Zr2Lw0Xb5Nc7Vd1Tf9';
const found = (text: string): readonly string[] => findIn(text).map(({ from, to }) => text.slice(from, to));

/** Plain texts that hold the value, and where colours may stand in them. */
const TEXTS: readonly (readonly string[])[] = [
  ['DB_PASSWORD=', VALUE, ''],
  ['"password"', ': ', `"${VALUE}"`, ','],
  ['Authorization: Bearer ', VALUE, ' accepted'],
  ['postgres://app:', VALUE, '@db.acme.io/x'],
  ['', 'curl -u ci:', VALUE, ' https://build.acme.io'],
  ['', 'api_key: ', VALUE],
];
const COLOURS = ['\x1b[33m', '\x1b[0m', '\x1b[1;38;5;208m'];
const WRITTEN = ['\\u001b[33m', '\\x1b[0m', '\\033[1;32m', '\\e[32m'];

describe.each([
  ['as they are', COLOURS],
  ['as code writes them', WRITTEN],
])('colours %s', (_how, colours) => {
  it.each(TEXTS)('%s…', (...pieces) => {
    expect(found(pieces.join(''))).toContain(VALUE);
    for (const colour of colours) expect(found(pieces.join(colour)), colour).toContain(VALUE);
  });
});

it('are not the links of a terminal, whose addresses are read', () => {
  expect(found('\x1b]8;;file:///home/anneke/app\x07app\x1b]8;;\x07')).toEqual(['anneke']);
});

it('stay where they were when a value is masked', () => {
  const text = `\x1b[33mCookie: sid=${VALUE}\x1b[0m; lang=en`;
  const masked = rewritten(text, findIn(text), (_kind, value) => value.replaceAll(/[A-Za-z]/g, 'x'));
  expect(masked).toBe(text.replace(VALUE, VALUE.replaceAll(/[A-Za-z]/g, 'x')));
});

it.each([
  ...['DEVELOPER_TOKEN', 'SUPER_KEY', 'JUNIPER_TOKEN', 'X-Developer-Token'].map((name) => `${name}: ${VALUE}`),
  ...['SHARED_SECRET', 'HASHICORP_TOKEN', 'COOKIE_SECRET'].map((name) => `${name}=8c10a8c86d27acaa82688b359a991540`),
  "CREATE USER app WITH PASSWORD '8c10a8c86d27acaa82688b359a991540'",
  `process.env.API_KEY ??= "${VALUE}"`,
  `The API key (of the test account): ${VALUE}`,
  `https://acme.io/webhooks/incoming/${VALUE}`,
  'https://cal.acme.io/ical/ann/private-8c10a8c86d27acaa82688b359a991540/basic.ics',
  `https://acme.io/reset-password?t=${VALUE}`,
  'https://s3.acme.io/b/k?X-Acme-Signature=8c10a8c86d27acaa82688b359a9915408c10a8c86d27acaa82688b359a991540',
  `.addHeader("X-Auth-Acme", "${VALUE}")`,
  'proxy_set_header X-Internal-Auth "8c10a8c86d27acaa82688b359a991540";',
  '{"name":"acme_sid","value":"8c10a8c86d27acaa82688b359a991540","httpOnly":true}',
  'nats://wJfybZf45hA3@nats.acme.io:4222',
])('a secret in %s', (text) => {
  expect(found(text)).toHaveLength(1);
});

it.each([
  ...['COMMIT_SHA', 'git_commit_hash', 'digestKey', 'etag_key'].map(
    (name) => `${name}=8c10a8c86d27acaa82688b359a991540`,
  ),
  ...['max_tokens', 'maxTokens', 'cache-key', 'NEXT_TOKEN'].map((name) => `${name}: ${VALUE}`),
  JSON.stringify({
    out: `ok\ncache-key: ${VALUE}\nCache restored from key: Linux-build-8c10a8c86d27acaa82688b359a991540`,
  }),
  // Drawn anew for each connection, and sent in the clear.
  'Sec-WebSocket-Key: q8Zr2Lw0Xb5Nc7Vd1Tf9aQ==',
  'postgres://user:password@localhost:5432/app',
  'https://github.com/acme/hooks/blob/8c10a8c86d27acaa82688b359a9915408c10a8c8/src/index.ts',
  'https://acme.io/webhooks/getting-started-with-incoming-webhooks',
  'postgres://USER:PASS@HOST:5432/DB',
])('none in %s', (text) => {
  expect(found(text)).toEqual([]);
});

it('is listed where it stands in the text, whatever is before it and however it is written', () => {
  const cookie = 's%3Aq8Zr2Lw0Xb5Nc7Vd1Tf9';
  const content = `one\n"two"\n\x1b[32mthree\x1b[0m\nCookie: connect.sid=${cookie}; lang=en`;
  const source = memorySource([JSON.stringify({ role: 'user', content })]);
  const scrubber = new Scrubber();
  scrubber.learn(source.text(0));
  const listed = listMessage(scrubber, source, 0);
  expect(listed.map(({ from, to }) => content.slice(from, to))).toEqual([cookie]);
});
