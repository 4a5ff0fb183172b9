import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../renderer/keys/commands.ts';
import { isTyping, type KeyPress, matches, printed } from '../../renderer/keys/keys.ts';
import { messageNumber } from '../../renderer/palette/messageNumber.ts';

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
}

describe('keys', () => {
  it.each([
    ['mod+k', press('k', { ctrlKey: true }), 'linux', true],
    ['mod+k', press('k', { metaKey: true }), 'linux', false],
    ['mod+k', press('k', { metaKey: true }), 'darwin', true],
    ['mod+k', press('K', { metaKey: true, shiftKey: true }), 'darwin', false],
    ['mod+shift+z', press('Z', { ctrlKey: true, shiftKey: true }), 'win32', true],
    ['?', press('?', { shiftKey: true }), 'linux', true],
    ['/', press('/', { shiftKey: true }), 'linux', true],
    ['f', press('f'), 'linux', true],
    ['f', press('F', { shiftKey: true }), 'linux', false],
    ['f', press('f', { ctrlKey: true }), 'linux', false],
    ['shift+right', press('ArrowRight', { shiftKey: true }), 'linux', true],
    ['right', press('ArrowRight', { shiftKey: true }), 'linux', false],
    ['right', press('ArrowRight', { altKey: true }), 'linux', false],
  ] as const)('%s against %o on %s: %s', (chord, event, platform, expected) => {
    expect(matches(chord, event, platform)).toBe(expected);
  });

  it('are printed as on the keyboard at hand', () => {
    expect(printed('mod+shift+z', 'darwin')).toBe('⌘⇧Z');
    expect(printed('mod+shift+z', 'linux')).toBe('Ctrl+Shift+Z');
    expect(printed('shift+left', 'win32')).toBe('Shift+←');
  });

  it('that type something are left to fields', () => {
    expect(['f', '?', 'right', 'mod+k', 'esc', 'f6'].map(isTyping)).toEqual([true, true, true, false, false, false]);
  });
});

describe('commands', () => {
  it('have ids of their own', () => {
    const ids = COMMANDS.map((one) => one.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have keys of their own', () => {
    const chords = COMMANDS.flatMap((one) => one.keys ?? []);
    expect(new Set(chords).size).toBe(chords.length);
  });

  it('cover what the menu of the desktop window asks for', () => {
    const ids = new Set(COMMANDS.map((one) => one.id));
    const menu = [
      'open',
      'export',
      'palette',
      'find',
      'view.raw',
      'view.sideBySide',
      'view.model',
      'view.drawer',
      'view.library',
      'view.policy',
      'help.shortcuts',
    ];
    expect(menu.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('a number in the palette', () => {
  it.each([
    ['214', 412, 214],
    ['#214', 412, 214],
    [' 9999 ', 412, 411],
    ['12a', 412, null],
    ['7', 0, null],
  ] as const)('%s of %i messages means %s', (text, messages, expected) => {
    expect(messageNumber(text, messages)).toBe(expected);
  });
});
