// Splits one JSON document, as it streams in, into the elements of the arrays a format names and a remainder. Only the
// element being read and the remainder are held. A byte machine: it tracks containers and strings and leaves all other
// checks to JSON.parse of the pieces, so a broken document gives what is whole and a problem.

import type { Filler, SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import { ByteCollector, decodeUtf8, hexBytes, MAX_RECORD_BYTES, NEWLINE } from './byteText.ts';
import { type PythonReading, parsePythonJson, replacedProblem } from './pythonJson.ts';
import { parseJson } from './record.ts';

/** What a splitter feeds. */
export interface RecordSink {
  record(record: SourceRecord): void;
  /** A stretch that holds no value: a cut-off element, or what follows the document. Its problem is reported as well. */
  broken(record: SourceRecord): void;
  /** What stands between elements, and white space around the document. */
  filler(filler: Filler): void;
  problem(problem: Problem): void;
}

// An open container outside of elements. `alive` = the patterns that still fit, all with `depth` steps matched.
interface Frame {
  readonly isArray: boolean;
  readonly alive: readonly (readonly string[])[];
  readonly depth: number;
  /** Its elements are records: they are cut out of the remainder. */
  readonly splits: boolean;
  index: number;
  key: string;
  expectKey: boolean;
}

type Mode = 'outer' | 'outerString' | 'key' | 'element' | 'elementString' | 'scalar' | 'trailing';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// Comma, closing brackets and JSON's white space. Other control bytes are part of a (broken) value: a stretch of NUL
// bytes is one, and cannot end a value before it began.
const ENDS_SCALAR: ReadonlySet<number> = new Set([0x2c, 0x5d, 0x7d, 0x20, 0x09, NEWLINE, 0x0d]);
const MAX_KEY_BYTES = 4096;
const TRUNCATED = { message: 'the document ends within this value', column: 1 };
const TRAILING = { message: 'this follows the end of the document', column: 1 };
const TOO_LONG = { message: 'the value is too long to be read as one record', column: 1 };

/**
 * `limit` = bytes of the longest element or remainder taken; a longer one becomes a record with an error. `readsNaN`: the
 * writer puts NaN and Infinity where numbers stand; they read as null.
 */
export interface DocumentOptions {
  readonly limit?: number;
  readonly readsNaN?: boolean;
}

/** Push the bytes of a document, then end(). Elements come in order, the remainder (path []) last. */
export class DocumentSplitter {
  readonly #patterns: readonly (readonly string[])[];
  readonly #sink: RecordSink;
  readonly #readsNaN: boolean;
  readonly #remainder: ByteCollector;
  readonly #element: ByteCollector;
  readonly #frames: Frame[] = [];
  #mode: Mode = 'outer';
  #escaped = false;
  #depth = 0;
  #keyBytes: number[] = [];
  #line = 1;
  #offset = 0;
  #elementStart = 0;
  #elementLine = 1;
  #started = false;
  #done = false;
  #trailing: { line: number; byte: number } | null = null;
  // The stretch of the current chunk that is being taken, from #from on: by the element, the remainder or nobody.
  #from = 0;

  constructor(patterns: readonly (readonly string[])[], sink: RecordSink, options: DocumentOptions = {}) {
    const { limit = MAX_RECORD_BYTES, readsNaN = false } = options;
    this.#readsNaN = readsNaN;
    this.#remainder = new ByteCollector(limit);
    this.#element = new ByteCollector(limit);
    this.#patterns = patterns;
    this.#sink = sink;
  }

  push(chunk: Uint8Array): void {
    this.#from = 0;
    let i = 0;
    while (i < chunk.length) i = this.#step(chunk, i);
    this.#flush(chunk, chunk.length);
    this.#offset += chunk.length;
  }

  end(): void {
    const rest = this.#takesElement || this.#trailing ? this.#element.take() : null;
    if (!this.#done) this.#endBroken(rest);
    else this.#deliver(this.#remainder.take(), 0, this.#offset, 1, []);
    if (this.#trailing) this.#endTrailing(this.#trailing.line, this.#trailing.byte, rest);
  }

  // Bytes that are read now belong to an element.
  get #takesElement(): boolean {
    return this.#mode === 'element' || this.#mode === 'elementString' || this.#mode === 'scalar';
  }

  #endTrailing(line: number, byteStart: number, bytes: Uint8Array | null): void {
    const where = { line, byteStart, byteEnd: this.#offset };
    const text = `There is more text after the end of the JSON document (line ${line}); it was not read.`;
    this.#sink.problem({ code: 'import.trailing_text', severity: 'error', text, where });
    this.#sink.broken({ ...exactText(bytes), value: undefined, error: TRAILING, ...where, path: [] });
  }

  #step(chunk: Uint8Array, i: number): number {
    switch (this.#mode) {
      case 'outer':
        return this.#outer(chunk, i);
      case 'outerString':
      case 'key':
      case 'elementString':
        return this.#string(chunk, i);
      case 'element':
        return this.#inElement(chunk, i);
      case 'scalar':
        return this.#inScalar(chunk, i);
      case 'trailing':
        return chunk.length;
    }
  }

  #string(chunk: Uint8Array, start: number): number {
    let i = start;
    if (this.#escaped) {
      this.#escaped = false;
      if (this.#mode === 'key') this.#addKeyByte(chunk[i] ?? 0);
      i++;
    }
    for (; i < chunk.length; i++) {
      const c = chunk[i];
      if (c === QUOTE) {
        this.#endString(chunk, i + 1);
        return i + 1;
      }
      if (c === NEWLINE) this.#line++;
      if (this.#mode === 'key') this.#addKeyByte(c ?? 0);
      if (c === BACKSLASH) {
        this.#escaped = true;
        return i + 1;
      }
    }
    return i;
  }

  #addKeyByte(byte: number): void {
    if (this.#keyBytes.length < MAX_KEY_BYTES) this.#keyBytes.push(byte);
  }

  #endString(chunk: Uint8Array, end: number): void {
    if (this.#mode === 'elementString') {
      this.#mode = 'element';
      if (this.#depth === 0) this.#endElement(chunk, end);
      return;
    }
    if (this.#mode === 'key') {
      const frame = this.#frames.at(-1);
      const parsed = parseJson(`"${decodeUtf8(new Uint8Array(this.#keyBytes)).text}"`);
      if (frame) frame.key = typeof parsed.value === 'string' ? parsed.value : '';
    }
    this.#mode = 'outer';
  }

  #outer(chunk: Uint8Array, i: number): number {
    const c = chunk[i];
    switch (c) {
      case NEWLINE:
        this.#line++;
        return i + 1;
      case 0x20:
      case 0x09:
      case 0x0d:
        return i + 1;
    }
    if (this.#done) return this.#beginTrailing(chunk, i);
    switch (c) {
      case 0x2c: // ,
        this.#nextChild();
        return i + 1;
      case 0x3a: // :
        return i + 1;
      case 0x7d: // }
      case 0x5d: // ]
        this.#close(chunk, i);
        return i + 1;
    }
    return this.#value(chunk, i, c ?? 0);
  }

  #nextChild(): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    if (frame.isArray) frame.index++;
    else frame.expectKey = true;
  }

  #value(chunk: Uint8Array, i: number, c: number): number {
    const frame = this.#frames.at(-1);
    if (!this.#started && (c === 0xef || c === 0xbb || c === 0xbf)) {
      this.#flush(chunk, i);
      this.#skip(chunk, i + 1); // byte order mark
      return i + 1;
    }
    this.#started = true;
    if (frame?.expectKey && c === QUOTE) {
      frame.expectKey = false;
      this.#keyBytes = [];
      this.#mode = frame.alive.length > 0 ? 'key' : 'outerString';
      return i + 1;
    }
    if (frame?.splits) return this.#beginElement(chunk, i, c);
    if (c === QUOTE) this.#mode = 'outerString';
    else if (c === 0x7b || c === 0x5b) this.#open(chunk, i, c === 0x5b);
    return i + 1;
  }

  #open(chunk: Uint8Array, i: number, isArray: boolean): void {
    const parent = this.#frames.at(-1);
    const depth = parent ? parent.depth + 1 : 0;
    const step = parent ? (parent.isArray ? '*' : parent.key) : null;
    const parentAlive = parent ? parent.alive : this.#patterns;
    const alive = step === null ? parentAlive : parentAlive.filter((pattern) => pattern[depth - 1] === step);
    const splits = isArray && alive.some((pattern) => pattern.length === depth + 1 && pattern[depth] === '*');
    this.#frames.push({ isArray, alive, depth, splits, index: 0, key: '', expectKey: !isArray });
    if (splits) {
      this.#remainder.add(chunk.subarray(this.#from, i + 1));
      this.#from = i + 1;
    }
  }

  #close(chunk: Uint8Array, i: number): void {
    const frame = this.#frames.pop();
    if (frame?.splits) this.#skip(chunk, i);
    // A closing bracket that opens the file closes nothing.
    if (this.#frames.length > 0 || !this.#started) return;
    this.#remainder.add(chunk.subarray(this.#from, i + 1));
    this.#from = i + 1;
    this.#done = true;
  }

  #beginTrailing(chunk: Uint8Array, i: number): number {
    this.#flush(chunk, i);
    this.#trailing = { line: this.#line, byte: this.#offset + i };
    this.#mode = 'trailing';
    return chunk.length;
  }

  // Passes over the stretch [#from, to): it belongs to no record.
  #skip(chunk: Uint8Array, to: number): void {
    if (to > this.#from) {
      this.#sink.filler({ byteStart: this.#offset + this.#from, bytes: chunk.subarray(this.#from, to) });
    }
    this.#from = to;
  }

  #beginElement(chunk: Uint8Array, i: number, c: number): number {
    this.#flush(chunk, i);
    this.#elementStart = this.#offset + i;
    this.#elementLine = this.#line;
    this.#depth = 0;
    if (c === QUOTE) this.#mode = 'elementString';
    else if (c === 0x7b || c === 0x5b) this.#mode = 'element';
    else this.#mode = 'scalar';
    return c === QUOTE ? i + 1 : i;
  }

  #inElement(chunk: Uint8Array, start: number): number {
    for (let i = start; i < chunk.length; i++) {
      const c = chunk[i];
      if (c === QUOTE) {
        this.#mode = 'elementString';
        return i + 1;
      }
      if (c === 0x7b || c === 0x5b) this.#depth++;
      else if (c === 0x7d || c === 0x5d) {
        if (--this.#depth === 0) {
          this.#endElement(chunk, i + 1);
          return i + 1;
        }
      } else if (c === NEWLINE) this.#line++;
    }
    return chunk.length;
  }

  #inScalar(chunk: Uint8Array, start: number): number {
    for (let i = start; i < chunk.length; i++) {
      const c = chunk[i] ?? 0;
      if (ENDS_SCALAR.has(c)) {
        this.#endElement(chunk, i);
        return i;
      }
    }
    return chunk.length;
  }

  #endElement(chunk: Uint8Array, end: number): void {
    const bytes = this.#element.take(chunk.subarray(this.#from, end));
    this.#from = end;
    this.#mode = 'outer';
    this.#deliver(bytes, this.#elementStart, this.#offset + end, this.#elementLine, this.#path());
  }

  #path(): readonly (string | number)[] {
    return this.#frames.map((frame) => (frame.isArray ? frame.index : frame.key));
  }

  // Hands the stretch [#from, to) of the chunk to whoever is taking, and begins a new one.
  #flush(chunk: Uint8Array, to: number): void {
    const stretch = chunk.subarray(this.#from, to);
    if (this.#takesElement || this.#mode === 'trailing') this.#element.add(stretch);
    else if (!this.#frames.at(-1)?.splits && !this.#done) this.#remainder.add(stretch);
    else this.#skip(chunk, to);
    this.#from = to;
  }

  #deliver(
    bytes: Uint8Array | null,
    byteStart: number,
    byteEnd: number,
    line: number,
    path: SourceRecord['path'],
  ): void {
    const where = { line, byteStart, byteEnd };
    if (bytes === null) {
      this.#sink.record({ text: '', value: undefined, error: TOO_LONG, ...where, path });
      return;
    }
    const decoded = decodeUtf8(bytes);
    if (decoded.badAt !== null) {
      const text = `Invalid UTF-8 (${hexBytes(bytes, decoded.badAt, 8)}) in the value that begins on line ${line}; the bytes read as U+FFFD.`;
      this.#sink.problem({ code: 'import.invalid_utf8', severity: 'warning', text, where });
    }
    const { replaced, ...reading } = this.#read(decoded.text);
    if (replaced > 0) this.#sink.problem(replacedProblem(replaced, where));
    const exact = decoded.badAt === null && replaced === 0 ? {} : { bytes };
    this.#sink.record({ ...reading, ...exact, ...where, path });
  }

  #read(text: string): PythonReading {
    return this.#readsNaN ? parsePythonJson(text) : { text, ...parseJson(text), replaced: 0 };
  }

  // The document stops inside. What was whole has been delivered; the remainder is closed so that it can be read.
  #endBroken(element: Uint8Array | null): void {
    const inside = this.#takesElement;
    const line = inside ? this.#elementLine : this.#line;
    const where = { line: this.#line, byteStart: inside ? this.#elementStart : this.#offset, byteEnd: this.#offset };
    const text = `The document ends in the middle (line ${this.#line}): the file was cut off or is still being written. What is whole before that was read.`;
    this.#sink.problem({ code: 'import.truncated', severity: 'error', text, where });
    if (inside) {
      const path = this.#path();
      this.#sink.broken({ ...exactText(element), value: undefined, error: TRUNCATED, ...where, line, path });
    }
    const closers = this.#frames.map((frame) => (frame.isArray ? ']' : '}')).reverse();
    const bytes = this.#remainder.take() ?? new Uint8Array(0);
    const head = decodeUtf8(bytes).text.trimEnd();
    const closed = `${head.replace(/,$/, '')}${closers.join('')}`;
    const { replaced: _replaced, ...parsed } = this.#read(closed);
    const kept = parsed.error ? { ...parsed, text: head } : parsed;
    this.#sink.record({ ...kept, bytes, line: 1, byteStart: 0, byteEnd: this.#offset, path: [] });
  }
}

/** Bytes as the text of a record, and themselves where the text is not them; of what was too long nothing is left. */
function exactText(bytes: Uint8Array | null): Pick<SourceRecord, 'text' | 'bytes'> {
  const decoded = decodeUtf8(bytes ?? new Uint8Array(0));
  return { text: decoded.text, ...(decoded.badAt === null || bytes === null ? {} : { bytes }) };
}
