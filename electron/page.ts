import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocol, type Session } from 'electron';
import { APP_SCHEME } from '../core/protocol/host.ts';
import { assetSegments, contentTypeOf, securityHeaders } from '../core/protocol/page.ts';

/** Makes the app's scheme a proper origin. Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the built renderer, and nothing else, under the app's scheme. */
export function serveApp(session: Session): void {
  const root = join(import.meta.dirname, '..', 'renderer');
  session.protocol.handle(APP_SCHEME, (request) => answer(root, request));
}

async function answer(root: string, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const segments = url.host === 'app' && request.method === 'GET' ? assetSegments(url.pathname) : null;
  const type = segments === null ? null : contentTypeOf(segments.at(-1) ?? '');
  if (segments === null || type === null) return refused();
  try {
    const body = await readFile(join(root, ...segments));
    return new Response(new Uint8Array(body), { headers: { ...securityHeaders(), 'Content-Type': type } });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return refused();
    throw error;
  }
}

function refused(): Response {
  return new Response('not found', { status: 404, headers: { ...securityHeaders(), 'Content-Type': 'text/plain' } });
}
