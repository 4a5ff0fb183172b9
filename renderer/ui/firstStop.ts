// Where the keyboard begins in a dialog: best first.
const STOPS = [
  '[data-autofocus]',
  '.modal-body :is(textarea, select, input:not([type="hidden"], [type="file"])):not(:disabled)',
  '.modal-body [role="radio"][aria-checked="true"]',
  '.modal-foot .button-primary:not(:disabled)',
  '.modal-body :is(button, a[href], summary):not(:disabled)',
  // Nothing to do but to read: the arrow keys scroll.
  '.modal-body',
] as const;

/** What a dialog gives the focus to when it opens: what it names, its first field, its choice, its main action, its text. */
export function firstStop(dialog: HTMLElement): HTMLElement | null {
  for (const selector of STOPS) {
    const found = dialog.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return null;
}
