// Texts that the client put under the role user: reminders, output of commands, notes of tasks.

import { isRuntimeText } from '../../../model/runtimeContext.ts';
import { arrayAt, isRecord, ownAt } from '../../../util/unknown.ts';

/** True if a message's content is texts, and all they say is in the client's own tags (or is its caveat). */
export function isWrapped(content: unknown): boolean {
  if (typeof content === 'string') return isRuntimeText(content);
  if (!Array.isArray(content) || content.length === 0) return false;
  return content.every((block) => {
    const text = isRecord(block) && ownAt(block, 'type') === 'text' ? ownAt(block, 'text') : undefined;
    return typeof text === 'string' && isRuntimeText(text);
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
