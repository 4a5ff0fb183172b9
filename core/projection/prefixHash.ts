// `sha256:` + hash of the canonical JSON of the projected messages. Canonical per message, hashed in order: so an
// unchanged prefix is not read again. Source: spec of the projection, "The prefix hash".
import type { TranscriptSource } from '../model/transcript.ts';
import { type HashState, sha256 as plainSha256, type Sha256 } from '../util/hash.ts';
import { canonicalJson } from '../util/json/index.ts';
import { itemText } from '../view/reader.ts';
import type { View, ViewItem } from '../view/types.ts';

/** Messages between two states that a cache keeps. */
const STRIDE = 64;

/**
 * What is known of the last view hashed: its items, and the hash's state before every 64th. Keep one per transcript;
 * a view that begins like the last one is hashed from where they part. Holds no texts.
 */
export class PrefixHashCache {
  #items: readonly ViewItem[] = [];
  #states: HashState[] = [];

  /** The state before position `from`, the last one kept within the common beginning. */
  resume(items: readonly ViewItem[], fresh: () => HashState): { from: number; state: HashState } {
    const common = commonLength(this.#items, items);
    const slot = Math.min(Math.floor(common / STRIDE), this.#states.length - 1);
    const state = this.#states[slot];
    this.#items = items;
    this.#states = this.#states.slice(0, Math.max(0, slot + 1));
    return state === undefined ? { from: 0, state: fresh() } : { from: slot * STRIDE, state: state.copy() };
  }

  /** Offers the state before `position`; kept if it is one to resume from. */
  offer(position: number, state: HashState): void {
    if (position % STRIDE === 0 && position / STRIDE === this.#states.length) this.#states.push(state.copy());
  }
}

function commonLength(a: readonly ViewItem[], b: readonly ViewItem[]): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && sameItem(a[at], b[at])) at++;
  return at;
}

function sameItem(a: ViewItem | undefined, b: ViewItem | undefined): boolean {
  if (a === b) return true;
  if (a?.kind === 'source' && b?.kind === 'source') return a.index === b.index && a.text === b.text;
  return a?.kind === 'synthetic' && b?.kind === 'synthetic' && a.text === b.text;
}

/** The prefix hash of a view: `sha256:` and 64 hex digits. The cache only makes it faster. */
export function prefixHash(
  source: TranscriptSource,
  view: View,
  sha256: Sha256 = plainSha256,
  cache: PrefixHashCache = new PrefixHashCache(),
): string {
  const { from, state } = cache.resume(view.items, () => sha256().update('['));
  for (let position = from; position < view.items.length; position++) {
    cache.offer(position, state);
    const item = view.items[position];
    if (item === undefined) break;
    if (position > 0) state.update(',');
    state.update(canonicalJson(itemText(item, source)));
  }
  return `sha256:${state.copy().update(']').hex()}`;
}
