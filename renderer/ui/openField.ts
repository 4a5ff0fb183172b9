import { flushSync } from 'react-dom';

/** How many frames a field is waited for whose code is still loaded. */
const FRAMES = 60;

/**
 * Does what draws the field of this id, and gives the field the focus; a text field's content is chosen where `isChosen`. The
 * field is drawn at once: of what somebody types right behind a key that opens it, nothing may go to the keys of the window.
 */
export function openField(open: () => void, id: string, { isChosen = false } = {}): void {
  flushSync(open);
  const before = document.activeElement;
  const enter = (frames: number): void => {
    const field = document.getElementById(id);
    if (field !== null) {
      field.focus();
      if (isChosen && field instanceof HTMLInputElement) field.select();
    } else if (frames > 0 && document.activeElement === before) {
      requestAnimationFrame(() => enter(frames - 1));
    }
  };
  enter(FRAMES);
}
