import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createSessions } from '../../cli/web/sessions.ts';
import { startWebHost, type WebHost } from '../../cli/webHost.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let dir: string;
let host: WebHost;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-web-'));
  const renderer = join(dir, 'renderer');
  mkdirSync(join(renderer, 'assets'), { recursive: true });
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>Parallax</title>');
  writeFileSync(join(renderer, 'assets', 'index-abc.js'), 'export {};');
  writeFileSync(join(renderer, 'assets', 'index-abc.js.map'), '{}');
  writeFileSync(join(renderer, '.stamp.json'), '{}');
  mkdirSync(join(dir, 'library', 'exports'), { recursive: true });
  writeFileSync(join(dir, 'library', 'exports', 'bug report.json'), '{"a":1}');
  writeFileSync(join(dir, 'library', 'secret.json'), 'secret');
  host = await startWebHost({ dir: join(dir, 'library'), port: 0, renderer, files: ['/tmp/a.jsonl'] });
});

afterAll(async () => {
  await host.close();
  rmSync(dir, { recursive: true, force: true });
});

function send(
  path: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const out = request({ host: '127.0.0.1', port: host.port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    out.on('error', reject);
    out.end(body);
  });
}

const origin = (): string => `http://127.0.0.1:${host.port}`;

/** The launch token of a new link. */
const token = (): string => new URLSearchParams(new URL(host.newLink()).hash.slice(1)).get('token') ?? '';

const post = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(path, { method: 'POST', headers: { Origin: origin(), ...headers } });

/** The headers of a session of its own. */
async function session(): Promise<Record<string, string>> {
  const answer = await post('/session', { 'X-Parallax-Token': token() });
  return { Authorization: `Parallax ${JSON.parse(answer.body).secret}` };
}

async function ticket(headers: Record<string, string>, query = ''): Promise<string> {
  return JSON.parse((await post(`/ticket${query}`, headers)).body).ticket;
}

/** How an attempt to open the engine's socket ended: `open`, or the status it was refused with. */
function openSocket(headers: Record<string, string>, path: string): Promise<'open' | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}${path}`, { headers });
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('error', () => {});
  });
}

describe('who may fetch the page', () => {
  it('serves the page and its assets, each with the security headers', async () => {
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/assets/index-abc.js', 'text/javascript'],
    ] as const) {
      const answer = await send(path);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toContain(type);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin');
      const csp = answer.headers['content-security-policy'];
      expect(csp).toContain("default-src 'none'");
      expect(csp).toContain("script-src 'self';");
      expect(csp).not.toContain('unsafe-eval');
      expect(csp).not.toMatch(/https?:/);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', '[::1]', 'localhost'])(
    'refuses the Host %j (DNS rebinding)',
    async (name) => {
      const answer = await send('/', { headers: { Host: name } });
      expect(answer.status).toBe(421);
      expect(answer.body).not.toContain('<title>');
    },
  );

  it('sends localhost to where the page is, and serves nothing there', async () => {
    const headers = { Host: `localhost:${host.port}` };
    const answer = await send('/', { headers });
    expect(answer.status).toBe(307);
    expect(answer.headers.location).toBe(`http://127.0.0.1:${host.port}/`);
    for (const path of ['/assets/index-abc.js', '/session', '/engine']) {
      expect((await send(path, { headers })).status).toBe(421);
    }
    const foreign = { ...headers, Origin: `http://localhost:${host.port}` };
    expect((await send('/', { headers: foreign })).status).toBe(421);
  });

  it('refuses a foreign Origin', async () => {
    for (const foreign of ['https://evil.example', 'null', `https://127.0.0.1:${host.port}`, 'http://127.0.0.1:1']) {
      expect((await send('/', { headers: { Origin: foreign } })).status).toBe(403);
    }
  });

  it.each([
    '/../library/secret.json',
    '/assets/../../library/secret.json',
    '/..%2flibrary%2fsecret.json',
    '/%2e%2e/library/secret.json',
    '/assets\\..\\..\\library\\secret.json',
    '//etc/passwd',
    '/.stamp.json',
    '/assets/index-abc.js.map',
    '/assets',
    '/nothing.js',
    '/%00',
  ])('finds nothing at %s', async (path) => {
    const answer = await send(path);
    expect(answer.status).toBe(404);
    expect(answer.body).toBe('not found\n');
  });

  it('refuses methods that no page of ours uses', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
      expect((await send('/', { method, headers: { Origin: origin() } })).status).toBe(405);
    }
  });

  it('listens on the loopback address alone', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter((address) => address.family === 'IPv4' && !address.internal)
      .map((address) => address.address);
    const loopback = process.platform === 'linux' ? ['127.0.0.2'] : [];
    for (const address of [...others, ...loopback]) {
      const outcome = await new Promise((resolve) => {
        const out = request({ host: address, port: host.port, agent: false }, () => resolve('answered'));
        out.on('error', (error) => resolve('code' in error ? error.code : error.message));
        out.end();
      });
      expect(outcome).toBe('ECONNREFUSED');
    }
  });
});

