// Where a member ends whose size was not known when its header was written: after its bytes stands a descriptor with
// checksum and sizes. It is taken for one if the packed size in it is the number of bytes before it.

import { viewOf } from './headers.ts';

/** What a descriptor says, and how long it is. */
export interface FoundDescriptor {
  readonly crc: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly descriptorBytes: number;
}

const SIGNATURE = 0x08074b50;
const FIRST_BYTE = 0x50;
const BYTES = 16;
const BYTES_64 = 24;

/** Takes a member's bytes piece by piece until its descriptor has passed. */
export class DescriptorSeeker {
  readonly #last = new Uint8Array(BYTES_64);
  #count = 0;
  #found: FoundDescriptor | null = null;

  /** The descriptor, once it has passed. */
  get found(): FoundDescriptor | null {
    return this.#found;
  }

  /** How many of the bytes belong to the member, its descriptor included. */
  take(bytes: Uint8Array): number {
    for (let i = 0; i < bytes.length; i++) {
      this.#last.copyWithin(0, 1);
      this.#last[BYTES_64 - 1] = bytes[i] ?? 0;
      this.#count++;
      this.#found = this.#short() ?? this.#long();
      if (this.#found) return i + 1;
    }
    return bytes.length;
  }

  #short(): FoundDescriptor | null {
    const at = BYTES_64 - BYTES;
    const packed = this.#count - BYTES;
    if (this.#last[at] !== FIRST_BYTE || packed < 0) return null;
    const view = viewOf(this.#last);
    const unpacked = view.getUint32(at + 12, true);
    // Of a long one the second half of the packed size stands here: 0.
    const isShort = view.getUint32(at + 8, true) === packed && (unpacked > 0 || packed <= 2);
    if (view.getUint32(at, true) !== SIGNATURE || !isShort) return null;
    return { crc: view.getUint32(at + 4, true), packed, unpacked, descriptorBytes: BYTES };
  }

  #long(): FoundDescriptor | null {
    const packed = this.#count - BYTES_64;
    if (this.#last[0] !== FIRST_BYTE || packed < 0) return null;
    const view = viewOf(this.#last);
    if (view.getUint32(0, true) !== SIGNATURE || view.getBigUint64(8, true) !== BigInt(packed)) return null;
    const unpacked = Number(view.getBigUint64(16, true));
    return { crc: view.getUint32(4, true), packed, unpacked, descriptorBytes: BYTES_64 };
  }
}
