// Which part is which in a message that the user's code returned changed. The code does not say; what it returned does: a
// part of the same value is the same part. Of those left, as many and of the same kinds in order, each has other words.
import { valueAt } from '../../model/partText.ts';
import { readMessage } from '../../model/readMessage.ts';
import { canonicalJson } from '../../util/json/index.ts';
import type { PartMap } from '../../view/origins.ts';

interface Read {
  readonly kind: string;
  readonly value: string;
}

/** The map from the message given to the code to the one that it returned. JSON texts of objects. */
export function mapByValue(given: string, returned: string): PartMap {
  const [before, after] = [read(given), read(returned)];
  const used = new Set<number>();
  const map = after.map(({ value }): readonly number[] => {
    const at = before.findIndex((part, place) => !used.has(place) && part.value === value);
    if (at < 0) return [];
    used.add(at);
    return [at];
  });
  const left = before.flatMap((_, at) => (used.has(at) ? [] : [at]));
  const open = map.flatMap((from, at) => (from.length === 0 ? [at] : []));
  const isAlike = left.length === open.length && left.every((at, i) => before[at]?.kind === after[open[i] ?? -1]?.kind);
  if (!isAlike) return map;
  return map.map((from, at) => (from.length > 0 ? from : left.slice(open.indexOf(at), open.indexOf(at) + 1)));
}

function read(text: string): readonly Read[] {
  const message: unknown = JSON.parse(text);
  return readMessage(message).parts.map((part) => {
    const value = valueAt(message, part.path);
    return { kind: part.kind, value: value === undefined ? '' : canonicalJson(JSON.stringify(value)) };
  });
}
