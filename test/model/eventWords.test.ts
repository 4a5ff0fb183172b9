import { expect, it } from 'vitest';
import { describeEvent } from '../../core/model/eventWords.ts';

const TABLE: readonly (readonly [string, string, object, string])[] = [
  [
    'a budget, as the runtime writes it',
    'transcript_budget',
    {
      metadata: {
        action: 'trimmed',
        source: 'append',
        reason: 'event_count',
        policy: { max_messages: 10, max_events: 2000 },
        usage_attempted: { messages: 9, events: 2010 },
        removed_messages: 1,
        removed_events: 1010,
      },
    },
    'transcript trimmed: 2,010 events, at most 2,000 allowed; 1 message and 1,010 events removed; by append',
  ],
  [
    'a budget that refused',
    'transcript_budget',
    {
      metadata: {
        action: 'rejected',
        reason: 'approx_bytes',
        policy: { max_approx_bytes: 100 },
        usage_attempted: { approx_bytes: 120 },
      },
    },
    'change rejected: 120 bytes, at most 100 allowed',
  ],
  [
    'a budget of another shape',
    'transcript_budget',
    { metadata: { action: 'recover', reason: 'full' } },
    'recover: full',
  ],
  [
    'a compaction',
    'compaction',
    {
      metadata: {
        mode: 'auto',
        strategy: 'llm',
        archived_messages: 1,
        estimated_tokens_before: 9000,
        estimated_tokens_after: 80,
      },
    },
    'auto · llm · 1 message archived · ~9,000 → ~80 tok',
  ],
  [
    'a compaction as a host is told',
    'compaction',
    {
      params: {
        update: { sessionUpdate: 'transcript_compacted', _meta: { harn: { mode: 'manual', snapshotAssetId: 's' } } },
      },
    },
    'manual · snapshot s',
  ],
  [
    'a projection',
    'transcript.projection',
    {
      metadata: { policy: 'raw', kept_indices: [0, 1], dropped_indices: [], prefix_hash: `sha256:${'ab'.repeat(32)}` },
    },
    'raw · 2 kept · sha256:abababababab',
  ],
  [
    'a projection in a log',
    'transcript.projection',
    {
      type: 'transcript_projected',
      policy: 'p',
      kept_count: 3,
      dropped_count: 2,
      redacted_count: 1,
      provider_safety_blocked: true,
    },
    'p · 3 kept · 2 hidden · 1 result reclaimed · blocked: signed reasoning',
  ],
  [
    'a fingerprint',
    'system_prompt',
    { metadata: { sha256: 'sha256:aa', bytes: 9 } },
    'fingerprint sha256:aa · 9 bytes',
  ],
  [
    'an asset',
    'asset',
    { id: 'a', kind: 'image', mime_type: 'image/png', storage: { path: 'x.png' } },
    'image · a · image/png · x.png',
  ],
  ['a kind of its own', 'message', { text: 'hi' }, ''],
];

it.each(TABLE)('%s', (_name, kind, event, words) => {
  expect(describeEvent(kind, JSON.stringify({ kind, ...event }))).toBe(words);
});
