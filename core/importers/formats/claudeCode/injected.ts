// Texts that the client put under the role user: reminders, output of commands, notes of tasks.

import { arrayAt, isRecord, ownAt } from '../../../util/unknown.ts';

const TAG =
  /\s*(?:<((?:system-reminder|local-command-(?:stdout|stderr|caveat)|command-(?:name|message|args|contents)|task-notification|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|ide_opened_file|ide_selection|new-diagnostics|session-start-hook))\b[^>]*>|(Caveat: ))/y;

/** True if a message's content is texts, and all they say stands in the client's own tags (or is its caveat). */
export function isWrapped(content: unknown): boolean {
  if (typeof content === 'string') return isWrappedText(content);
  if (!Array.isArray(content) || content.length === 0) return false;
  return content.every((block) => {
    const text = isRecord(block) && ownAt(block, 'type') === 'text' ? ownAt(block, 'text') : undefined;
    return typeof text === 'string' && isWrappedText(text);
  });
}

/** True if the message is a command that a person gave: what comes after it answers it. */
export function isCommand(content: unknown): boolean {
  const texts = typeof content === 'string' ? [content] : (arrayAt({ content }, 'content') ?? []);
  return texts.some((block) => {
    const text = isRecord(block) ? ownAt(block, 'text') : block;
    return typeof text === 'string' && /^\s*<(command-name|command-message|bash-input)>/.test(text);
  });
}

// One element after the other, each to its first closing tag.
function isWrappedText(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    TAG.lastIndex = at;
    const found = TAG.exec(text);
    if (!found) return at > 0 && text.slice(at).trim() === '';
    if (found[2] !== undefined) return true;
    const close = `</${found[1]}>`;
    const end = text.indexOf(close, TAG.lastIndex);
    if (end < 0) return false;
    at = end + close.length;
  }
  return at > 0;
}
