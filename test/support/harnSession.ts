// A Harn transcript with one of everything that stands beside its messages.
import { createHash } from 'node:crypto';
import { memorySource } from '../../core/model/memorySource.ts';
import { eventOf } from './recordedEvents.ts';

/** A picture of one pixel, base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const image = (asset_id: string) => ({ type: 'image', asset_id, visibility: 'public' });

const BEFORE = [
  { role: 'user', content: 'mend the lexer' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'run', arguments: {} }] },
  { role: 'tool', tool_call_id: 'a', name: 'run', content: 'error: no' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'b', name: 'run', arguments: {} }] },
  { role: 'tool', tool_call_id: 'b', name: 'run', content: 'done' },
];

const AFTER = [
  { role: 'user', content: [image('shot'), image('beside'), image('gone'), { type: 'text', text: 'and this?' }] },
  { role: 'assistant', content: 'it is the parser' },
];

const sourceOf = (messages: readonly object[]) => memorySource(messages.map((message) => JSON.stringify(message)));
const PROMPT = 'Be brief.';

/** The transcript; `archived` = where its compaction keeps what it archived. */
export function harnSession(archived: object = { data: { _type: 'transcript', id: 'tr_old', messages: BEFORE } }) {
  const sha256 = `sha256:${createHash('sha256').update(PROMPT).digest('hex')}`;
  const derived = AFTER.map(() => ({ kind: 'message', visibility: 'public', text: 'm' }));
  const asset = (id: string, kind: string, fields: object) => ({ _type: 'transcript_asset', id, kind, ...fields });
  const mime_type = 'image/png';
  return {
    _type: 'transcript',
    version: 2,
    id: 'tr_now',
    state: 'active',
    summary: 'the lexer was mended',
    metadata: {
      title: 'Lexer',
      system_prompt: { content: PROMPT, sha256, bytes: PROMPT.length },
      ticket: 'T-7',
      transcript_budget: {
        last_action: { action: 'trimmed', reason: 'message_count', removed_messages: 4, policy: { max_messages: 100 } },
      },
    },
    messages: AFTER,
    events: [
      { kind: 'system_prompt', visibility: 'internal', text: '', metadata: { sha256, bytes: PROMPT.length } },
      eventOf(sourceOf(BEFORE), 'clean_tool_repair'),
      { kind: 'compaction', text: 'c', metadata: { mode: 'auto', archived_messages: 5, snapshot_asset_id: 'snap' } },
      ...derived,
      {
        kind: 'transcript_budget',
        visibility: 'private',
        text: 'Transcript budget trimmed.',
        metadata: {
          action: 'trimmed',
          source: 'append',
          reason: 'message_count',
          policy: { max_messages: 100 },
          usage_attempted: { messages: 104, events: 9 },
          removed_messages: 4,
          removed_events: 0,
        },
      },
      eventOf(sourceOf(AFTER), 'raw'),
    ],
    assets: [
      asset('shot', 'image', { mime_type, data: PIXEL }),
      asset('beside', 'image', { mime_type, storage: { path: 'assets/a.png' } }),
      asset('snap', 'transcript_snapshot', { mime_type: 'application/json', ...archived }),
    ],
  };
}

/** What its compaction archived, as a file of its own. */
export const ARCHIVED = JSON.stringify({ _type: 'transcript', version: 2, id: 'tr_old', messages: BEFORE });
