// A handle is the path itself, sealed: nobody without the key can read it, make one, or change one, and nothing has to
// be kept to open it, so that it outlives an engine that was started again. The key is made again at each start of a host.
import { createCipheriv, createDecipheriv, createHmac, randomUUID } from 'node:crypto';
import type { FileUse } from '../../protocol/files.ts';
import { isRecord, stringAt } from '../../util/unknown.ts';

const NONCE = 12;
const TAG = 16;

/** Makes handles of paths and paths of handles; both ends of a host have the same key of 32 bytes. */
export interface FileHandles {
  /** For reading always the same for the same path; for writing another each time. */
  give(path: string, use: FileUse): string;
  /** The path; null for whatever was not given for this use. A handle for writing can be taken once. */
  take(handle: string, use: FileUse): string | null;
}

/** The handles of one start of a host. */
export function createFileHandles(key: Uint8Array): FileHandles {
  const written = new Set<string>();
  return {
    give: (path, use) => seal(key, JSON.stringify({ path, use, ...(use === 'write' && { once: randomUUID() }) })),
    take(handle, use) {
      const text = unseal(key, handle);
      if (text === null || written.has(handle)) return null;
      const given: unknown = JSON.parse(text);
      if (!isRecord(given) || given.use !== use) return null;
      if (use === 'write') written.add(handle);
      return stringAt(given, 'path') ?? null;
    },
  };
}

// The nonce is made of the text: no two texts share one, and the same text gives the same handle.
function seal(key: Uint8Array, text: string): string {
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

function unseal(key: Uint8Array, handle: string): string | null {
  const bytes = Buffer.from(handle, 'base64url');
  // Letters that are not base64 are passed over by the decoder: only one spelling of a handle is a handle.
  if (bytes.length <= NONCE + TAG || bytes.toString('base64url') !== handle) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  const text = decipher.update(bytes.subarray(NONCE + TAG));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (error) {
    if (error instanceof Error) return null; // what the key did not seal
    throw error;
  }
}
