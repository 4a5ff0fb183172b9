import { createHash, type Hash, hash } from 'node:crypto';
import { type HashPrimitive, hashStateOf, type Sha256 } from '../util/hash.ts';

/** SHA-256 by Node's native code: the same results as the pure one, many times faster. */
export const nodeSha256: Sha256 = () => hashStateOf(new NodePrimitive());

/** Most hashes are of one text: it is hashed at once, without a state that is made, copied and thrown away. */
class NodePrimitive implements HashPrimitive {
  #only = '';
  #state: Hash | null = null;

  update(text: string): void {
    if (this.#state === null && this.#only === '') {
      this.#only = text;
      return;
    }
    this.#state ??= createHash('sha256').update(this.#only, 'utf8');
    this.#only = '';
    this.#state.update(text, 'utf8');
  }

  clone(): HashPrimitive {
    const copy = new NodePrimitive();
    copy.#only = this.#only;
    copy.#state = this.#state?.copy() ?? null;
    return copy;
  }

  digestHex(): string {
    return this.#state === null ? hash('sha256', this.#only, 'hex') : this.#state.digest('hex');
  }
}
