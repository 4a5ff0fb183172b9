// The parts of the zip format (APPNOTE.TXT) that stand before a member's bytes. Archives are read front to back, by
// these local headers: the directory at the end, which a crashed run has not written, is not needed.

import { decodeUtf8 } from '../reading/byteText.ts';

/** How a member is packed, as its local header says. Sizes in bytes. */
export interface MemberHeader {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  /** Size and checksum follow the data, as they were not known when the header was written. */
  readonly streamed: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly unpacked: number;
}

/** Bytes of a local header before its name. */
export const FIXED_BYTES = 30;

const LOCAL = 0x04034b50;
const DIRECTORY: ReadonlySet<number> = new Set([0x02014b50, 0x06054b50, 0x06064b50, 0x08064b50]);
const UNKNOWN_32 = 0xffffffff;
const ZIP64_EXTRA = 1;

/** What the four bytes at the front of a part say: a member, the directory at the end of the archive, or neither. */
export function partKind(bytes: Uint8Array): 'member' | 'directory' | null {
  const signature = viewOf(bytes).getUint32(0, true);
  if (signature === LOCAL) return 'member';
  return DIRECTORY.has(signature) ? 'directory' : null;
}

/** Length of a local header with its name and extra fields, from its first FIXED_BYTES. */
export function headerLength(fixed: Uint8Array): number {
  const view = viewOf(fixed);
  return FIXED_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

/** Reads a whole local header. */
export function readHeader(bytes: Uint8Array): MemberHeader {
  const view = viewOf(bytes);
  const flags = view.getUint16(6, true);
  const nameEnd = FIXED_BYTES + view.getUint16(26, true);
  const sizes = { unpacked: view.getUint32(22, true), packed: view.getUint32(18, true) };
  return {
    name: decodeUtf8(bytes.subarray(FIXED_BYTES, nameEnd)).text,
    method: view.getUint16(8, true),
    encrypted: (flags & 1) !== 0,
    streamed: (flags & 8) !== 0,
    crc: view.getUint32(14, true),
    ...zip64Sizes(bytes.subarray(nameEnd), sizes),
  };
}

// Sizes of 4 GiB and more are in an extra field; there only those that are marked as unknown in the header.
function zip64Sizes(extra: Uint8Array, sizes: Pick<MemberHeader, 'packed' | 'unpacked'>): typeof sizes {
  const view = viewOf(extra);
  let { packed, unpacked } = sizes;
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64_EXTRA) continue;
    let field = at + 4;
    const next = (size: number): number => {
      if (size !== UNKNOWN_32 || field + 8 > extra.length) return size;
      field += 8;
      return Number(view.getBigUint64(field - 8, true));
    };
    unpacked = next(unpacked);
    packed = next(packed);
  }
  return { packed, unpacked };
}

/** The names of the members whose headers stand whole at the front of an archive, as far as one leads to the next. */
export function memberNames(bytes: Uint8Array): string[] {
  const names: string[] = [];
  let at = 0;
  while (at + FIXED_BYTES <= bytes.length && partKind(bytes.subarray(at)) === 'member') {
    const length = headerLength(bytes.subarray(at));
    if (at + length > bytes.length) break;
    const { name, packed, streamed } = readHeader(bytes.subarray(at, at + length));
    names.push(name);
    if (streamed) break;
    at += length + packed;
  }
  return names;
}

/** A view of just these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
