import { describe, expect, it } from 'vitest';
import { type ComboState, comboStep } from '../../renderer/ui/comboKeys.ts';

const POPUP: ComboState = {
  list: 'popup',
  isOpen: true,
  count: 25,
  active: null,
  alwaysActive: false,
  clears: false,
  hasText: true,
};
const SHOWN: ComboState = { ...POPUP, list: 'shown', alwaysActive: true, active: 0, clears: true };
const press = (key: string, state: ComboState, more = {}) =>
  comboStep({ key, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, ...more }, state);

describe('a key in a combobox', () => {
  it.each<[string, string, ComboState, number | null]>([
    ['the first', 'ArrowDown', POPUP, 0],
    ['the last', 'ArrowUp', POPUP, 24],
    ['the next', 'ArrowDown', { ...POPUP, active: 3 }, 4],
    ['the one before', 'ArrowUp', { ...POPUP, active: 3 }, 2],
    ['no further than the last', 'ArrowDown', { ...POPUP, active: 24 }, 24],
    ['back to the text', 'ArrowUp', { ...POPUP, active: 0 }, null],
    ['no further than the first, where one is always active', 'ArrowUp', SHOWN, 0],
    ['a page down', 'PageDown', { ...POPUP, active: 3 }, 13],
    ['a page down, at the end', 'PageDown', { ...POPUP, active: 20 }, 24],
    ['a page up, at the beginning', 'PageUp', { ...POPUP, active: 3 }, 0],
    ['a page down from the text', 'PageDown', POPUP, 9],
    ['open, at the first', 'ArrowDown', { ...POPUP, isOpen: false }, 0],
    ['open, at the last', 'ArrowUp', { ...POPUP, isOpen: false }, 24],
  ])('moves: %s', (_what, key, state, to) => {
    expect(press(key, state)).toEqual({ kind: 'move', to });
  });

  it('takes what is active, else stands for what is typed', () => {
    expect(press('Enter', { ...POPUP, active: 2 })).toEqual({ kind: 'take', at: 2 });
    expect(press('Enter', POPUP)).toEqual({ kind: 'enter' });
    expect(press('Enter', { ...POPUP, active: 2, isOpen: false })).toEqual({ kind: 'enter' });
    expect(press('Enter', { ...POPUP, active: 2, count: 2 })).toEqual({ kind: 'enter' });
  });

  it('Escape closes an open list, or empties a field above one that is always there; else it is not the field’s', () => {
    expect(press('Escape', POPUP)).toEqual({ kind: 'close' });
    expect(press('Escape', { ...POPUP, isOpen: false })).toBeNull();
    expect(press('Escape', { ...POPUP, count: 0 })).toBeNull();
    expect(press('Escape', SHOWN)).toEqual({ kind: 'clear' });
    expect(press('Escape', { ...SHOWN, hasText: false })).toBeNull();
    expect(press('Escape', { ...SHOWN, clears: false })).toBeNull();
  });

  it.each(['a', 'Tab', 'Home', 'End', 'ArrowLeft', 'constructor'])('leaves %s to the field', (key) => {
    expect(press(key, POPUP)).toBeNull();
  });

  it.each(['altKey', 'ctrlKey', 'metaKey', 'isComposing'])('is not the list’s with %s', (which) => {
    for (const key of ['ArrowDown', 'Enter', 'Escape']) {
      expect(press(key, { ...POPUP, active: 1 }, { [which]: true })).toBeNull();
    }
  });

  it('does not move in an empty list', () => {
    expect(press('ArrowDown', { ...POPUP, count: 0 })).toBeNull();
  });
});
