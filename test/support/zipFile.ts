// Zip archives for tests, put together by hand so that they can be wrong in every way.
import { deflateRawSync, zstdCompressSync } from 'node:zlib';
import { crc32 } from '../../core/importers/zip/crc32.ts';

/** A member: its name, what it holds, and how. */
export interface ZipMember {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** 0 stored, 8 deflate (the default), 93 zstd; any other number is written down and the bytes stored. */
  readonly method?: number;
  /** Size and checksum after the data, as writers do that cannot go back. */
  readonly streamed?: boolean;
  /** Sizes in an extra field of 64 bits. */
  readonly zip64?: boolean;
  readonly encrypted?: boolean;
  readonly crc?: number;
}

/** The bytes of an archive; `directory: false` leaves out the end, as a crash does. */
export function zipFile(members: readonly ZipMember[], { directory = true } = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let at = 0;
  for (const member of members) {
    const bytes = memberBytes(member);
    parts.push(bytes);
    entries.push(directoryEntry(member, at));
    at += bytes.length;
  }
  if (!directory) return join(...parts);
  const list = join(...entries);
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, members.length], [2, members.length]);
  return join(...parts, list, end, numbers([4, list.length], [4, at], [2, 0]));
}

function memberBytes(member: ZipMember): Uint8Array {
  const { method = 8, streamed = false, zip64 = false } = member;
  const data = bytesOf(member.data);
  const packed = method === 8 ? deflateRawSync(data) : method === 93 ? zstdCompressSync(data) : data;
  const crc = member.crc ?? crc32(data);
  const sizes: readonly number[] = streamed ? [0, 0, 0] : [crc, packed.length, data.length];
  const wide = zip64 && !streamed;
  const extra = wide ? numbers([2, 1], [2, 16], [8, data.length], [8, packed.length]) : new Uint8Array(0);
  const name = bytesOf(member.name);
  const head = numbers([4, 0x04034b50], [2, 20], [2, flags(member)], [2, method], [4, 0], [4, sizes[0] ?? 0]);
  const sizeFields = numbers([4, wide ? 0xffffffff : (sizes[1] ?? 0)], [4, wide ? 0xffffffff : (sizes[2] ?? 0)]);
  const lengths = numbers([2, name.length], [2, extra.length]);
  const width = zip64 ? 8 : 4;
  const after = streamed
    ? numbers([4, 0x08074b50], [4, crc], [width, packed.length], [width, data.length])
    : new Uint8Array(0);
  return join(head, sizeFields, lengths, name, extra, packed, after);
}

function directoryEntry(member: ZipMember, at: number): Uint8Array {
  const name = bytesOf(member.name);
  const head = numbers([4, 0x02014b50], [2, 20], [2, 20], [2, flags(member)], [2, member.method ?? 8], [4, 0]);
  return join(head, numbers([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0], [8, 0], [2, 0], [4, at]), name);
}

function flags({ streamed = false, encrypted = false }: ZipMember): number {
  return (encrypted ? 1 : 0) | (streamed ? 8 : 0);
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? new TextEncoder().encode(data) : data;
}

/** Little-endian numbers of the given widths in bytes. */
function numbers(...fields: readonly (readonly [width: number, value: number])[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([width, value]) => Array.from({ length: width }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256)),
  );
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
