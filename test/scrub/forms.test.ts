// Secrets that a command, a file or an address holds in a place of theirs, and what only has such a place.
import { expect, test } from 'vitest';
import { findIn } from '../../core/scrub/findIn.ts';
import { seededRng } from '../../core/util/rng.ts';
import { EMBEDDINGS, fillTemplate, isFound } from '../support/vectors/secrets.ts';

const UUID = '{HEX8}-{HEX4}-4{HEX3}-{HEX4}-{HEX12}';
const KINDS: readonly string[] = [
  "define('AUTH_KEY',         '{AN40}');",
  "define('SECURE_AUTH_SALT', '{AN20} |{AN20}>;{AN22}');",
  "INSERT INTO api_tokens (user_id, token) VALUES (42, '{HEX40}');",
  "insert into users (name, password, made) values ('bo''b', '{AN24}', now()), ('amy', '{AN24}', NULL)",
  'wandb login {HEX40}',
  'wandb login --relogin {HEX40}',
  'cargo login {AN35}',
  'mc alias set store https://s3.acme.io svc {AN32}',
  "ssh-keygen -t ed25519 -N '{AN20}' -f id",
  `CODECOV_TOKEN=${UUID}`,
  `SONAR_TOKEN: ${UUID}`,
  `PINECONE_KEY="${UUID}"`,
  `BROKER_SECRET=${UUID}`,
  'https://mainnet.infura.io/v3/{HEX32}',
  'wss://mainnet.infura.io/ws/v3/{HEX32}',
  'https://eth-mainnet.g.alchemy.com/v2/{AN32}',
  'curl https://api.acme.io/v1/charges -u {AN32}:',
  'session.headers["Authorization"] = "Token {HEX40}"',
  '{"name":"session","value":"{AN64}","httpOnly":true,"secure":true}',
  'ops_eyJ{AN40}/{AN40}+{AN40}',
  'shippo_live_{HEX40}',
  'duffel_live_{AN20}_{AN22}',
  'pnu_{AN36}',
  'HMAC_SECRET_HEX={HEX64}',
  'AUTH default {AN32}',
  '127.0.0.1:6379> AUTH {AN32}',
  'f"postgres://app:{AN18}@{host}/app"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of somebody’s code
  'postgres://app:{AN18}@${DB_HOST}/app',
];

test.each(KINDS)('found, however it is embedded: %s', (template) => {
  const rng = seededRng(17);
  const embedded = Object.values(EMBEDDINGS).flatMap((embed) => [embed, embed, embed, embed, embed]);
  const missed = embedded.filter((embed) => {
    const filled = fillTemplate(template, rng);
    return !isFound(embed(filled.text), filled);
  });
  expect(missed.length / embedded.length).toBeLessThan(0.06);
});

test('the words of a passphrase are found beside its name', () => {
  const [one] = findIn('SSH_PASSPHRASE="river panda velvet cobalt"');
  expect(one).toMatchObject({ kind: 'password', tier: 'definite', value: 'river panda velvet cobalt' });
});

test.each([
  "define('AUTH_KEY',         'put your unique phrase here');",
  'INSERT INTO api_tokens (user_id, token) VALUES (?, ?)',
  "INSERT INTO users (password_hint, name) VALUES ('the usual', 'amy')",
  'wandb login --relogin',
  'cargo login the-token-of-your-account',
  'TOKEN_ID=7830c8b6-9dbd-406d-84e8-3080a5d8fb67',
  'SECRET_KEY_ID=7830c8b6-9dbd-406d-84e8-3080a5d8fb67',
  'IDEMPOTENCY_KEY=7830c8b6-9dbd-406d-84e8-3080a5d8fb67',
  'https://mainnet.infura.io/v3/YOUR-PROJECT-ID',
  'curl -u token-of-the-account: https://api.acme.io',
  '{"name":"theme","value":"V4dpJ2lLa8PvIwCzW3dZ","httpOnly":true}',
  'AUTH default user',
  'SSH_PASSPHRASE="enter the passphrase for your key"',
  'postgres://user:password@{host}/app',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of somebody’s code
  'postgres://${user}:${pw}@${host}/app',
  "ssh-keygen -t ed25519 -N '' -f id",
])('nothing in %s', (text) => {
  expect(findIn(text)).toEqual([]);
});
