// The loopback web host: the same renderer and the same engine as the desktop app, for machines without a display.
// Only this machine may connect, and on it only who knows the launch token: other programs and web pages open in the
// same browser are the attackers to think of. Host is checked against DNS rebinding, Origin against foreign pages.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { spawnEngine } from '../core/engine/client.ts';
import { pipe, webSocketTransport } from '../core/protocol/channel.ts';
import { securityHeaders } from '../core/protocol/page.ts';
import { sendDownload, sendStatic } from './web/files.ts';
import { createGuard, type Guard, refuseUpgrade } from './web/guard.ts';
import { clearUploads, receiveUpload } from './web/upload.ts';

export interface WebHostOptions {
  /** Folder of the library. */
  readonly dir: string;
  /** Port to listen on; 0 = any free one. */
  readonly port: number;
  /** Folder of the built renderer. */
  readonly renderer: string;
  /** Files to import at start, absolute. */
  readonly files: readonly string[];
}

export interface WebHost {
  /** The address to open: holds the launch token in its fragment. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Ends the engine as a crash would (for tests). */
  killEngine(): Promise<void>;
  /** Closes connections, engine and library in order. */
  close(): Promise<void>;
}

/** Starts the host on 127.0.0.1. Rejects if the port is taken. */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const engine = spawnEngine({ dir: options.dir });
  engine.onCrash((crash) => console.error(`parallax: the engine stopped (${crash.exitCode}): ${crash.message}`));
  const token = randomBytes(32).toString('base64url');
  const server = createServer();
  const port = await listen(server, options.port);
  const guard = createGuard(token, port);
  const context: Context = {
    options,
    files: { waiting: options.files },
    guard,
    headers: securityHeaders([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`]),
  };
  server.on('request', (request, response) => void handle(context, request, response));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    const refusal = guard.refuseSocket(request);
    if (refusal !== null) refuseUpgrade(socket, refusal);
    else sockets.handleUpgrade(request, socket, head, (peer) => pipe(webSocketTransport(peer), engine.connect()));
  });
  return {
    url: `http://127.0.0.1:${port}/#token=${token}`,
    port,
    token,
    killEngine: () => engine.kill(),
    async close() {
      for (const peer of sockets.clients) peer.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.dispose();
      await clearUploads(options.dir);
    },
  };
}

interface Context {
  readonly options: WebHostOptions;
  /** Files of the command line that no page has taken yet. */
  readonly files: { waiting: readonly string[] };
  readonly guard: Guard;
  readonly headers: Readonly<Record<string, string>>;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the server has no port'));
      resolve(address.port);
    });
  });
}

async function handle(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(context.headers)) response.setHeader(name, value);
  try {
    await route(context, request, response);
  } catch (error) {
    // The browser went away: nobody is left to answer.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    console.error(`parallax: ${request.method} ${request.url?.split('?')[0]}: ${String(error)}`);
    if (response.headersSent) response.destroy();
    else say(response, 500, 'the web host failed; the terminal says why');
  }
}

async function route(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { guard, options } = context;
  const refusal = guard.refuseRequest(request);
  if (refusal !== null) return say(response, refusal.status, refusal.reason);
  // The path as sent: the URL parser would resolve `..` before anyone could refuse it.
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  if (path === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  if (path === '/session') return openSession(context, request, response);
  if (path === '/upload') {
    if (!guard.hasSession(request)) return say(response, 401, 'no session');
    if (request.method !== 'POST') return say(response, 405, 'only POST');
    return receiveUpload(options.dir, new URLSearchParams(query).get('name'), request, response);
  }
  if (path.startsWith('/download/')) {
    if (!guard.hasSession(request)) return say(response, 401, 'no session');
    return sendDownload(join(options.dir, 'exports'), path.slice('/download/'.length), response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return say(response, 405, 'only GET');
  return sendStatic(options.renderer, path, response);
}

function openSession({ guard, files }: Context, request: IncomingMessage, response: ServerResponse): void {
  const cookie = request.method === 'POST' ? guard.openSession(request) : null;
  if (cookie === null) {
    say(response, 401, 'no launch token');
    return;
  }
  response.setHeader('Set-Cookie', cookie);
  response.setHeader('Cache-Control', 'no-store');
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ files: files.waiting }));
  files.waiting = [];
}

function say(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`${reason}\n`);
}
