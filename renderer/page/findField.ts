/** Id of the page's find field. */
export const PAGE_FIND_ID = 'page-find';

/** Brings the keyboard to the find field; what is in it is chosen. */
export function focusFind(): void {
  const field = document.getElementById(PAGE_FIND_ID);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}
