// Raw requests to the web host, as another program or page could send them: with nothing, and with a session of its own.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { tally } from './tally.ts';
import { type TestHost, testHost } from './webClient.ts';

const SECRET = 'what nobody else may read';
const attacks = tally('raw requests to the web host');
let host: TestHost;
let session: Record<string, string>;

beforeAll(async () => {
  host = await testHost({ files: ['/tmp/given.json'] });
  writeFileSync(join(host.library, 'secret.json'), SECRET);
  writeFileSync(join(host.dir, 'secret.json'), SECRET);
  mkdirSync(join(host.library, 'exports'));
  writeFileSync(join(host.library, 'exports', 'bug.json'), SECRET);
  writeFileSync(join(host.library, 'exports', '.hidden'), SECRET);
  session = await host.session();
});
afterAll(async () => {
  // Whatever was tried: it still answers.
  expect((await host.send('/')).status).toBe(200);
  await host.close();
});

/** Sends bytes as they are; what came back until the connection ended or nothing came for a moment. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(host.host.port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.setTimeout(700, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
  });
}

const own = (): string => `127.0.0.1:${host.host.port}`;
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
const isRefused = (answer: string): boolean => !answer.includes(SECRET) && (statusOf(answer) >= 400 || answer === '');

async function ticketFor(query: string): Promise<string> {
  return JSON.parse((await host.send(`/ticket${query}`, { method: 'POST', headers: session })).body).ticket;
}

const CLIMBS = [
  '../secret.json',
  '../../secret.json',
  '..%2fsecret.json',
  '..%2Fsecret.json',
  '%2e%2e/secret.json',
  '%2e%2e%2fsecret.json',
  '..%5csecret.json',
  '..\\secret.json',
  '....//secret.json',
  '..;/secret.json',
  '%252e%252e%252fsecret.json',
  '%c0%ae%c0%ae/secret.json',
  '%00',
  'secret.json%00.js',
  '.hidden',
  '%2ehidden',
  '//etc/passwd',
  '/etc/passwd',
  'C:/secret.json',
  'file:///etc/passwd',
  'x'.repeat(5_000),
  '%',
  '%E0%A4%A',
];

describe('paths', () => {
  it.each(CLIMBS)('%s leads nowhere', async (climb) => {
    for (const before of ['/', '/assets/']) {
      const answer = await raw(`GET ${before}${climb} HTTP/1.1\r\nHost: ${own()}\r\nConnection: close\r\n\r\n`);
      attacks.tried(`GET ${before}${climb}: ${statusOf(answer)}`, isRefused(answer));
    }
    const good = await ticketFor(`?download=${encodeURIComponent(climb)}`);
    const line = `/download/${climb}?ticket=${good}`;
    const answer = await raw(`GET ${line} HTTP/1.1\r\nHost: ${own()}\r\nConnection: close\r\n\r\n`);
    attacks.tried(`download ${climb}: ${statusOf(answer)}`, isRefused(answer));
    const name = `/upload?name=${encodeURIComponent(climb)}`;
    await host.send(name, { method: 'POST', headers: session, body: 'planted' });
  });

  it('an upload stays in the folder of uploads, whatever its name', () => {
    expect(readdirSync(host.dir).sort()).toEqual(['library', 'renderer', 'secret.json']);
    const outside = readdirSync(host.library).filter((name) => name !== 'uploads');
    expect(outside.sort()).toEqual(['exports', 'secret.json']);
    attacks.tried('uploads named as paths', !existsSync('/etc/planted'));
  });
});

describe('who asks', () => {
  const hosts = [
    'evil.example',
    '127.0.0.1',
    '127.0.0.1:1',
    '0.0.0.0',
    '[::1]',
    'localhost',
    'LOCALHOST.evil',
    '2130706433',
    '127.1',
    '',
  ];
  it.each(hosts)('as the host %j', async (name) => {
    for (const path of ['/', '/session', '/ticket', '/upload', '/download/bug.json']) {
      for (const method of ['GET', 'POST']) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: ${name}\r\nOrigin: http://${name}\r\nContent-Length: 0\r\n`;
        const auth = `Authorization: ${session.Authorization}\r\n`;
        const answer = await raw(`${head}${auth}Connection: close\r\n\r\n`);
        attacks.tried(`${method} ${path} of ${name}: ${statusOf(answer)}`, isRefused(answer));
      }
    }
  });

  const origins = [
    'https://evil.example',
    'null',
    'file://',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://localhost',
  ];
  it.each(origins)('a page of %s, even with the session', async (origin) => {
    for (const path of ['/session', '/ticket', '/upload?name=x']) {
      const answer = await host.send(path, { method: 'POST', headers: { ...session, Origin: origin }, body: '' });
      attacks.tried(`POST ${path} from ${origin}: ${answer.status}`, answer.status === 403);
    }
    const { Authorization = '' } = session;
    const ticket = await ticketFor('');
    const socket = await opened(`/engine?ticket=${ticket}`, { Origin: origin, Authorization });
    attacks.tried(`socket from ${origin}: ${socket}`, socket === 403);
  });

  it('with anything in place of a token, a secret or a ticket', async () => {
    const guesses = ['', 'x', 'null', 'undefined', '[object Object]', 'A'.repeat(43), '%', '*', 'A'.repeat(8_000)];
    for (const guess of guesses) {
      const headers = { Origin: host.origin };
      const answers = [
        await host.send('/session', { method: 'POST', headers: { ...headers, 'X-Parallax-Token': guess } }),
        await host.send('/session', { method: 'POST', headers: { ...headers, Cookie: `parallax=${guess}` } }),
        await host.send('/ticket', { method: 'POST', headers: { ...headers, Authorization: `Parallax ${guess}` } }),
        await host.send('/ticket', { method: 'POST', headers: { ...headers, Authorization: `Bearer ${guess}` } }),
        await host.send('/upload?name=x', { method: 'POST', headers: { ...headers, Authorization: guess } }),
        await host.send(`/download/bug.json?ticket=${encodeURIComponent(guess)}`),
      ];
      for (const [at, { status, body }] of answers.entries()) {
        attacks.tried(`guess ${guess.slice(0, 20)} ${at}: ${status}`, status === 401 && !body.includes(SECRET));
      }
      attacks.tried(
        `socket ${guess.slice(0, 20)}`,
        (await opened(`/engine?ticket=${encodeURIComponent(guess)}`, headers)) === 401,
      );
    }
  });
});

/** How opening a socket ended: `open`, or the status. */
function opened(path: string, headers: Record<string, string>): Promise<'open' | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${own()}${path}`, { headers });
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('error', () => resolve(0));
  });
}

describe('what is no request', () => {
  const get = (more: string): string => `GET / HTTP/1.1\r\nHost: HOST\r\n${more}\r\n\r\n`;
  it.each([
    ['two lengths', 'POST /session HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nxxxxx'],
    [
      'a length and chunks',
      'POST /session HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a huge header', get(`X: ${'x'.repeat(100_000)}`)],
    ['thousands of headers', get(Array.from({ length: 5_000 }, (_, i) => `X${i}: y`).join('\r\n'))],
    ['a line break in a header', get('X: a\rb')],
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000'],
    ['a proxy’s request', 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['a broken upgrade', 'GET /engine HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
    ['another upgrade', 'GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'],
  ])('%s', async (name, text) => {
    const answer = await raw(text.replaceAll('HOST', own()));
    attacks.tried(`${name}: ${answer.slice(0, 40)}`, isRefused(answer));
  });

  it('says no more in the terminal than a line', async () => {
    const lines: string[] = [];
    const before = console.error;
    console.error = (line: string) => void lines.push(line);
    await host.send(`/download/${'x'.repeat(5_000)}?ticket=y`);
    await host.send(`/${'%1b]0;x'.repeat(500)}`);
    console.error = before;
    attacks.tried(
      'long lines in the log',
      lines.every((line) => line.length < 600 && !line.includes('\n')),
    );
  });
});
