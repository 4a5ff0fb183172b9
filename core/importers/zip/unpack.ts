// A member's bytes from its packed ones. Decompression itself is the host's, handed in: see docs/decisions/010.

import { countOf } from '../../util/counts.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { crc32 } from './crc32.ts';
import type { MemberHeader } from './headers.ts';

/** Compression methods a host is asked for. */
export type Packing = 'deflate' | 'zstd';

/** What a host says of bytes it could not unpack: more than `limit` of them, or damaged ones. */
export type UnpackFailure = { readonly kind: 'too_large' } | { readonly kind: 'damaged'; readonly message: string };

/** Unpacks raw deflate or zstd frames, giving up as soon as there are more than `limit` bytes. Must not throw for bad input. */
export type Unpack = (packing: Packing, packed: Uint8Array, limit: number) => Result<Uint8Array, UnpackFailure>;

/** Why a member could not be unpacked: what is said after its name. */
export type MemberFailure = {
  readonly code: 'import.zip_packing' | 'import.zip_too_large' | 'import.zip_damaged';
  readonly text: string;
};

const PACKINGS: Readonly<Record<number, Packing>> = { 8: 'deflate', 93: 'zstd' };
const OTHERS: Readonly<Record<number, string>> = { 9: 'deflate64', 12: 'bzip2', 14: 'LZMA', 95: 'xz', 98: 'PPMd' };

/** The member's own bytes, at most `limit`; `sound` = size and checksum are those of the header. */
export function unpackMember(
  member: MemberHeader,
  packed: Uint8Array,
  unpack: Unpack | undefined,
  limit: number,
): Result<{ readonly bytes: Uint8Array; readonly sound: boolean }, MemberFailure> {
  if (member.encrypted) return err({ code: 'import.zip_packing', text: 'is encrypted' });
  const bytes = raw(member, packed, unpack, limit);
  if (!bytes.ok) return bytes;
  const sound = bytes.value.length === member.unpacked && crc32(bytes.value) === member.crc;
  return ok({ bytes: bytes.value, sound });
}

function raw(
  { method, unpacked }: MemberHeader,
  packed: Uint8Array,
  unpack: Unpack | undefined,
  limit: number,
): Result<Uint8Array, MemberFailure> {
  if (unpacked > limit || (method === 0 && packed.length > limit)) return err(tooLarge(limit));
  if (method === 0) return ok(packed);
  const packing = PACKINGS[method];
  if (packing === undefined) {
    const name = OTHERS[method];
    const by = `compression method ${method}${name === undefined ? '' : ` (${name})`}`;
    return err({ code: 'import.zip_packing', text: `is packed by ${by}; deflate and zstd are read` });
  }
  if (!unpack) return err({ code: 'import.zip_packing', text: `is packed by ${packing}, which is not unpacked here` });
  const result = unpack(packing, packed, limit);
  if (result.ok) return result;
  if (result.error.kind === 'too_large') return err(tooLarge(limit));
  return err({ code: 'import.zip_damaged', text: `cannot be unpacked: ${result.error.message}` });
}

function tooLarge(limit: number): MemberFailure {
  return { code: 'import.zip_too_large', text: `unpacks to more than the ${countOf(limit, 'byte')} it may have` };
}
