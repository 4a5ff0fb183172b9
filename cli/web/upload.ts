// A browser does not tell where a chosen file is, so the page sends its bytes. They stay below the library's folder
// until the host closes, so that an import can be resumed.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Streams a request's body into a file below the library's folder and answers `{path}`. */
export async function receiveUpload(
  dir: string,
  name: string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const folder = join(uploadsOf(dir), randomUUID());
  await mkdir(folder, { recursive: true });
  const path = join(folder, safeName(name));
  try {
    await pipeline(request, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (request.destroyed && !request.complete) return; // the browser went away: nobody is left to answer
    throw error;
  }
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ path }));
}

/** Deletes all uploads of a library. */
export async function clearUploads(dir: string): Promise<void> {
  await rm(uploadsOf(dir), { recursive: true, force: true });
}

function uploadsOf(dir: string): string {
  return join(dir, 'uploads');
}

/** A file name that every file system takes and that stays in its folder. */
export function safeName(name: string | null): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .replace(/[\u0000-\u001f<>:"|?*]/g, '_')
    .replace(/^\.+/, '')
    .slice(-120);
  return clean === '' ? 'upload' : clean;
}
