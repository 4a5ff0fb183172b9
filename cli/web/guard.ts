import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Why a request is turned away. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** Decides who may talk to the web host. */
export interface Guard {
  /** Host and, where one is sent, Origin; a request that changes something must send Origin. null = may go on. */
  refuseRequest(request: IncomingMessage): Refusal | null;
  /** As refuseRequest, and: the right path, an Origin, a session. */
  refuseSocket(request: IncomingMessage): Refusal | null;
  hasSession(request: IncomingMessage): boolean;
  /** The cookie for who brings the launch token (or already has the session); null for anyone else. */
  openSession(request: IncomingMessage): string | null;
}

/** A guard for one launch. The cookie carries the port in its name: cookies of one host are shared by all its ports. */
export function createGuard(token: string, port: number): Guard {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const cookieName = `parallax_${port}`;
  const refuseRequest = (request: IncomingMessage): Refusal | null => {
    const { host, origin } = request.headers;
    if (host === undefined || !hosts.has(host)) return { status: 421, reason: 'wrong Host' };
    if (origin !== undefined && origin !== `http://${host}`) return { status: 403, reason: 'wrong Origin' };
    if (origin === undefined && request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 403, reason: 'no Origin' };
    }
    return null;
  };
  const hasSession = (request: IncomingMessage): boolean => same(cookieOf(request, cookieName), token);
  return {
    refuseRequest,
    hasSession,
    refuseSocket(request) {
      const refusal = refuseRequest(request);
      if (refusal !== null) return refusal;
      if (request.url !== '/engine') return { status: 404, reason: 'not found' };
      if (request.headers.origin === undefined) return { status: 403, reason: 'no Origin' };
      return hasSession(request) ? null : { status: 401, reason: 'no session' };
    },
    openSession(request) {
      const given = request.headers['x-parallax-token'];
      const known = typeof given === 'string' ? same(given, token) : hasSession(request);
      return known ? `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict` : null;
    },
  };
}

/** Turns away who asked for a WebSocket. */
export function refuseUpgrade(socket: Duplex, { status, reason }: Refusal): void {
  // Nobody else listens to it any more, and whoever was turned away may be gone before he hears of it.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`);
}

function cookieOf(request: IncomingMessage, name: string): string {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value ?? '';
  }
  return '';
}

function same(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
