import type { PartPlace } from '../../model/exchanges.ts';
import { originOf } from '../../view/origins.ts';
import type { ViewItem } from '../../view/types.ts';

/** True if a part of an item is this part of the transcript: in its own message, or in one that was moved whole. */
export function isOriginal(item: ViewItem, part: number, first: PartPlace): boolean {
  if (item.kind === 'source' ? item.index !== first.message : !isMoved(item, first.message)) return false;
  return originOf(item, part).some((raw) => raw.message === first.message && raw.part === first.part);
}

/** True if an item that no one wrote is one message of the transcript, put in another place. */
export function isMoved({ origins }: ViewItem, message: number): boolean {
  return origins !== undefined && origins.length > 0 && origins.flat().every((raw) => raw.message === message);
}

/** The other messages that an item holds parts of: turns merged into it. */
export function mergedInto(item: ViewItem, part: number): readonly number[] {
  const own = item.kind === 'source' ? item.index : null;
  return originOf(item, part).flatMap(({ message }) => (message === own ? [] : [message]));
}
