// Splits a zip archive, as it streams in, into its members: one record each. Only the member being read is held. A
// record's text is what the member holds; its bytes are those in the file, so records and fillers (headers, the
// directory at the end) together are the file, as with every other splitter.

import type { SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import { countOf } from '../../util/counts.ts';
import { ByteCollector, decodeUtf8, hexBytes, MAX_RECORD_BYTES, NEWLINE } from '../reading/byteText.ts';
import type { RecordSink } from '../reading/documentSplitter.ts';
import { parsePythonJson, replacedProblem } from '../reading/pythonJson.ts';
import { DescriptorSeeker } from './descriptor.ts';
import { FIXED_BYTES, headerLength, type MemberHeader, partKind, readHeader } from './headers.ts';
import { type MemberFailure, type Unpack, unpackMember } from './unpack.ts';

/** How much may come out of an archive: bytes of one member, and of all together `slack` + `ratio` × bytes read. */
export interface ZipLimits {
  readonly member: number;
  readonly slack: number;
  readonly ratio: number;
}

/** A log of repeated histories packs to a fiftieth; what packs to less than 1/250 all along is made to fill a disk. */
export const ZIP_LIMITS: ZipLimits = { member: MAX_RECORD_BYTES, slack: 256 * 1024 * 1024, ratio: 250 };

/** What a splitter of archives needs besides a sink; without `unpack` only members that are not packed are read. */
export interface ZipOptions {
  readonly unpack?: Unpack | undefined;
  readonly limits?: ZipLimits;
}

type Mode = 'header' | 'data' | 'streamed' | 'directory' | 'lost';

const SIGNATURE_BYTES = 4;
const MEMBER_START = [0x50, 0x4b, 0x03, 0x04] as const;
const DIRECTORY_END = [0x50, 0x4b, 0x05, 0x06] as const;
const DIRECTORY_END_BYTES = 18;
const NONE = new Uint8Array(0);

/** Push the bytes of an archive, then end(). Members come in order; a name's last part may be in several. */
export class ZipSplitter {
  readonly #sink: RecordSink;
  readonly #unpack: Unpack | undefined;
  readonly #limits: ZipLimits;
  readonly #data = new ByteCollector(MAX_RECORD_BYTES);
  #mode: Mode = 'header';
  // A part's first bytes, until they are enough to say what it is: its signature, fixed fields, name.
  #held: Uint8Array = NONE;
  #need = SIGNATURE_BYTES;
  #member: MemberHeader | null = null;
  #left = 0;
  #seeker: DescriptorSeeker | null = null;
  #seen = 0;
  #afterDirectory = -1;
  #offset = 0;
  #line = 1;
  #start = { byte: 0, line: 1 };
  #unpackedBytes = 0;

  constructor(sink: RecordSink, { unpack, limits = ZIP_LIMITS }: ZipOptions = {}) {
    this.#sink = sink;
    this.#unpack = unpack;
    this.#limits = limits;
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      const taken = this.#step(chunk.subarray(at));
      for (let i = at; i < at + taken; i++) if (chunk[i] === NEWLINE) this.#line++;
      at += taken;
      this.#offset += taken;
      this.#settle();
    }
  }

  end(): void {
    const where = { line: this.#line, byteStart: this.#offset, byteEnd: this.#offset };
    if (this.#mode === 'data' || this.#mode === 'streamed') this.#endInside();
    else if (this.#mode === 'header' && this.#held.length > 0) this.#cutOff(where, 'a member was to begin');
    else if (this.#mode === 'header') this.#cutOff(where, 'its directory was to begin');
    else if (this.#mode === 'directory' && this.#afterDirectory < DIRECTORY_END_BYTES)
      this.#cutOff(where, 'its directory stands');
  }

  // Takes the front of the bytes; how many.
  #step(bytes: Uint8Array): number {
    switch (this.#mode) {
      case 'header':
        return this.#inHeader(bytes);
      case 'data': {
        const piece = bytes.subarray(0, this.#left);
        this.#data.add(piece);
        this.#left -= piece.length;
        return piece.length;
      }
      case 'streamed':
        return this.#inStreamed(bytes);
      case 'directory':
        return this.#inDirectory(bytes);
      case 'lost':
        return this.#inLost(bytes);
    }
  }

  #inHeader(bytes: Uint8Array): number {
    const piece = this.#filler(bytes.subarray(0, this.#need - this.#held.length));
    const held = new Uint8Array(this.#held.length + piece.length);
    held.set(this.#held);
    held.set(piece, this.#held.length);
    this.#held = held;
    return piece.length;
  }

  #inStreamed(bytes: Uint8Array): number {
    const taken = this.#seeker?.take(bytes) ?? bytes.length;
    this.#data.add(bytes.subarray(0, taken));
    return taken;
  }

  #inDirectory(bytes: Uint8Array): number {
    for (const byte of this.#filler(bytes)) {
      if (this.#afterDirectory >= 0) this.#afterDirectory++;
      else if (this.#sees(byte, DIRECTORY_END)) this.#afterDirectory = 0;
    }
    return bytes.length;
  }

  // What stands here is not part of an archive: passed over up to where a member seems to begin.
  #inLost(bytes: Uint8Array): number {
    for (const [i, byte] of bytes.entries()) {
      if (!this.#sees(byte, MEMBER_START)) continue;
      this.#mode = 'header';
      this.#held = Uint8Array.from(MEMBER_START);
      this.#need = FIXED_BYTES;
      return this.#filler(bytes.subarray(0, i + 1)).length;
    }
    return this.#filler(bytes).length;
  }

  #sees(byte: number, signature: readonly number[]): boolean {
    this.#seen = byte === signature[this.#seen] ? this.#seen + 1 : byte === signature[0] ? 1 : 0;
    if (this.#seen < signature.length) return false;
    this.#seen = 0;
    return true;
  }

  #filler(bytes: Uint8Array): Uint8Array {
    if (bytes.length > 0) this.#sink.filler({ byteStart: this.#offset, bytes });
    return bytes;
  }

  // Continues to the next part, if what is wanted of this one is there.
  #settle(): void {
    if (this.#mode === 'header' && this.#held.length === this.#need) this.#headerRead();
    if (this.#mode === 'data' && this.#left === 0) this.#deliver(this.#data.take(), this.#offset);
    else if (this.#mode === 'streamed' && this.#seeker?.found) this.#endStreamed(this.#seeker.found);
  }

  #headerRead(): void {
    const held = this.#held;
    if (held.length === SIGNATURE_BYTES) {
      const kind = partKind(held);
      if (kind === 'member') this.#need = FIXED_BYTES;
      else if (kind === 'directory') this.#beginDirectory(held);
      else this.#loseTrack();
      return;
    }
    if (held.length === FIXED_BYTES && this.#need === FIXED_BYTES) this.#need = headerLength(held);
    if (held.length < this.#need) return;
    this.#member = readHeader(held);
    this.#held = NONE;
    this.#start = { byte: this.#offset, line: this.#line };
    this.#mode = this.#member.streamed ? 'streamed' : 'data';
    this.#left = this.#member.packed;
    this.#seeker = this.#member.streamed ? new DescriptorSeeker() : null;
  }

  #beginDirectory(signature: Uint8Array): void {
    this.#mode = 'directory';
    this.#held = NONE;
    this.#seen = 0;
    this.#afterDirectory = signature[2] === DIRECTORY_END[2] ? 0 : -1;
  }

  #loseTrack(): void {
    const byteStart = this.#offset - SIGNATURE_BYTES;
    const found = hexBytes(this.#held, 0, SIGNATURE_BYTES);
    const text = `The zip archive is damaged at byte ${byteStart}: a member should begin there, but found ${found}. Reading continued at the next member.`;
    const where = { line: this.#line, byteStart, byteEnd: this.#offset };
    this.#sink.problem({ code: 'import.zip_damaged', severity: 'error', text, where });
    this.#mode = 'lost';
    this.#seen = 0;
    this.#held = NONE;
  }

  #endStreamed(found: NonNullable<DescriptorSeeker['found']>): void {
    const all = this.#data.take();
    const end = this.#offset - found.descriptorBytes;
    const { crc, packed, unpacked } = found;
    if (this.#member) this.#member = { ...this.#member, crc, packed, unpacked };
    if (all) this.#sink.filler({ byteStart: end, bytes: all.subarray(packed) });
    this.#deliver(all === null ? null : all.slice(0, packed), end);
  }

  #deliver(packed: Uint8Array | null, byteEnd: number): void {
    const member = this.#member;
    this.#next();
    // A folder's own entry holds nothing.
    if (!member || (member.name.endsWith('/') && member.packed === 0)) return;
    const where = { line: this.#start.line, byteStart: this.#start.byte, byteEnd };
    const place = { ...where, path: [member.name] };
    const bytes = packed === null ? {} : { bytes: packed };
    const read = packed === null ? tooLong() : this.#unpacked(member, packed);
    if ('code' in read) {
      const text = `The member ${member.name} of the archive ${read.text}; it was left out, all others were read.`;
      this.#sink.problem({ code: read.code, severity: 'error', text, where });
      const error = { message: read.text, column: 1 };
      this.#sink.broken({ text: '', ...bytes, value: undefined, error, ...place });
      return;
    }
    if (!read.sound) {
      const text = `The member ${member.name} of the archive does not have the size and checksum noted for it: what was read of it may be wrong.`;
      this.#sink.problem({ code: 'import.zip_damaged', severity: 'error', text, where });
    }
    this.#sink.record({ ...this.#reading(member, read.bytes, where), ...bytes, ...place });
  }

  #unpacked(member: MemberHeader, packed: Uint8Array): MemberFailure | { bytes: Uint8Array; sound: boolean } {
    const { member: most, slack, ratio } = this.#limits;
    const left = slack + ratio * this.#offset - this.#unpackedBytes;
    const result = unpackMember(member, packed, this.#unpack, Math.max(0, Math.min(most, left)));
    if (!result.ok) return result.error;
    this.#unpackedBytes += result.value.bytes.length;
    return result.value;
  }

  #reading(
    member: MemberHeader,
    bytes: Uint8Array,
    where: NonNullable<Problem['where']>,
  ): Pick<SourceRecord, 'text' | 'value' | 'error'> {
    const decoded = decodeUtf8(bytes);
    if (decoded.badAt !== null) {
      const text = `Invalid UTF-8 (${hexBytes(bytes, decoded.badAt, 8)}) in the member ${member.name}; the bytes read as U+FFFD.`;
      this.#sink.problem({ code: 'import.invalid_utf8', severity: 'warning', text, where });
    }
    if (!member.name.endsWith('.json')) return { text: decoded.text, value: undefined };
    const { replaced, ...reading } = parsePythonJson(decoded.text);
    if (replaced > 0) this.#sink.problem(replacedProblem(replaced, where));
    return reading;
  }

  #next(): void {
    this.#mode = 'header';
    this.#held = NONE;
    this.#need = SIGNATURE_BYTES;
    this.#member = null;
    this.#seeker = null;
  }

  #endInside(): void {
    const { byte, line } = this.#start;
    const where = { line, byteStart: byte, byteEnd: this.#offset };
    const name = this.#member?.name ?? '';
    this.#cutOff(where, `the member ${name} stands`);
    const bytes = this.#data.take();
    const error = { message: 'the archive ends within this member', column: 1 };
    const exact = bytes === null ? {} : { bytes };
    this.#sink.broken({ text: '', ...exact, value: undefined, error, ...where, path: [name] });
  }

  #cutOff(where: NonNullable<Problem['where']>, what: string): void {
    const text = `The zip archive ends where ${what}: the file was cut off or is still being written. All members before that were read.`;
    this.#sink.problem({ code: 'import.truncated', severity: 'error', text, where });
  }
}

function tooLong(): MemberFailure {
  return { code: 'import.zip_too_large', text: `is packed in more than ${countOf(MAX_RECORD_BYTES, 'byte')}` };
}
