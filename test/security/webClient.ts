import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWebHost, type WebHost, type WebHostOptions } from '../../cli/webHost.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Request {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** A web host on an empty library with a page of one line, and the means to ask it. */
export interface TestHost {
  readonly dir: string;
  readonly library: string;
  readonly host: WebHost;
  readonly origin: string;
  send(path: string, options?: Request): Promise<Answer>;
  /** The headers of a new session, with the page's Origin. */
  session(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts one; `library` = an existing folder, else one of its own. */
export async function testHost(options: Partial<WebHostOptions> = {}): Promise<TestHost> {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-host-'));
  const renderer = join(dir, 'renderer');
  mkdirSync(renderer);
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>Parallax</title>');
  const library = options.dir ?? join(dir, 'library');
  mkdirSync(library, { recursive: true });
  const host = await startWebHost({ port: 0, renderer, files: [], ...options, dir: library });
  const origin = `http://127.0.0.1:${host.port}`;
  const send = (path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const out = request({ host: '127.0.0.1', port: host.port, path, method, headers, agent: false }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const { statusCode = 0, headers } = answer;
          resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString('utf8') });
        });
        answer.on('error', reject);
      });
      out.on('error', reject);
      out.end(body);
    });
  return {
    dir,
    library,
    host,
    origin,
    send,
    async session() {
      const token = new URLSearchParams(new URL(host.newLink()).hash.slice(1)).get('token') ?? '';
      const headers = { Origin: origin, 'X-Parallax-Token': token };
      const { body } = await send('/session', { method: 'POST', headers });
      return { Origin: origin, Authorization: `Parallax ${JSON.parse(body).secret}` };
    },
    async close() {
      await host.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
