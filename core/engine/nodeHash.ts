import { createHash, type Hash } from 'node:crypto';
import { type HashPrimitive, hashStateOf, type Sha256 } from '../util/hash.ts';

/** SHA-256 by Node's native code: the same results as the pure one, many times faster. */
export const nodeSha256: Sha256 = () => hashStateOf(nodePrimitive(createHash('sha256')));

function nodePrimitive(hash: Hash): HashPrimitive {
  return {
    update: (text) => void hash.update(text, 'utf8'),
    clone: () => nodePrimitive(hash.copy()),
    digestHex: () => hash.digest('hex'),
  };
}
