import type { App } from '../state/app.ts';
import { toProtocolError } from '../state/engine.ts';
import { ofShown } from '../state/ofShown.ts';
import { formatCount } from '../ui/format.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

/** As long as any text of a message is, in characters. */
const ALL = 1_000_000_000;

/** What is selected as text: the part of a message, or what a stage wrote; null = nothing. Rejects if it cannot be read. */
function selectedText(app: App): Promise<{ text: string; what: string } | null> {
  const { store, engine } = app;
  return ofShown(app, async (projectionId) => {
    const { selection, projection } = store.getState();
    if (selection?.kind === 'message') {
      const { index, part } = selection;
      const detail = await engine.call('projection.detail', { projectionId, index, limit: ALL });
      const text = detail.parts.find((one) => one.part === part)?.text ?? detail.rawJson;
      return { text, what: `#${index}` };
    }
    if (selection?.kind !== 'synthetic' || projection.selectionRow === null) return null;
    const { text } = await engine.call('projection.synthetic', { projectionId, row: projection.selectionRow });
    return { text, what: 'what the stage wrote' };
  });
}

/** Copies the whole text of the selected row, as it was recorded, and says so. */
export async function copyMessage(app: App): Promise<void> {
  try {
    const found = await selectedText(app);
    if (found === null) return;
    await navigator.clipboard.writeText(found.text);
    app.actions.toast({ tone: 'ok', text: `Copied ${found.what}, ${formatCount(found.text.length)} characters` });
  } catch (thrown) {
    app.actions.toast({ tone: 'error', text: 'Not copied.', detail: toProtocolError(thrown).message });
  }
}

/** True if a text is marked on the page: copying means that text then, and is the browser's business. */
function isTextMarked(): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.toString() !== '';
}

/** True if something else is copied: a text that is marked, or what the keyboard is at outside of the messages. */
export function isOtherCopied(): boolean {
  const { activeElement } = document;
  const isAtMessages = activeElement === null || activeElement === document.body || activeElement.id === TIMELINE_ID;
  return isTextMarked() || !isAtMessages;
}
