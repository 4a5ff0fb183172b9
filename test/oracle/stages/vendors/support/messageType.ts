import type { MessageFacts } from '../../../../../core/model/message.ts';

/** LangChain's types of messages; `other` = a role that it knows none for. */
export type MessageType = 'human' | 'ai' | 'system' | 'tool' | 'other';

/** The type a message would have in LangChain. A user's message of tool results alone is their carrier: `tool`. */
export function typeOf({ role, parts, beginsTurn }: MessageFacts): MessageType {
  if (role === 'assistant') return 'ai';
  if (role === 'system' || role === 'developer') return 'system';
  if (role === 'user') return beginsTurn ? 'human' : 'tool';
  return parts.some(({ kind }) => kind === 'tool_result') ? 'tool' : 'other';
}
