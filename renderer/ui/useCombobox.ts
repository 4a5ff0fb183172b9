import { type InputHTMLAttributes, type KeyboardEvent, useEffect, useRef } from 'react';
import { type ComboKey, type ComboState, comboStep } from './comboKeys.ts';

export interface ComboboxRules extends Omit<ComboState, 'hasText'> {
  readonly text: string;
  readonly listId: string;
  readonly optionId: (at: number) => string;
  readonly onMove: (to: number | null) => void;
  readonly onTake: (at: number) => void;
  /** A key that does what Enter does: a comma between names. */
  readonly alsoEnter?: string | undefined;
  /** Enter with no option active; without it such an Enter continues to what is around. */
  readonly onEnter?: (() => void) | undefined;
  readonly onClose?: () => void;
  readonly onClear?: () => void;
}

type ComboboxProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'role'
  | 'aria-autocomplete'
  | 'aria-expanded'
  | 'aria-controls'
  | 'aria-activedescendant'
  | 'autoComplete'
  | 'spellCheck'
  | 'onKeyDown'
> & { readonly 'data-escape': 'own' | undefined };

const ESCAPE: ComboKey = { key: 'Escape', altKey: false, ctrlKey: false, metaKey: false, isComposing: false };

/** The keys and the ARIA of a combobox's input; the focus stays in it, the active option is pointed to. */
export function useCombobox(rules: ComboboxRules): ComboboxProps {
  const { listId, optionId, isOpen, count, active } = rules;
  const shows = isOpen && count > 0;
  const current = shows && active !== null ? optionId(active) : undefined;
  // An option that a key has moved to comes into view; one under the pointer is there.
  const byKey = useRef(false);
  useEffect(() => {
    if (byKey.current && current !== undefined) document.getElementById(current)?.scrollIntoView({ block: 'nearest' });
    byKey.current = false;
  }, [current]);
  const state = { ...rules, hasText: rules.text !== '' };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { altKey, ctrlKey, metaKey, nativeEvent } = event;
    const key = event.key === rules.alsoEnter ? 'Enter' : event.key;
    const pressed = { key, altKey, ctrlKey, metaKey, isComposing: nativeEvent.isComposing };
    const step = comboStep(pressed, state);
    if (step === null || (step.kind === 'enter' && !rules.onEnter)) return;
    event.preventDefault();
    switch (step.kind) {
      case 'move':
        byKey.current = true;
        return rules.onMove(step.to);
      case 'take':
        return rules.onTake(step.at);
      case 'enter':
        return rules.onEnter?.();
      case 'close':
        // Of the list alone, not of the dialog around it.
        event.stopPropagation();
        return rules.onClose?.();
      case 'clear':
        event.stopPropagation();
        return rules.onClear?.();
    }
  };
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': shows,
    'aria-controls': listId,
    'aria-activedescendant': current,
    autoComplete: 'off',
    spellCheck: false,
    // What is around it is asked first: a dialog leaves this key to the field.
    'data-escape': comboStep(ESCAPE, state) === null ? undefined : 'own',
    onKeyDown,
  };
}
