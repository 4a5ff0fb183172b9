// The session of a page served on 127.0.0.1. The launch token comes in the address's fragment, opens the session once, and
// leaves the address bar. The session's secret is kept for this tab and sent in a header, never in a cookie: browsers send
// cookies to every server on this machine, whatever its port. Another tab of the same address asks this one for it.
import type { GivenFile } from '../../core/protocol/files.ts';

const KEPT = 'parallax.session';
const OTHER_TABS_MS = 400;

/** The page has no session, and nobody to get one from. */
export class NoSessionError extends Error {
  override readonly name = 'NoSessionError';
  readonly code = 'host.no_session';
}

/** What the host answered to who has a session: its secret, the files to open that no page has received, and all it named. */
export interface WebSession {
  readonly secret: string;
  readonly files: readonly GivenFile[];
  readonly given: readonly GivenFile[];
}

/** Opens the session, or continues with the one of this tab or of another. Error: NoSessionError. */
export async function openSession(token: string | null): Promise<WebSession> {
  const opened = token === null ? null : await ask({ 'X-Parallax-Token': token }, null);
  const session = opened ?? (await goOn(kept())) ?? (await goOn(await fromOtherTab()));
  if (session === null) {
    throw new NoSessionError(
      'A link opens one session, and this one was used already or belongs to an earlier start. In the terminal where Parallax runs, press Enter for a new link; or start Parallax again.',
    );
  }
  keep(session.secret);
  shareWithTabs(session.secret);
  return session;
}

/** The token in the address, which is taken out of it; null if there is none. */
export function takeToken(): string | null {
  const token = tokenIn(location.hash);
  if (token !== null) history.replaceState(null, '', location.pathname);
  // A link pasted over the address of this page changes its fragment alone.
  window.addEventListener('hashchange', () => tokenIn(location.hash) !== null && location.reload());
  return token;
}

/** The header that shows that a request is of this session. */
export function sessionHeader(secret: string): Readonly<Record<string, string>> {
  return { Authorization: `Parallax ${secret}` };
}

/** A ticket for what cannot carry a header: the line to the engine, or (`download`) an export by its name. */
export async function askTicket(secret: string, download: string | null): Promise<string> {
  const query = download === null ? '' : `?download=${encodeURIComponent(download)}`;
  const answer = await fetch(`/ticket${query}`, { method: 'POST', headers: sessionHeader(secret) });
  if (answer.status === 401)
    throw new NoSessionError(
      'This page belongs to an earlier start of Parallax. Open the link that the terminal shows now.',
    );
  const ticket: unknown = answer.ok ? Reflect.get(Object(await answer.json()), 'ticket') : null;
  if (typeof ticket !== 'string') throw new Error(`The web host gave no ticket (${answer.status}).`);
  return ticket;
}

function tokenIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('token');
}

function goOn(secret: string | null): Promise<WebSession | null> {
  return secret === null ? Promise.resolve(null) : ask(sessionHeader(secret), secret);
}

async function ask(headers: Readonly<Record<string, string>>, known: string | null): Promise<WebSession | null> {
  const answer = await fetch('/session', { method: 'POST', headers });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The web host refused the session (${answer.status}).`);
  const value: unknown = await answer.json();
  const given: unknown = Reflect.get(Object(value), 'secret');
  const secret = typeof given === 'string' ? given : known;
  return secret === null ? null : { secret, files: filesIn(value, 'files'), given: filesIn(value, 'given') };
}

function filesIn(value: unknown, key: string): readonly GivenFile[] {
  const files: unknown = Reflect.get(Object(value), key);
  return Array.isArray(files) ? files.filter(isGivenFile) : [];
}

/** Whether that is a file as the host gives it. */
export function isGivenFile(value: unknown): value is GivenFile {
  const { handle, name }: Readonly<Record<string, unknown>> = Object(value);
  return typeof handle === 'string' && typeof name === 'string';
}

// A browser may refuse storage: then a reload needs a new link.
function kept(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function keep(secret: string): void {
  try {
    sessionStorage.setItem(KEPT, secret);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

// Only pages of this very address, port and all, hear each other here.
function shareWithTabs(secret: string): void {
  const channel = new BroadcastChannel(KEPT);
  channel.addEventListener('message', ({ data }) => data === 'ask' && channel.postMessage({ secret }));
}

function fromOtherTab(): Promise<string | null> {
  const channel = new BroadcastChannel(KEPT);
  return new Promise((resolve) => {
    const done = (secret: string | null): void => {
      channel.close();
      resolve(secret);
    };
    channel.addEventListener('message', ({ data }) => {
      const secret: unknown = Reflect.get(Object(data), 'secret');
      if (typeof secret === 'string') done(secret);
    });
    channel.postMessage('ask');
    setTimeout(done, OTHER_TABS_MS, null);
  });
}
