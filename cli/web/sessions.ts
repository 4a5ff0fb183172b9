// Who may use the web host. A link that the terminal shows carries a launch token, which opens one session and is of no
// use afterwards. A session's secret is a separate value: the page keeps it for its tab and sends it in a header that
// only its own scripts can set. It is not a cookie, for browsers send those to every server on this machine, whatever its
// port. What cannot carry a header, a WebSocket and a download, carries a ticket: good once, for one thing, for a moment.
import { createHash, randomBytes } from 'node:crypto';

const TICKET_MS = 30_000;
const TICKETS = 200;

/** What a ticket is for: the line to the engine, or the export of that name. */
export type TicketFor = 'engine' | `download:${string}`;

/** The launch tokens, sessions and tickets of one start. */
export interface Sessions {
  /** A token for one more link; `used` is called when it has opened its session. */
  newToken(used?: () => void): string;
  /** The secret of a new session, for a launch token that was not used yet; null for anything else. */
  open(token: string): string | null;
  /** Whether that is the secret of a session. */
  has(secret: string): boolean;
  newTicket(purpose: TicketFor): string;
  /** Whether that is a ticket for this; it is none afterwards. */
  takeTicket(ticket: string, purpose: TicketFor): boolean;
}

/** `clock`: milliseconds. */
export function createSessions(clock: () => number = Date.now): Sessions {
  const tokens = new Map<string, () => void>();
  const secrets = new Set<string>();
  const tickets = new Map<string, { readonly purpose: TicketFor; readonly until: number }>();
  return {
    newToken(used = () => {}) {
      const token = randomSecret();
      tokens.set(digest(token), used);
      return token;
    },
    open(token) {
      const used = tokens.get(digest(token));
      if (used === undefined) return null;
      tokens.delete(digest(token));
      used();
      const secret = randomSecret();
      secrets.add(digest(secret));
      return secret;
    },
    has: (secret) => secrets.has(digest(secret)),
    newTicket(purpose) {
      const ticket = randomSecret();
      tickets.set(digest(ticket), { purpose, until: clock() + TICKET_MS });
      // A page that asks for tickets and uses none of them.
      for (const oldest of [...tickets.keys()].slice(0, Math.max(0, tickets.size - TICKETS))) tickets.delete(oldest);
      return ticket;
    },
    takeTicket(ticket, purpose) {
      const found = tickets.get(digest(ticket));
      tickets.delete(digest(ticket));
      return found !== undefined && found.purpose === purpose && clock() <= found.until;
    },
  };
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

// Looked up by a digest: how long that takes says nothing of the secret.
function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
