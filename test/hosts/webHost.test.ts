import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
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

async function cookie(): Promise<string> {
  const answer = await send('/session', {
    method: 'POST',
    headers: { Origin: origin(), 'X-Parallax-Token': host.token },
  });
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** How an attempt to open the engine's socket ended: `open`, or the status it was refused with. */
function openSocket(headers: Record<string, string>, path = '/engine'): Promise<'open' | number> {
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

  it('accepts localhost with the right port', async () => {
    expect((await send('/', { headers: { Host: `localhost:${host.port}` } })).status).toBe(200);
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
  it('gives a cookie no script can read and no other site can send, for the launch token alone', async () => {
    const answer = await send('/session', {
      method: 'POST',
      headers: { Origin: origin(), 'X-Parallax-Token': host.token },
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ files: ['/tmp/a.jsonl'] });
    const given = answer.headers['set-cookie']?.[0] ?? '';
    expect(given).toContain('HttpOnly');
    expect(given).toContain('SameSite=Strict');
    expect(given).toContain(`parallax_${host.port}=`);
    const again = await send('/session', {
      method: 'POST',
      headers: { Origin: origin(), Cookie: given.split(';')[0] ?? '' },
    });
    expect(JSON.parse(again.body)).toEqual({ files: [] });
  });

  it('has a new token of 256 bits at each launch, in the fragment, which browsers do not send', async () => {
    expect(Buffer.from(host.token, 'base64url')).toHaveLength(32);
    expect(new URL(host.url).hash).toBe(`#token=${host.token}`);
    const other = await startWebHost({ dir: join(dir, 'other'), port: 0, renderer: join(dir, 'renderer'), files: [] });
    expect(other.token).not.toBe(host.token);
    await other.close();
  });

  it('refuses no token, a wrong token, a missing Origin, a GET', async () => {
    const withToken = { 'X-Parallax-Token': host.token };
    expect((await send('/session', { method: 'POST', headers: { Origin: origin() } })).status).toBe(401);
    const wrong = { Origin: origin(), 'X-Parallax-Token': `${host.token}x` };
    expect((await send('/session', { method: 'POST', headers: wrong })).status).toBe(401);
    expect((await send('/session', { method: 'POST', headers: withToken })).status).toBe(403);
    expect((await send('/session', { headers: { Origin: origin(), ...withToken } })).status).toBe(401);
  });

  it('knows its own cookie again, so that a reload works', async () => {
    const headers = { Origin: origin(), Cookie: await cookie() };
    expect((await send('/session', { method: 'POST', headers })).status).toBe(200);
  });
});

describe('who reaches the engine', () => {
  it.each([
    ['no session', () => ({ Origin: origin() }), 401],
    ['a made-up session', () => ({ Origin: origin(), Cookie: `parallax_${host.port}=AAAA` }), 401],
  ] as const)('refuses %s', async (_name, headers, status) => {
    expect(await openSocket(headers())).toBe(status);
  });

  it('refuses a foreign page or host even with the cookie', async () => {
    const session = await cookie();
    expect(await openSocket({ Origin: 'https://evil.example', Cookie: session })).toBe(403);
    expect(await openSocket({ Cookie: session })).toBe(403);
    expect(await openSocket({ Origin: origin(), Host: 'evil.example', Cookie: session })).toBe(421);
    expect(await openSocket({ Origin: origin(), Cookie: session }, '/other')).toBe(404);
    expect(await openSocket({ Origin: origin(), Cookie: session }, '/engine?x=1')).toBe(404);
  });
});

describe('uploads and downloads', () => {
  it('refuses both without a session', async () => {
    const headers = { Origin: origin() };
    expect((await send('/upload?name=a.jsonl', { method: 'POST', headers, body: 'x' })).status).toBe(401);
    expect((await send('/download/bug%20report.json')).status).toBe(401);
    expect(existsSync(join(dir, 'library', 'uploads'))).toBe(false);
  });

  it('keeps an upload below the library, under a safe name, byte for byte', async () => {
    const headers = { Origin: origin(), Cookie: await cookie() };
    for (const [name, kept] of [
      ['a b.jsonl', 'a b.jsonl'],
      ['../../evil.sh', 'evil.sh'],
      ['..', 'upload'],
      ['C:\\x\\y.json', 'y.json'],
      ['a\nb:c.json', 'a_b_c.json'],
      ['', 'upload'],
    ] as const) {
      const body = '{"x":"ü"}\n'.repeat(10_000);
      const answer = await send(`/upload?name=${encodeURIComponent(name)}`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      const { path } = JSON.parse(answer.body) as { path: string };
      expect(path.startsWith(join(dir, 'library', 'uploads'))).toBe(true);
      expect(path.endsWith(`/${kept}`)).toBe(true);
      expect(readFileSync(path, 'utf8')).toBe(body);
    }
  });

  it('names a download as its file is named, whatever its letters', async () => {
    const headers = { Cookie: await cookie() };
    const name = 'größe "x"; a=b.json';
    writeFileSync(join(dir, 'library', 'exports', name), '{}');
    const answer = await send(`/download/${encodeURIComponent(name)}`, { headers });
    const disposition = String(answer.headers['content-disposition']);
    const [, encoded = ''] = /^attachment; filename\*=UTF-8''([\w!#$&+.^`|~%'()*-]+)$/.exec(disposition) ?? [];
    expect(decodeURIComponent(encoded)).toBe(name);
  });

  it('sends an export and nothing beside the export folder', async () => {
    const headers = { Cookie: await cookie() };
    const answer = await send('/download/bug%20report.json', { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toBe('{"a":1}');
    // What a browser saves it as, whatever a link asks for: the name it has in the folder.
    expect(answer.headers['content-disposition']).toBe("attachment; filename*=UTF-8''bug%20report.json");
    for (const name of ['..%2Fsecret.json', '..%5Csecret.json', '%2e%2e', '', '.', 'nothing.json', '%E0%A4%A']) {
      expect((await send(`/download/${name}`, { headers })).status).toBe(404);
    }
  });
});
