import { describe, expect, it } from 'vitest';
import type { MenuCommand } from '../../core/protocol/host.ts';
import { COMMANDS } from '../../renderer/app/features.ts';
import { type KeyPress, matches, printed, worksInField } from '../../renderer/keys/keys.ts';
import { messageNumber } from '../../renderer/palette/messageNumber.ts';

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
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
    ['alt+1', press('1', { altKey: true, code: 'Digit1' }), 'linux', true],
    ['alt+1', press('¡', { altKey: true, code: 'Digit1' }), 'darwin', true],
    ['alt+p', press('π', { altKey: true, code: 'KeyP' }), 'darwin', true],
    ['alt+l', press('l', { altKey: true, code: 'KeyP' }), 'linux', true],
    ['alt+p', press('l', { altKey: true, code: 'KeyP' }), 'linux', false],
    ['alt+down', press('ArrowDown', { altKey: true, code: 'ArrowDown' }), 'darwin', true],
    ['p', press('p', { code: 'KeyR' }), 'darwin', true],
  ] as const)('%s against %o on %s: %s', (chord, event, platform, expected) => {
    expect(matches(chord, event, platform)).toBe(expected);
  });

  it('are printed as on the keyboard at hand', () => {
    expect(printed('mod+shift+z', 'darwin')).toBe('⌘⇧Z');
    expect(printed('mod+shift+z', 'linux')).toBe('Ctrl+Shift+Z');
    expect(printed('shift+left', 'win32')).toBe('Shift+←');
  });

  it('that type something are left to fields', () => {
    expect(['f', '?', 'right', 'alt+1', 'mod+k', 'f6'].map(worksInField)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
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
    const menu: Record<MenuCommand, true> = {
      open: true,
      export: true,
      palette: true,
      find: true,
      'view.raw': true,
      'view.sideBySide': true,
      'view.model': true,
      'view.drawer': true,
      'view.library': true,
      'view.policy': true,
      'help.shortcuts': true,
      'search.open': true,
      'go.back': true,
      'go.forward': true,
      'window.new': true,
    };
    expect(Object.keys(menu).filter((id) => !ids.has(id))).toEqual([]);
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
