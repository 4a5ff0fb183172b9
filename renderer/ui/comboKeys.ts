/** What a combobox is in when a key is pressed. */
export interface ComboState {
  /** `popup`: a list that opens and closes; `shown`: one that stands on the screen whatever is typed. */
  readonly list: 'popup' | 'shown';
  readonly isOpen: boolean;
  readonly count: number;
  /** The option that Enter takes; null = what is typed stands for itself. */
  readonly active: number | null;
  /** One of the options is always active. */
  readonly alwaysActive: boolean;
  /** Escape empties a field with text in it, where there is no list to close. */
  readonly clears: boolean;
  readonly hasText: boolean;
}

/** What a key does. `enter`: Enter with no option active. */
export type ComboStep =
  | { readonly kind: 'move'; readonly to: number | null }
  | { readonly kind: 'take'; readonly at: number }
  | { readonly kind: 'enter' | 'close' | 'clear' };

/** The parts of a key event that count; with a modifier, or while an input method composes, no key is a combobox's. */
export interface ComboKey {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
}

const PAGE = 10;

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/**
 * The one rule of keys for all comboboxes (WAI-ARIA's pattern of a combobox with a listbox): arrows and pages move, Enter
 * takes, Escape closes the list. null = the key is not the combobox's.
 */
export function comboStep(event: ComboKey, state: ComboState): ComboStep | null {
  const { key, altKey, ctrlKey, metaKey, isComposing } = event;
  if (altKey || ctrlKey || metaKey || isComposing) return null;
  const move = Object.hasOwn(MOVES, key) ? MOVES[key] : undefined;
  if (move !== undefined) return moved(move, state);
  if (key === 'Enter') {
    const { active } = state;
    return state.isOpen && active !== null && active < state.count ? { kind: 'take', at: active } : { kind: 'enter' };
  }
  return key === 'Escape' ? escaped(state) : null;
}

function moved(by: number, { list, isOpen, count, active, alwaysActive }: ComboState): ComboStep | null {
  if (count === 0) return null;
  const last = count - 1;
  // A closed list opens where the key points to.
  if (active === null || (list === 'popup' && !isOpen)) {
    return { kind: 'move', to: by > 0 ? Math.min(by - 1, last) : last };
  }
  // Up from the first goes back to what is typed.
  if (by === -1 && active === 0 && !alwaysActive) return { kind: 'move', to: null };
  return { kind: 'move', to: Math.max(0, Math.min(last, active + by)) };
}

function escaped({ list, isOpen, count, clears, hasText }: ComboState): ComboStep | null {
  if (list === 'popup' && isOpen && count > 0) return { kind: 'close' };
  return clears && hasText ? { kind: 'clear' } : null;
}
