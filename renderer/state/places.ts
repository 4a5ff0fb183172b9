// Where somebody is: transcript, mode, message, call point. What the address says, what a link leads to, and what back and
// forward go through.
import type { Link } from '../../core/protocol/link.ts';
import { MODES, type Mode } from './modes.ts';
import type { AppState } from './types.ts';

export interface Place {
  /** Null = no transcript is open. */
  readonly id: string | null;
  readonly mode: Mode | 'library';
  /** The selected message and its part; null = none is. */
  readonly message: number | null;
  readonly part: number;
  /** Null = the next request. */
  readonly at: number | null;
}

/** A move by more messages than this is a step; shorter ones belong to reading. */
const NEAR = 10;

/** Where the person is now. */
export function placeOf({ session, ui, selection, projection }: AppState): Place {
  const chosen = selection?.kind === 'message' ? selection : null;
  return {
    id: session.id,
    mode: ui.libraryWide ? 'library' : ui.mode,
    message: chosen?.index ?? null,
    part: chosen?.part ?? 0,
    at: projection.at,
  };
}

/**
 * Whether going there is a step that back undoes: another transcript, another mode, or a jump of the selection or the call
 * point. What is less changes the step one is at, so that back leads to where a step was left. `messages` = of the transcript.
 */
export function isStep(from: Place, to: Place, messages: number): boolean {
  if (from.id !== to.id || from.mode !== to.mode) return true;
  const selected = from.message !== null && to.message !== null && Math.abs(from.message - to.message) > NEAR;
  return selected || Math.abs((from.at ?? messages) - (to.at ?? messages)) > NEAR;
}

export function isSamePlace(a: Place, b: Place): boolean {
  return a.id === b.id && a.mode === b.mode && a.message === b.message && a.part === b.part && a.at === b.at;
}

/** The link to a place; null where no transcript is open. */
export function linkTo({ id, mode, message, part, at }: Place): Link | null {
  if (id === null) return null;
  return {
    id,
    ...(message !== null && { message }),
    ...(message !== null && part > 0 && { part }),
    ...(at !== null && { at }),
    ...(mode !== 'timeline' && { mode }),
  };
}

/** Where a link leads; null = nowhere, as an address without one. */
export function placeOfLink(link: Link | null): Place {
  const mode = link?.mode === 'library' ? 'library' : (MODES.find((one) => one === link?.mode) ?? 'timeline');
  return {
    id: link?.id ?? null,
    mode,
    message: link?.message ?? null,
    part: link?.part ?? 0,
    at: link?.at ?? null,
  };
}
