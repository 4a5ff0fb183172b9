// The last search: over the bytes that would leave, decoded. What it finds stops them.
import type { JsonPath } from '../model/message.ts';
import { jsonStrings } from './json.ts';
import type { Scrubber } from './scrubber.ts';

/** Something that should have been masked and is still in a finished text. Holds no value. */
export interface Leak {
  readonly kind: string;
  readonly path: JsonPath;
}

/** What is left in a finished JSON text; empty = it may leave. A step for each thousand strings. */
export function* leaksIn(scrubber: Scrubber, text: string): Generator<void, readonly Leak[]> {
  const leaks: Leak[] = [];
  let count = 0;
  for (const string of jsonStrings(text)) {
    for (const { kind } of scrubber.remaining(text.slice(string.start, string.end), string)) {
      leaks.push({ kind, path: string.path });
    }
    if (++count % 1_000 === 0) yield;
  }
  return leaks;
}

/** Where it is, as people read it: `raw.messages[3].content[0].text`. */
export function leakPlace({ path }: Leak): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
}
