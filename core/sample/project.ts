// The project that the sample's agent works on: a small relay for webhooks. Nobody runs it; it is there to be read.

/** A line that brings names in: written out it would be read as an import of this file. */
const brings = (names: string, from: string): string => `import ${names} from '${from}';`;

/** Contents of its files by path. */
export const FILES = {
  'package.json': `{
  "name": "hookrelay",
  "version": "0.4.1",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node dist/server.js",
    "build": "tsc -p tsconfig.json",
    "test": "node --test --test-reporter=spec"
  },
  "dependencies": { "undici": "^7.3.0", "zod": "^4.1.0" },
  "devDependencies": { "@types/node": "^24.0.0", "typescript": "^5.9.0" }
}
`,
  'config/server.json': `{
  "listen": {
    "host": "0.0.0.0",
    "port": 8443,
    "tls": { "cert": "/etc/hookrelay/tls/cert.pem", "key": "/etc/hookrelay/tls/key.pem", "minVersion": "TLSv1.3" }
  },
  "upstream": {
    "url": "https://billing.internal/hooks",
    "timeoutMs": 4000,
    "headers": { "x-relay": "hookrelay" }
  },
  "limits": { "bodyBytes": 262144, "perSecond": 50 }
}
`,
  'src/server.ts': `${brings('{ readFileSync }', 'node:fs')}
${brings('{ createServer }', 'node:https')}
${brings('{ randomUUID }', 'node:crypto')}
${brings('{ loadConfig }', './config.js')}
${brings('{ log }', './log.js')}
${brings('{ relay }', './relay.js')}

const config = loadConfig('config/server.json');
const port = Number(process.env.PORT ?? config.listen.port);

const server = createServer(
  {
    cert: readFileSync(config.listen.tls.cert),
    key: readFileSync(config.listen.tls.key),
    minVersion: config.listen.tls.minVersion,
  },
  async (request, response) => {
    const requestId = String(request.headers['x-request-id'] ?? randomUUID());
    const started = performance.now();
    const done = (status: number, reason?: string) => {
      const ms = Math.round(performance.now() - started);
      log({ requestId, method: request.method, path: request.url, status, ms, reason });
      response.writeHead(status, { 'x-request-id': requestId }).end();
    };
    if (request.method !== 'POST' || !request.url?.startsWith('/hooks/')) return done(404, 'no such route');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > config.limits.bodyBytes) return done(413, 'body too large');
      chunks.push(chunk);
    }
    const answer = await relay(config.upstream, { requestId, path: request.url, body: Buffer.concat(chunks) });
    return answer.ok ? done(202) : done(502, answer.reason);
  },
);

server.listen(port, config.listen.host, () => log({ event: 'listening', host: config.listen.host, port }));
`,
  'src/relay.ts': `${brings('{ request }', 'undici')}
${brings('type { Upstream }', './config.js')}

export interface Hook {
  readonly requestId: string;
  readonly path: string;
  readonly body: Buffer;
}

export type Answer = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Sends one webhook on. The upstream answers 2xx when it has stored it; anything else is ours to report. */
export async function relay(upstream: Upstream, hook: Hook): Promise<Answer> {
  const url = new URL(hook.path.replace(/^\\/hooks/, ''), upstream.url);
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      body: hook.body,
      headers: { ...upstream.headers, 'x-request-id': hook.requestId },
      headersTimeout: upstream.timeoutMs,
      bodyTimeout: upstream.timeoutMs,
    });
    await body.dump();
    return statusCode < 300 ? { ok: true } : { ok: false, reason: \`upstream answered \${statusCode}\` };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
`,
  'src/config.ts': `${brings('{ readFileSync }', 'node:fs')}
${brings('{ z }', 'zod')}

const Tls = z.object({ cert: z.string(), key: z.string(), minVersion: z.enum(['TLSv1.2', 'TLSv1.3']) });

const Config = z.object({
  listen: z.object({ host: z.string(), port: z.int().min(1).max(65_535), tls: Tls }),
  upstream: z.object({
    url: z.url(),
    timeoutMs: z.int().positive(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  limits: z.object({ bodyBytes: z.int().positive(), perSecond: z.int().positive() }),
});

export type Config = z.infer<typeof Config>;
export type Upstream = Config['upstream'];

/** Reads and checks the configuration; a file that does not fit ends the process with what is wrong with it. */
export function loadConfig(path: string): Config {
  const parsed = Config.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  console.error(z.prettifyError(parsed.error));
  process.exit(78);
}
`,
  'src/log.ts': `type Field = string | number | boolean | undefined;

/** One line of JSON a fact. Fields without a value are left out; the time is the first field. */
export function log(fields: Readonly<Record<string, Field>>): void {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  process.stdout.write(\`\${JSON.stringify({ at: Temporal.Now.instant().toString(), ...Object.fromEntries(said) })}\\n\`);
}
`,
  'test/relay.test.ts': `${brings('assert', 'node:assert/strict')}
${brings('{ createServer }', 'node:http')}
${brings('{ after, before, test }', 'node:test')}
${brings('{ relay }', '../dist/relay.js')}

let statuses: number[] = [];
let seen = 0;
const upstream = createServer((_, response) => {
  seen++;
  response.writeHead(statuses.shift() ?? 200).end();
});

before(() => new Promise<void>((done) => upstream.listen(0, done)));
after(() => upstream.close());

const target = () => {
  const address = upstream.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: \`http://localhost:\${port}\`, timeoutMs: 500, headers: {} };
};
const hook = { requestId: 'r-1', path: '/hooks/invoice', body: Buffer.from('{}') };

test('a hook that the upstream takes is done', async () => {
  statuses = [202];
  assert.deepEqual(await relay(target(), hook), { ok: true });
});

test('a refusal is reported with its status', async () => {
  statuses = [422];
  assert.deepEqual(await relay(target(), hook), { ok: false, reason: 'upstream answered 422' });
});

test('the request id goes along', async () => {
  seen = 0;
  await relay(target(), hook);
  assert.equal(seen, 1);
});
`,
  'deploy/compose.yml': `services:
  staging-proxy:
    image: haproxy:3.1
    ports: ["8080:8080"]
    volumes: ["./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro"]
  billing:
    image: registry.internal/billing:2026.3
    expose: ["9000"]
    healthcheck: { test: ["CMD", "curl", "-fsS", "http://localhost:9000/ready"], interval: 10s }
`,
} as const;