describe('who gets a session', () => {
  it('gives one for a launch token, and tells it the files of the command line once', async () => {
    const answer = await post('/session', { 'X-Parallax-Token': token() });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { secret, files, given } = JSON.parse(answer.body);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(files).toEqual([{ handle: expect.any(String), name: '/tmp/a.jsonl' }]);
    expect(files[0].handle).not.toContain('jsonl');
    const again = await post('/session', { Authorization: `Parallax ${secret}` });
    expect(JSON.parse(again.body)).toEqual({ files: [], given });
    expect(given).toEqual(files);
  });

  it('takes a token once, whoever comes second', async () => {
    const used = { 'X-Parallax-Token': token() };
    expect((await post('/session', used)).status).toBe(200);
    expect((await post('/session', used)).status).toBe(401);
    expect((await post('/session', { Authorization: `Parallax ${used['X-Parallax-Token']}` })).status).toBe(401);
  });

  it('gives each link a token of 256 bits of its own, in the fragment, which browsers do not send', async () => {
    const tokens = Array.from({ length: 20 }, token);
    for (const each of tokens) expect(Buffer.from(each, 'base64url')).toHaveLength(32);
    expect(new Set(tokens).size).toBe(tokens.length);
    const link = new URL(host.newLink());
    expect(link.origin + link.pathname + link.search).toBe(`${origin()}/`);
  });

  it('sets no cookie: a browser would send it to every server of this machine', async () => {
    const headers = await session();
    const answers = [
      await send('/'),
      await post('/session', { 'X-Parallax-Token': token() }),
      await post('/session', headers),
      await post('/ticket', headers),
      await post('/upload?name=a', headers),
    ];
    for (const answer of answers) expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('refuses no token, a wrong token, a missing Origin, a GET', async () => {
    const known = { 'X-Parallax-Token': token() };
    expect((await post('/session')).status).toBe(401);
    expect((await post('/session', { 'X-Parallax-Token': `${known['X-Parallax-Token']}x` })).status).toBe(401);
    expect((await post('/session', { Cookie: `parallax_${host.port}=${known['X-Parallax-Token']}` })).status).toBe(401);
    expect((await post('/session?token=x')).status).toBe(401);
    expect((await send('/session', { method: 'POST', headers: known })).status).toBe(403);
    expect((await send('/session', { headers: { Origin: origin(), ...known } })).status).toBe(405);
    // None of that used it up.
    expect((await post('/session', known)).status).toBe(200);
  });

  it('goes on after a reload', async () => {
    const headers = await session();
    for (let times = 0; times < 3; times++) expect((await post('/session', headers)).status).toBe(200);
  });
});

describe('tickets', () => {
  it('are for who has a session', async () => {
    expect((await post('/ticket')).status).toBe(401);
    expect((await post('/ticket', { Authorization: 'Parallax AAAA' })).status).toBe(401);
    expect((await post('/ticket', { Authorization: (await session()).Authorization?.slice(9) ?? '' })).status).toBe(
      401,
    );
    expect((await send('/ticket', { headers: await session() })).status).toBe(405);
  });

  it('are good once, and for one thing', async () => {
    const headers = await session();
    const forEngine = await ticket(headers);
    expect((await send(`/download/bug%20report.json?ticket=${forEngine}`)).status).toBe(401);
    expect(await openSocket({ Origin: origin() }, `/engine?ticket=${forEngine}`)).toBe(401);
    const forDownload = await ticket(headers, '?download=bug%20report.json');
    expect(await openSocket({ Origin: origin() }, `/engine?ticket=${forDownload}`)).toBe(401);
    const fresh = await ticket(headers);
    expect(await openSocket({ Origin: origin() }, `/engine?ticket=${fresh}`)).toBe('open');
    expect(await openSocket({ Origin: origin() }, `/engine?ticket=${fresh}`)).toBe(401);
  });

  it('are good for a moment', () => {
    let now = 0;
    const sessions = createSessions(() => now);
    const one = sessions.newTicket('engine');
    const other = sessions.newTicket('engine');
    now = 30_000;
    expect(sessions.takeTicket(one, 'engine')).toBe(true);
    now = 30_001;
    expect(sessions.takeTicket(other, 'engine')).toBe(false);
  });
});

describe('who reaches the engine', () => {
  it.each([
    ['no ticket', '/engine'],
    ['a made-up ticket', '/engine?ticket=AAAA'],
    ['an empty ticket', '/engine?ticket='],
  ] as const)('refuses %s', async (_name, path) => {
    expect(await openSocket({ Origin: origin() }, path)).toBe(401);
  });

  it('refuses the secret itself in a URL, and in a header of the socket', async () => {
    const { Authorization = '' } = await session();
    const secret = Authorization.slice('Parallax '.length);
    expect(await openSocket({ Origin: origin() }, `/engine?ticket=${secret}`)).toBe(401);
    expect(await openSocket({ Origin: origin(), Authorization }, '/engine')).toBe(401);
  });

  it('refuses a foreign page or host even with a ticket', async () => {
    const headers = await session();
    const path = async (): Promise<string> => `/engine?ticket=${await ticket(headers)}`;
    expect(await openSocket({ Origin: 'https://evil.example' }, await path())).toBe(403);
    expect(await openSocket({}, await path())).toBe(403);
    expect(await openSocket({ Origin: origin(), Host: 'evil.example' }, await path())).toBe(421);
    expect(await openSocket({ Origin: origin() }, (await path()).replace('engine', 'other'))).toBe(404);
  });
});

describe('uploads and downloads', () => {
  const uploaded = (): readonly string[] => {
    const uploads = join(dir, 'library', 'uploads');
    return existsSync(uploads) ? readdirSync(uploads, { recursive: true, encoding: 'utf8' }) : [];
  };

  it('refuses both without a session', async () => {
    const before = uploaded();
    const headers = { Origin: origin() };
    expect((await send('/upload?name=a.jsonl', { method: 'POST', headers, body: 'x' })).status).toBe(401);
    expect((await send('/download/bug%20report.json')).status).toBe(401);
    expect((await send('/download/bug%20report.json', { headers: await session() })).status).toBe(401);
    expect(uploaded()).toEqual(before);
  });

  it('keeps an upload below the library, under a safe name, byte for byte, and says not where', async () => {
    const headers = { Origin: origin(), ...(await session()) };
    for (const [name, kept] of [
      ['a b.jsonl', 'a b.jsonl'],
      ['../../evil.sh', 'evil.sh'],
      ['..', 'upload'],
      ['.host', 'host'],
      ['C:\\x\\y.json', 'y.json'],
      ['a\nb:c.json', 'a_b_c.json'],
      ['', 'upload'],
    ] as const) {
      const body = `{"x":"ü ${name}"}\n`.repeat(10_000);
      const answer = await send(`/upload?name=${encodeURIComponent(name)}`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toEqual({ handle: expect.any(String), name: kept });
      const uploads = join(dir, 'library', 'uploads');
      const found = readdirSync(uploads, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith(`/${kept}`),
      );
      const last = found.map((path) => readFileSync(join(uploads, path), 'utf8'));
      expect(last).toContain(body);
    }
  });

  it('names a download as its file is named, whatever its letters', async () => {
    const name = 'größe "x"; a=b.json';
    writeFileSync(join(dir, 'library', 'exports', name), '{}');
    const good = await ticket(await session(), `?download=${encodeURIComponent(name)}`);
    const answer = await send(`/download/${encodeURIComponent(name)}?ticket=${good}`);
    const disposition = String(answer.headers['content-disposition']);
    const [, encoded = ''] = /^attachment; filename\*=UTF-8''([\w!#$&+.^`|~%'()*-]+)$/.exec(disposition) ?? [];
    expect(decodeURIComponent(encoded)).toBe(name);
  });

  it('sends an export once, and nothing beside the export folder', async () => {
    const headers = await session();
    const good = await ticket(headers, '?download=bug%20report.json');
    const answer = await send(`/download/bug%20report.json?ticket=${good}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toBe('{"a":1}');
    expect((await send(`/download/bug%20report.json?ticket=${good}`)).status).toBe(401);
    // What a browser saves it as, whatever a link asks for: the name it has in the folder.
    expect(answer.headers['content-disposition']).toBe("attachment; filename*=UTF-8''bug%20report.json");
    const names = [
      '..%2Fsecret.json',
      '..%5Csecret.json',
      '%2e%2e',
      '',
      '.',
      'nothing.json',
      '%E0%A4%A',
      'x'.repeat(5_000),
    ];
    for (const name of names) {
      const again = await ticket(headers, `?download=${name}`);
      expect((await send(`/download/${name}?ticket=${again}`)).status).toBe(404);
    }
  });
});
