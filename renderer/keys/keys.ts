// Keys as text: `mod+shift+k`. `mod` is ⌘ on macOS and Ctrl elsewhere. A single letter without `mod` is typed text in
// a field, so it counts only outside of one.

export type Platform = 'darwin' | 'win32' | 'linux';

/** The parts of a keyboard event that matter; a KeyboardEvent fits. */
export interface KeyPress {
  readonly key: string;
  /** The physical key: `Digit1`, `KeyP`. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'up',
  arrowdown: 'down',
  escape: 'esc',
  ' ': 'space',
  '+': 'plus',
};

/** True if the event is the chord. A symbol such as `?` already contains its Shift. */
export function matches(chord: string, event: KeyPress, platform: Platform): boolean {
  const parts = chord.split('+');
  const key = parts.at(-1) ?? '';
  if (pressedKey(event, platform) !== key) return false;
  const mod = platform === 'darwin' ? event.metaKey : event.ctrlKey;
  const other = platform === 'darwin' ? event.ctrlKey : event.metaKey;
  if (other || mod !== parts.includes('mod') || event.altKey !== parts.includes('alt')) return false;
  return isSymbol(key) || event.shiftKey === parts.includes('shift');
}

/** With Option held, macOS reports the character it types (`¡`, `π`): there the physical key counts. */
function pressedKey({ key, code, altKey }: KeyPress, platform: Platform): string {
  const physical = altKey && platform === 'darwin' ? /^(?:Digit|Key)(.)$/.exec(code)?.[1] : undefined;
  const pressed = (physical ?? key).toLowerCase();
  return NAMES[pressed] ?? pressed;
}

/** The chord as it is printed on this platform's keys: `⌘K`, `Ctrl+K`, `⇧→`. */
export function printed(chord: string, platform: Platform): string {
  const mac = platform === 'darwin';
  const words: Readonly<Record<string, string>> = {
    mod: mac ? '⌘' : 'Ctrl',
    shift: mac ? '⇧' : 'Shift',
    alt: mac ? '⌥' : 'Alt',
    left: '←',
    right: '→',
    up: '↑',
    down: '↓',
    enter: mac ? '↩' : 'Enter',
    esc: 'Esc',
    home: 'Home',
    end: 'End',
    space: 'Space',
    plus: '+',
    '-': '−',
    delete: 'Del',
  };
  return chord
    .split('+')
    .map((part) => words[part] ?? part.toUpperCase())
    .join(mac ? '' : '+');
}

/** True if the chord types nothing into a field, so that a command marked `inFields` may run from there. */
export function worksInField(chord: string): boolean {
  return chord.includes('mod+') || ['f5', 'f6', 'shift+f6'].includes(chord);
}

function isSymbol(key: string): boolean {
  return key.length === 1 && !/[a-z0-9]/.test(key);
}
