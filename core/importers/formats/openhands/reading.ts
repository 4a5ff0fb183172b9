// What an event of either generation comes to: readers of events say it, the writer of a conversation does it.

import type { MessageMeta } from '../../../model/message.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';

/** One of: a message, an entry of the audit, nothing, a compaction, a part of an answer to be joined. */
export type EventReading =
  | {
      readonly as: 'message';
      readonly text: string;
      readonly meta: MessageMeta;
      /** What the event says of the conversation as a whole. */
      readonly about?: Partial<TranscriptMeta>;
    }
  | { readonly as: 'event'; readonly kind: string; readonly line: string; readonly known: boolean }
  /** `joins`: it is a part of the answer last handed over. */
  | { readonly as: 'nothing'; readonly why: string; readonly joins?: boolean }
  | {
      readonly as: 'compaction';
      readonly forgotten: Forgotten;
      readonly summary: string | null;
      /** Events of the view that stand before the summary. */
      readonly offset: number | undefined;
      readonly line: string;
    }
  | { readonly as: 'call'; readonly answer: AnswerPart };

/** Which events a condensation takes out of the model's view. */
export type Forgotten = (eventId: string) => boolean;

/** A call and what was said with it; events of one response are one answer. JSON texts. */
export interface AnswerPart {
  /** Null: not recorded, the event stands alone. */
  readonly responseId: string | null;
  readonly reasoning: string | null;
  readonly blocks: readonly string[];
  readonly call: string;
  readonly meta: MessageMeta;
}

/** The answer that parts of one response make. */
export function answerText(parts: readonly AnswerPart[]): string {
  const blocks = parts.flatMap((part) => part.blocks);
  const reasoning = parts[0]?.reasoning ?? null;
  const members = [
    '"role":"assistant"',
    ...(reasoning === null ? [] : [`"reasoning_content":${reasoning}`]),
    ...(blocks.length > 0 ? [`"content":[${blocks.join(',')}]`] : []),
    `"tool_calls":[${parts.map((part) => part.call).join(',')}]`,
  ];
  return `{${members.join(',')}}`;
}

/** A result's message: `id`, `name` and `content` are JSON texts, null where there is none. */
export function resultText(id: string | null, name: string | null, content: string | null, failed: boolean): string {
  const members = [
    '"role":"tool"',
    ...(id === null ? [] : [`"tool_call_id":${id}`]),
    ...(name === null ? [] : [`"name":${name}`]),
    `"content":${content ?? '""'}`,
    ...(failed ? ['"is_error":true'] : []),
  ];
  return `{${members.join(',')}}`;
}
