// Ctrl/Cmd+A marks the text one reads, never the whole window.

/** What can be marked as a whole, the smallest first. */
const READ = 'pre, .event-json, .facts, .modal-body, .drawer-content';

/** Marks the text that holds the focus or the last mark; false if there is none. */
export function selectRead(): boolean {
  const selection = getSelection();
  const anchor = selection?.anchorNode ?? null;
  const from = anchor instanceof Element ? anchor : (anchor?.parentElement ?? document.activeElement);
  const read = from?.closest(READ);
  if (!selection || !read) return false;
  selection.selectAllChildren(read);
  return true;
}
