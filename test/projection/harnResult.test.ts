import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { acpUpdate, harnMetadata, harnResultJson } from '../../core/projection/harnResult.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { harnResultOf, stagesOf } from '../support/projecting.ts';

const BODY = 'some line\n'.repeat(60);
const MESSAGES = [
  { role: 'tool', name: 'lookup', content: BODY },
  { role: 'user', content: 'go on' },
];
const GC = { policy: 'context_gc', root_window: 1, min_chars: 100 };

describe('the result has every field of the contract', () => {
  it('raw', () => {
    expect(harnResultOf([{ role: 'user', content: 'hi' }], 'raw')).toMatchInlineSnapshot(`
      {
        "dropped_count": 0,
        "dropped_indices": [],
        "event": {
          "kind": "transcript.projection",
          "metadata": {
            "dropped_count": 0,
            "dropped_indices": [],
            "kept_count": 1,
            "kept_indices": [
              0,
            ],
            "policy": "raw",
            "prefix_hash": "sha256:4e79873118cd9be7a1f0308b9cd772950c5410c74ca3fe1ba2626cba009a9237",
            "provider_safety_blocked": false,
            "reason": "raw_passthrough",
            "reclaimed_chars": 0,
            "reclaimed_tokens": 0,
            "redacted_count": 0,
            "redacted_indices": [],
            "redaction_pointers": [],
            "respects_provider_signatures": true,
            "roots_consulted": [],
            "summary_keep_last": null,
          },
          "role": "system",
          "text": "raw_passthrough",
          "visibility": "internal",
        },
        "kept_count": 1,
        "kept_indices": [
          0,
        ],
        "messages": [
          {
            "content": "hi",
            "role": "user",
          },
        ],
        "policy": "raw",
        "prefix_hash": "sha256:4e79873118cd9be7a1f0308b9cd772950c5410c74ca3fe1ba2626cba009a9237",
        "provider_safety_blocked": false,
        "reason": "raw_passthrough",
        "reclaimed_chars": 0,
        "reclaimed_tokens": 0,
        "redacted_count": 0,
        "redacted_indices": [],
        "redaction_pointers": [],
        "roots_consulted": [],
      }
    `);
  });

  it('reachability_gc', () => {
    const { event, ...result } = Object(harnResultOf(MESSAGES, GC));
    expect(result).toMatchInlineSnapshot(`
      {
        "dropped_count": 0,
        "dropped_indices": [],
        "kept_count": 2,
        "kept_indices": [
          0,
          1,
        ],
        "messages": [
          {
            "_harn_projection": {
              "policy": "reachability_gc",
              "redacted": true,
              "redaction_pointer": {
                "content_chars": 600,
                "content_hash": "sha256:838909d08774f057311746b1f845105210805b0b07b4140a56c9740fce65e2ff",
                "estimated_tokens_reclaimed": 150,
                "policy": "reachability_gc",
                "reason": "stale_tool_result_unreachable",
                "source": "transcript.messages[0].content",
                "source_block_index": null,
                "source_index": 0,
                "tool_call_id": null,
                "tool_name": "lookup",
              },
            },
            "content": "[tool result reclaimed by reachability_gc; source_index=0; content_hash=sha256:838909d08774f057311746b1f845105210805b0b07b4140a56c9740fce65e2ff; estimated_tokens_reclaimed=150. Raw content remains in the transcript audit trail.]",
            "name": "lookup",
            "role": "tool",
          },
          {
            "content": "go on",
            "role": "user",
          },
        ],
        "policy": "reachability_gc",
        "prefix_hash": "sha256:f6e35afb7c9a44b3a4c7dd978607062bf57a9271ce9432fb48d225cea93620ba",
        "provider_safety_blocked": false,
        "reason": "reachability_gc",
        "reclaimed_chars": 372,
        "reclaimed_tokens": 93,
        "redacted_count": 1,
        "redacted_indices": [
          0,
        ],
        "redaction_pointers": [
          {
            "content_chars": 600,
            "content_hash": "sha256:838909d08774f057311746b1f845105210805b0b07b4140a56c9740fce65e2ff",
            "estimated_tokens_reclaimed": 150,
            "policy": "reachability_gc",
            "reason": "stale_tool_result_unreachable",
            "source": "transcript.messages[0].content",
            "source_block_index": null,
            "source_index": 0,
            "tool_call_id": null,
            "tool_name": "lookup",
          },
        ],
        "roots_consulted": [
          "last_1_messages",
        ],
      }
    `);
    const { messages: _messages, ...fields } = result;
    expect(event).toEqual({
      kind: 'transcript.projection',
      role: 'system',
      visibility: 'internal',
      text: 'reachability_gc',
      metadata: { ...fields, respects_provider_signatures: true, summary_keep_last: null },
    });
  });

  it.each([
    [{ policy: 'summary_prefix', keep_last: 1 }, 1, true],
    [{ policy: 'context_gc', keep_last: 1 }, null, true],
    [{ policy: 'raw', respect_provider_signatures: false }, null, false],
  ])('%j records its own options', (spec, summary_keep_last, respects_provider_signatures) => {
    const metadata = { summary_keep_last, respects_provider_signatures };
    expect(harnResultOf(MESSAGES, spec)).toMatchObject({ event: { metadata } });
  });

  it('of several stages: the last one’s policy and reason, sums over all', () => {
    const stages = [{ kind: 'context_gc', options: { root_window: 1, min_chars: 100 } }, 'clean_tool_repair'];
    expect(harnResultOf(MESSAGES, { version: 1, stages })).toMatchObject({
      policy: 'clean_tool_repair',
      reason: 'clean_tool_repair',
      redacted_count: 1,
      reclaimed_tokens: 93,
      roots_consulted: ['last_1_messages'],
    });
  });

  it('of no stage: raw', () => {
    expect(harnResultOf(MESSAGES, { version: 1, stages: [] })).toMatchObject({
      policy: 'raw',
      reason: 'raw_passthrough',
    });
  });
});

it('messages stand in the JSON byte for byte', () => {
  const text = '{"role":"user", "content":"é", "n":1.0, "big":12345678901234567890}';
  const source = memorySource([text]);
  const stages = stagesOf('raw');
  const projection = project(source, stages, 1);
  const json = harnResultJson({ source, projection, stages, hash: prefixHash(source, projection.view) });
  expect(json).toContain(`"messages":[${text}]`);
});

it('the live form carries what hosts show', () => {
  const source = memorySource(MESSAGES.map((message) => JSON.stringify(message)));
  const stages = stagesOf(GC);
  const projection = project(source, stages, 2);
  const update = acpUpdate(harnMetadata({ source, projection, stages, hash: 'sha256:x' }));
  expect(update).toMatchObject({
    sessionUpdate: 'transcript_projected',
    _meta: {
      harn: {
        policy: 'reachability_gc',
        reason: 'reachability_gc',
        prefixHash: 'sha256:x',
        keptCount: 2,
        droppedCount: 0,
        providerSafetyBlocked: false,
        redactedCount: 1,
        reclaimedTokens: 93,
        rootsConsulted: ['last_1_messages'],
        redactionPointers: [{ source_index: 0 }],
      },
    },
  });
});
