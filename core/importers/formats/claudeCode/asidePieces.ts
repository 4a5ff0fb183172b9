// What the client put beside the conversation, as pieces of a chain.

import type { SourceRecord } from '../../../model/importSink.ts';
import { isFromPerson } from '../../../model/provenance.ts';
import { type Fields, ownAt, stringAt } from '../../../util/unknown.ts';
import { defined, humanText, isoTime, originOf } from '../../reading/shared.ts';
import type { Attachment } from './attachment.ts';
import type { Piece } from './chain.ts';
import { isWrapped } from './injected.ts';
import { parentOf } from './tree.ts';

/** An attachment that the model was sent. `side` = in a sub-agent's chain. */
export function attachedPiece(
  record: SourceRecord,
  fields: Fields,
  { contentText, content, provenance }: Attachment & { as: 'message' },
  side: boolean,
): Piece {
  return {
    contentText,
    content,
    origin: originOf(record),
    uuid: stringAt(fields, 'uuid'),
    parentUuid: parentOf(fields),
    session: stringAt(fields, 'sessionId'),
    kind: 'note',
    words: isFromPerson(provenance) ? humanText(content) : undefined,
    meta: defined({
      timestamp: isoTime(ownAt(fields, 'timestamp')),
      id: stringAt(fields, 'uuid'),
      injected: isFromPerson(provenance) ? undefined : (true as const),
      provenance,
      sidechain: side ? (true as const) : undefined,
      agentId: side ? stringAt(fields, 'agentId') : undefined,
    }),
  };
}

/** A text that was taken out of the queue into the request; the record that says so stands for it. */
export function queuedPiece(record: SourceRecord, fields: Fields, text: string): Piece {
  const isTask = isWrapped(text);
  return {
    contentText: JSON.stringify(text),
    content: text,
    origin: originOf(record),
    uuid: undefined,
    parentUuid: undefined,
    session: stringAt(fields, 'sessionId'),
    kind: 'note',
    words: isTask ? undefined : humanText(text),
    meta: defined({
      timestamp: isoTime(ownAt(fields, 'timestamp')),
      injected: isTask ? (true as const) : undefined,
      provenance: {
        kind: isTask ? ('task_notification' as const) : ('queued_prompt' as const),
        type: 'queue-operation',
      },
    }),
  };
}
