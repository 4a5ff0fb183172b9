// The loopback web host: the same renderer and the same engine as the desktop app, for machines without a display.
// Only this machine may connect, and on it only who was given a link: other users and programs, and web pages open in
// the same browser, are the attackers to think of. Host is checked against DNS rebinding, Origin against foreign pages.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { WebSocketServer } from 'ws';
import { spawnEngine } from '../core/engine/client.ts';
import type { GivenFile } from '../core/protocol/files.ts';
import { securityHeaders } from '../core/protocol/page.ts';
import { pipe } from '../core/protocol/transports.ts';
import { oneLine } from './support/output.ts';
import { exportNamed, notFound, sendDownload, sendStatic } from './web/files.ts';
import { createGuard, type Guard, type Refusal, refuseUpgrade } from './web/guard.ts';
import { createSessions, type Sessions } from './web/sessions.ts';
import { boundedTransport } from './web/socket.ts';
import { createUploads, type Uploads } from './web/upload.ts';

export interface WebHostOptions {
  /** Folder of the library. */
  readonly dir: string;
  /** Port to listen on; 0 = any free one. */
  readonly port: number;
  /** Folder of the built renderer. */
  readonly renderer: string;
  /** The built page that takes a transcript; absent = no page can be written. */
  readonly pageShell?: string;
  /** Files and folders to import at start, absolute. */
  readonly files: readonly string[];
  /** The longest upload taken, in bytes. */
  readonly maxUploadBytes?: number;
}

export interface WebHost {
  /** A new address to open, good for one session: it holds a launch token in its fragment. `used` = when it was opened. */
  newLink(used?: () => void): string;
  readonly port: number;
  /** Ends the engine as a crash would (for tests). */
  killEngine(): Promise<void>;
  /** Closes connections, engine and library in order. */
  close(): Promise<void>;
}

/** Starts the host on 127.0.0.1. Rejects if the port is taken. */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const { dir, pageShell } = options;
  const engine = spawnEngine({ dir, ...(pageShell !== undefined && { pageShell }) });
  engine.onCrash((crash) => console.error(`parallax: the engine stopped (${crash.exitCode}): ${crash.message}`));
  const sessions = createSessions();
  const server = createServer();
  const port = await listen(server, options.port);
  const guard = createGuard(sessions, port);
  const give = (path: string, name: string): GivenFile => ({ handle: engine.giveFile(path, 'read'), name });
  const named = options.files.map((path) => give(path, path));
  const uploads = await createUploads(options.dir, options.maxUploadBytes);
  const context: Context = {
    options,
    files: { waiting: named, named },
    give,
    uploads,
    sessions,
    guard,
    headers: securityHeaders([`ws://127.0.0.1:${port}`]),
  };
  server.on('request', (request, response) => void handle(context, request, response));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    const refusal = guard.refuseSocket(request);
    if (refusal !== null) refuseUpgrade(socket, refusal);
    else sockets.handleUpgrade(request, socket, head, (peer) => pipe(boundedTransport(peer), engine.connectPage()));
  });
  return {
    newLink: (used) => `http://127.0.0.1:${port}/#token=${sessions.newToken(used)}`,
    port,
    killEngine: () => engine.kill(),
    async close() {
      for (const peer of sockets.clients) peer.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.dispose();
      await uploads.clear();
    },
  };
}

interface Context {
  readonly options: WebHostOptions;
  /** Files of the command line, and those of them that no page has taken yet. */
  readonly files: { waiting: readonly GivenFile[]; readonly named: readonly GivenFile[] };
  give(path: string, name: string): GivenFile;
  readonly uploads: Uploads;
  readonly sessions: Sessions;
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
    console.error(`parallax: ${oneLine(`${request.method} ${request.url?.split('?')[0]}: ${String(error)}`, 500)}`);
    if (response.headersSent) response.destroy();
    else say(response, 500, 'the web host failed; the terminal says why');
  }
}

async function route(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { guard, options } = context;
  const refusal = guard.refuseRequest(request);
  if (refusal !== null) return refuse(response, refusal);
  // The path as sent: the URL parser would resolve `..` before anyone could refuse it.
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  if (path === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  if (path === '/session' || path === '/ticket' || path === '/upload') {
    if (request.method !== 'POST') return say(response, 405, 'only POST');
    if (path === '/session') return openSession(context, request, response);
    if (!guard.hasSession(request)) return say(response, 401, 'no session');
    const params = new URLSearchParams(query);
    return path === '/ticket' ? giveTicket(context, params, response) : upload(context, params, request, response);
  }
  if (path.startsWith('/download/')) {
    const name = exportNamed(path.slice('/download/'.length));
    if (name === null) return notFound(response);
    if (!guard.hasTicket(request, `download:${name}`)) return say(response, 401, 'no ticket');
    return sendDownload(join(options.dir, 'exports'), name, response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return say(response, 405, 'only GET');
  return sendStatic(options.renderer, path, response);
}

/** A launch token opens a session; a session that is open, after a reload, gets what it has not received yet. */
function openSession({ sessions, guard, files }: Context, request: IncomingMessage, response: ServerResponse): void {
  const token = request.headers['x-parallax-token'];
  const secret = typeof token === 'string' ? sessions.open(token) : null;
  if (secret === null && !guard.hasSession(request)) {
    say(response, 401, 'no launch token');
    return;
  }
  answer(response, { ...(secret !== null && { secret }), files: files.waiting, given: files.named });
  files.waiting = [];
}

function giveTicket({ sessions }: Context, query: URLSearchParams, response: ServerResponse): void {
  const name = query.get('download');
  answer(response, { ticket: sessions.newTicket(name === null ? 'engine' : `download:${name}`) });
}

async function upload(
  { uploads, give }: Context,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const received = await uploads.receive(query.get('name'), request);
  if (received === null) return; // the browser went away: nobody is left to answer
  if ('path' in received) answer(response, give(received.path, basename(received.path)));
  else say(response, received.status, received.reason);
}

function answer(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(value));
}

function refuse(response: ServerResponse, { status, reason, location }: Refusal): void {
  if (location !== undefined) response.setHeader('Location', location);
  say(response, status, reason);
}

function say(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`${reason}\n`);
}
