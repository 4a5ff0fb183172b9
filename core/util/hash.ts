import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * A hash over text as UTF-8, fed in chunks. A lone surrogate counts as U+FFFD, as TextEncoder writes it; a pair may
 * be split between two chunks.
 */
export interface HashState {
  /** Takes in more text; returns itself. */
  update(chunk: string): HashState;
  /** An independent state with the same text so far: the way to hash many prefixes of one text in one pass. */
  copy(): HashState;
  /** The hash of the text so far, lower-case hexadecimal. The state can continue. */
  hex(): string;
}

/** Makes empty SHA-256 states; hosts may pass a faster one than the default (see core/engine/nodeHash.ts). */
export type Sha256 = () => HashState;

/** What an implementation supplies; the text of one call never ends within a surrogate pair. */
export interface HashPrimitive {
  update(text: string): void;
  clone(): HashPrimitive;
  /** The hash so far; called on a clone that is then thrown away. */
  digestHex(): string;
}

/** A HashState over an implementation: holds back a high surrogate at the end of a chunk until its other half is there. */
export function hashStateOf(primitive: HashPrimitive, held = ''): HashState {
  let high = held;
  const state: HashState = {
    update(chunk) {
      const text = high + chunk;
      high = endsWithHighSurrogate(text) ? text.slice(-1) : '';
      primitive.update(high === '' ? text : text.slice(0, -1));
      return state;
    },
    copy: () => hashStateOf(primitive.clone(), high),
    hex() {
      const last = primitive.clone();
      if (high !== '') last.update(high);
      return last.digestHex();
    },
  };
  return state;
}

function endsWithHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** SHA-256 in plain JavaScript, the same on every host. */
export const sha256: Sha256 = () => hashStateOf(noblePrimitive(nobleSha256.create()));

type NobleHash = ReturnType<typeof nobleSha256.create>;

function noblePrimitive(hash: NobleHash): HashPrimitive {
  return {
    update: (text) => void hash.update(utf8ToBytes(text)),
    clone: () => noblePrimitive(hash.clone()),
    digestHex: () => bytesToHex(hash.digest()),
  };
}

/** The SHA-256 of a text's UTF-8, 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return sha256().update(text).hex();
}
