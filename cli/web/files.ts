import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { assetSegments, contentTypeOf } from '../../core/protocol/page.ts';

/** Sends a file of the built renderer; 404 for everything that the build cannot have made. */
export async function sendStatic(root: string, urlPath: string, response: ServerResponse): Promise<void> {
  const segments = assetSegments(urlPath);
  const type = segments === null ? null : contentTypeOf(segments.at(-1) ?? '');
  if (segments === null || type === null) return notFound(response);
  // Built files have their hash in the name; the page itself must be looked up again.
  const caching = segments[0] === 'assets' ? 'private, max-age=31536000, immutable' : 'no-cache';
  await sendFile(join(root, ...segments), { 'Content-Type': type, 'Cache-Control': caching }, response);
}

/** Sends an export by its name (see exportNamed) in the export folder, as a download. */
export async function sendDownload(folder: string, name: string, response: ServerResponse): Promise<void> {
  const headers = {
    // A page is saved like any other export, never shown at this address.
    'Content-Type': name.endsWith('.json') ? 'application/json; charset=utf-8' : 'application/octet-stream',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'Cache-Control': 'no-store',
  };
  await sendFile(join(folder, name), headers, response);
}

/** The name that a URL's segment asks for; null if no export can have it. */
export function exportNamed(encoded: string): string | null {
  try {
    const name = decodeURIComponent(encoded);
    // No file system takes longer names.
    if (Buffer.byteLength(name) > 255) return null;
    return name !== '' && !name.startsWith('.') && !/[/\\:\0]/.test(name) ? name : null;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

async function sendFile(path: string, headers: Record<string, string>, response: ServerResponse): Promise<void> {
  const size = await sizeOf(path);
  if (size === null) return notFound(response);
  response.writeHead(200, { ...headers, 'Content-Length': size });
  if (response.req.method === 'HEAD') response.end();
  else await pipeline(createReadStream(path), response);
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    await using file = await open(path);
    const stat = await file.stat();
    return stat.isFile() ? stat.size : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

export function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('not found\n');
}
