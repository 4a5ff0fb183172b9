// The history that a compaction put in place of what came before, as messages in the shape this reader gives all.

import type { RecordedCompaction } from '../../../model/transcript.ts';
import { arrayAt, type Fields, stringAt } from '../../../util/unknown.ts';
import { itemKind, type JoinedMessage, messageOf, type ResponseItem } from '../../reading/responsesItems.ts';
import { sliceAt } from '../../reading/slices.ts';
import { itemsAt, messagesOf } from '../openaiResponses/fold.ts';

/** What a `compacted` record says. */
export interface Replacement {
  readonly facts: Partial<RecordedCompaction>;
  /** The messages of people and clients in it, to be found among those before. */
  readonly kept: readonly JoinedMessage[];
  readonly items: number;
}

const PATH = ['payload', 'replacement_history'];

/**
 * Reads `replacement_history`; older releases wrote only the summary, as `message`. A history with an encrypted
 * compaction is `opaque`: its size is that of the encrypted text, the readable rest is the replacement. Releases around 0.140
 * wrote the history that the provider gave back without its encrypted item: agents continue with what only it can have said.
 */
export function replacementIn(text: string, payload: Fields): Replacement {
  const history = arrayAt(payload, 'replacement_history');
  const items = itemsAt(text, PATH, history ?? []);
  const summary = stringAt(payload, 'message') ?? '';
  if (!history && summary === '') return { facts: { kind: 'replacement' }, kept: [], items: 0 };
  const replacement = history ? messagesOf(items).map((message) => message.text) : [summaryMessage(text)];
  const encrypted = items.flatMap(encryptedIn);
  const opaqueChars = encrypted.reduce((sum, chars) => sum + chars, 0);
  const facts =
    encrypted.length > 0
      ? { kind: 'opaque' as const, opaqueChars, replacement }
      : {
          kind: 'replacement' as const,
          replacement,
          ...(isIncomplete(summary, items) && { incomplete: true as const }),
        };
  const said = items.filter(({ value }) => itemKind(value) === 'message' && arrayAt(value, 'content'));
  return { facts, kept: said.map(messageOf), items: history?.length ?? 1 };
}

function isIncomplete(summary: string, items: readonly ResponseItem[]): boolean {
  const isOfAgent = ({ value }: ResponseItem): boolean => itemKind(value) !== 'message' || value.role === 'assistant';
  return summary === '' && items.length > 0 && !items.some(isOfAgent);
}

function summaryMessage(text: string): string {
  return `{"role":"user","content":${sliceAt(text, ['payload', 'message']) ?? '""'}}`;
}

function encryptedIn({ value }: ResponseItem): number[] {
  const isCompaction = /^(context_)?compaction(_summary)?$/.test(stringAt(value, 'type') ?? '');
  return isCompaction ? [(stringAt(value, 'encrypted_content') ?? '').length] : [];
}