export type SampleFile = keyof typeof FILES;

/** A file as a tool for reading shows it: numbered lines. */
export function numbered(path: SampleFile): string {
  const lines = FILES[path].trimEnd().split('\n');
  return lines.map((line, at) => `${String(at + 1).padStart(5)}→${line}`).join('\n');
}

const PATHS = ['/hooks/invoice', '/hooks/refund', '/hooks/dispute', '/hooks/payout'];

/** Lines of the relay's own log: one a request, every seventh of which the upstream refused. */
export function accessLog(lines: number): string {
  return Array.from({ length: lines }, (_, at) => {
    const minute = String(Math.floor(at / 6)).padStart(2, '0');
    const second = String((at * 10) % 60).padStart(2, '0');
    const id = `r-${(0x4f10 + at * 37).toString(16)}`;
    const fields = { at: `2026-03-12T07:${minute}:${second}.000Z`, requestId: id, method: 'POST', path: PATHS[at % 4] };
    const end =
      at % 7 === 6 ? { status: 502, ms: 61 + at, reason: 'upstream answered 503' } : { status: 202, ms: 12 + (at % 9) };
    return JSON.stringify({ ...fields, ...end });
  }).join('\n');
}

/** What the test runner prints. */
export function testRun(passed: readonly string[], failed: readonly string[] = []): string {
  const lines = [
    '> hookrelay@0.4.1 test',
    '> node --test --test-reporter=spec',
    '',
    ...passed.map((name, at) => `✔ ${name} (${(3.1 + at * 1.7).toFixed(2)}ms)`),
    ...failed.map((name, at) => `✖ ${name} (${(640 + at * 12.5).toFixed(2)}ms)`),
    `ℹ tests ${passed.length + failed.length}`,
    `ℹ pass ${passed.length}`,
    `ℹ fail ${failed.length}`,
  ];
  return lines.join('\n');
}
