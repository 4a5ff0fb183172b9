import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import type { Unpack } from '../../importers/zip/unpack.ts';
import { err, ok } from '../../util/result.ts';

/** Unpacks members of zip archives by Node's zlib, within a limit of bytes. */
export const unpackZlib: Unpack = (packing, packed, limit) => {
  const options = { maxOutputLength: Math.max(limit, 1) };
  try {
    return ok(packing === 'deflate' ? inflateRawSync(packed, options) : zstdDecompressSync(packed, options));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return err({ kind: 'too_large' });
    if (!/^Z_|^ZSTD_/.test(error.code)) throw error;
    return err({ kind: 'damaged', message: error.message });
  }
};
