// Where a what-if leaves: in place of the selected message or after it, or after all of them.
import type { Selection } from '../state/types.ts';

/** In place of a message = it and all after it are left out. */
export type ForkSide = 'instead' | 'after';

/** The first message that is not the parent's. */
export function forkPlace(index: number | null, side: ForkSide, messages: number): number {
  if (index === null) return messages;
  return Math.min(side === 'instead' ? index : index + 1, messages);
}

/** The message a what-if is made at; null = after all of them. */
export function forkIndex(selection: Selection | null): number | null {
  return selection?.kind === 'message' ? selection.index : null;
}

/** What the new transcript will hold, in words. */
export function describeFork(at: number, messages: number): string {
  const kept = at === 0 ? 'no message' : at === 1 ? 'message #0' : `messages #0 – #${at - 1}`;
  const left = messages - at;
  const rest = left === 0 ? '' : `; ${left === 1 ? 'the one' : `the ${left}`} from #${at} on stay with the parent`;
  return `Begins with ${kept} of this transcript, then yours${rest}.`;
}
