// A browser does not say where a chosen file is, so the page sends its bytes. They stay below the library's folder
// until the host closes, so that an import can be resumed: also after a host that was killed, whose uploads the next one
// takes over. Several hosts can run on one library; each deletes what is its own.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MAX_UPLOAD_BYTES } from '../../core/protocol/files.ts';

/** Where an upload is, or why it was not taken; null if the browser went away meanwhile. */
export type Received =
  | { readonly path: string; readonly name: string }
  | { readonly status: number; readonly reason: string }
  | null;

/** The uploads of one host. */
export interface Uploads {
  /** Streams a request's body into a file. */
  receive(name: string | null, request: IncomingMessage): Promise<Received>;
  /** Deletes the uploads of this host. */
  clear(): Promise<void>;
}

/** Says whose an upload folder is: the process, and which host of it. No upload is named so. */
const OWNER_FILE = '.host';
/** Left free on the disk: the library grows by what is imported. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** Takes over what hosts left that are gone. `maxBytes` = the longest file taken. */
export async function createUploads(dir: string, maxBytes = MAX_UPLOAD_BYTES): Promise<Uploads> {
  const root = join(dir, 'uploads');
  const own = `${process.pid} ${randomUUID()}`;
  for (const folder of await foldersIn(root)) {
    const owner = await ownerOf(folder);
    if (owner === null || !isRunning(owner)) await claim(folder, own);
  }
  const mine = join(root, randomUUID());
  return {
    async receive(name, request) {
      const refusal = await refuse(dir, Number(request.headers['content-length'] ?? 0), maxBytes);
      if (refusal !== null) return refusal;
      await mkdir(mine, { recursive: true, mode: 0o700 });
      await claim(mine, own);
      return store(join(mine, randomUUID()), safeName(name), request, maxBytes);
    },
    async clear() {
      for (const folder of await foldersIn(root)) {
        if ((await ownerOf(folder)) === own) await rm(folder, { recursive: true, force: true });
      }
      await rmdir(root).catch(() => {}); // another host's are in it, or there were none
    },
  };
}

async function refuse(dir: string, bytes: number, maxBytes: number): Promise<Received> {
  if (bytes > maxBytes) return tooLarge(maxBytes);
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize < bytes + RESERVE_BYTES ? { status: 507, reason: 'the disk has too little room for it' } : null;
}

function tooLarge(maxBytes: number): Received {
  return { status: 413, reason: `it is larger than ${Math.floor(maxBytes / 1024 ** 2).toLocaleString('en')} MB` };
}

async function store(folder: string, name: string, request: IncomingMessage, maxBytes: number): Promise<Received> {
  await mkdir(folder, { mode: 0o700 });
  const path = join(folder, name);
  let left = maxBytes;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      done(left < 0 ? new Error('too large') : null, chunk);
    },
  });
  try {
    await pipeline(request, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
    return { path, name };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (left < 0) return tooLarge(maxBytes);
    if (request.destroyed && !request.complete) return null;
    throw error;
  }
}

async function foldersIn(root: string): Promise<readonly string[]> {
  const names = await readdir(root, { withFileTypes: true }).catch(() => []); // none was made yet
  return names.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name));
}

function claim(folder: string, owner: string): Promise<void> {
  return writeFile(join(folder, OWNER_FILE), owner, { mode: 0o600 });
}

/** null = nobody's: of a version that had one folder for all hosts. */
async function ownerOf(folder: string): Promise<string | null> {
  return readFile(join(folder, OWNER_FILE), 'utf8').catch(() => null);
}

function isRunning(owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
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
