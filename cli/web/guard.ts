import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Sessions, TicketFor } from './sessions.ts';

/** Why a request is turned away; `location` = where to go instead. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly location?: string;
}

/** Decides who may talk to the web host. */
export interface Guard {
  /** Host and, where one is sent, Origin; a request that changes something must send Origin. null = may continue. */
  refuseRequest(request: IncomingMessage): Refusal | null;
  /** As refuseRequest, and: the right path, an Origin, a ticket, which is used up. */
  refuseSocket(request: IncomingMessage): Refusal | null;
  hasSession(request: IncomingMessage): boolean;
  /** Whether the request brings a ticket for this, which is used up. */
  hasTicket(request: IncomingMessage, purpose: TicketFor): boolean;
}

const SCHEME = 'Parallax ';

/**
 * A guard for one launch. The page is at 127.0.0.1 and nowhere else: `localhost` may lead a browser to another user's
 * server on the same port of ::1, and what the page keeps is kept for each origin.
 */
export function createGuard(sessions: Sessions, port: number): Guard {
  const ownHost = `127.0.0.1:${port}`;
  const refuseRequest = (request: IncomingMessage): Refusal | null => {
    const { host, origin } = request.headers;
    if (host === `localhost:${port}` && request.url === '/' && origin === undefined) {
      return { status: 307, reason: `the page is at http://${ownHost}/`, location: `http://${ownHost}/` };
    }
    // Of two, the parser takes the first; another reader of the request may take the second.
    if (host !== ownHost || request.headersDistinct.host?.length !== 1) return { status: 421, reason: 'wrong Host' };
    if (origin !== undefined && origin !== `http://${ownHost}`) return { status: 403, reason: 'wrong Origin' };
    if (origin === undefined && request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 403, reason: 'no Origin' };
    }
    return null;
  };
  const hasTicket = (request: IncomingMessage, purpose: TicketFor): boolean => {
    const ticket = new URLSearchParams(request.url?.split('?', 2)[1] ?? '').get('ticket');
    return ticket !== null && sessions.takeTicket(ticket, purpose);
  };
  return {
    refuseRequest,
    hasTicket,
    hasSession({ headers: { authorization } }) {
      return authorization?.startsWith(SCHEME) === true && sessions.has(authorization.slice(SCHEME.length));
    },
    refuseSocket(request) {
      const refusal = refuseRequest(request);
      if (refusal !== null) return refusal;
      if (request.url?.split('?', 1)[0] !== '/engine') return { status: 404, reason: 'not found' };
      if (request.headers.origin === undefined) return { status: 403, reason: 'no Origin' };
      return hasTicket(request, 'engine') ? null : { status: 401, reason: 'no ticket' };
    },
  };
}

/** Turns away who asked for a WebSocket. */
export function refuseUpgrade(socket: Duplex, { status, reason }: Refusal): void {
  // Nobody else listens to it any more, and whoever was turned away may be gone before he hears of it.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`);
}
