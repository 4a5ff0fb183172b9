import type { TranscriptSource } from '../model/transcript.ts';
import type { Sha256 } from '../util/hash.ts';
import { canonicalJson } from '../util/json/index.ts';
import { itemText } from './reader.ts';
import { PAUSE, PAUSE_EVERY, type Pausing, type View } from './types.ts';

/** The prefix hash of a view, `sha256:` and 64 hex digits, as core/projection/prefixHash.ts gives it; it pauses. */
export function* viewHash({ items }: View, source: TranscriptSource, sha256: Sha256): Pausing<string> {
  const state = sha256().update('[');
  for (const [position, item] of items.entries()) {
    if (position > 0) state.update(',');
    state.update(canonicalJson(itemText(item, source)));
    if (position % PAUSE_EVERY === PAUSE_EVERY - 1) yield PAUSE;
  }
  return `sha256:${state.update(']').hex()}`;
}
