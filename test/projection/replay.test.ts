import { describe, expect, it } from 'vitest';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { harnEvent, harnMetadata } from '../../core/projection/harnResult.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { replay } from '../../core/projection/replay.ts';
import { readRecordedProjection } from '../../core/view/recordedProjection.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

const BODY = 'some line\n'.repeat(60);
const MESSAGES = [
  { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'run', arguments: {} }] },
  { role: 'tool', tool_call_id: 'a', name: 'run', content: 'Error: no' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'b', name: 'run', arguments: {} }] },
  { role: 'tool', tool_call_id: 'b', name: 'run', content: BODY },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: BODY }] },
  { role: 'user', content: 'go on' },
];

function record(source: TranscriptSource, spec: unknown, at = source.length): string {
  const stages = stagesOf(spec);
  const projection = project(source, stages, at);
  return JSON.stringify(
    harnEvent(harnMetadata({ source, projection, stages, hash: prefixHash(source, projection.view) })),
  );
}

function replayed(source: TranscriptSource, json: string, eventAt = source.length) {
  const recorded = readRecordedProjection(json);
  if (recorded === null) throw new Error('no recorded projection');
  return replay(source, recorded, eventAt);
}

describe('a recorded projection replays', () => {
  const source = transcriptOf(MESSAGES, 'so far');

  it.each([
    ['raw', 6],
    ['clean_tool_repair', 6],
    ['clean_tool_repair', 2],
    [{ policy: 'summary_prefix', keep_last: 2 }, 6],
    [{ policy: 'context_gc', root_window: 1 }, 6],
    [{ policy: 'context_gc', require_write_barrier: true }, 4],
  ])('%j at %i', (spec, at) => {
    const { outcome, problems, at: covered } = replayed(source, record(source, spec, at));
    expect([outcome, problems, covered]).toEqual(['reproduced', [], at]);
  });

  it('with options the event does not record, the decision itself is checked', () => {
    const json = record(source, { policy: 'context_gc', root_window: 1, min_chars: 10_000 });
    const { outcome, problems } = replayed(source, json);
    expect(outcome).toBe('decision_holds');
    expect(problems).toMatchObject([{ code: 'projection.replay_options', severity: 'info' }]);
  });

  it('a decision is redone down to the bytes, blocks included', () => {
    const json = record(source, { policy: 'context_gc', root_window: 1, min_chars: 100, roots: 'run' });
    expect(replayed(source, json).outcome).toBe('decision_holds');
  });

  it('an event that covers no message is replayed on none, wherever it stands', () => {
    const json = record(source, 'clean_tool_repair', 0);
    expect(replayed(source, json)).toMatchObject({ outcome: 'reproduced', at: 0 });
  });

  it('a summary that the transcript got only later does not count against a placeholder', () => {
    const json = record(transcriptOf(MESSAGES), { policy: 'summary_prefix', keep_last: 2 });
    expect(replayed(source, json)).toMatchObject({ outcome: 'reproduced', problems: [] });
  });

  it.each([
    ['left messages out', { kept_indices: [5], dropped_indices: [0, 1, 2, 3, 4] }, 'decision_holds'],
    ['made its own', { kept_indices: [4, 5], dropped_indices: [0, 1, 2, 3] }, 'not_recorded'],
  ])('a custom function that %s', (_name, indices, outcome) => {
    const { prefix_hash } = JSON.parse(record(transcriptOf(MESSAGES.slice(5)), 'raw')).metadata;
    const metadata = { policy: 'custom', reason: 'custom', prefix_hash, ...indices };
    expect(replayed(source, JSON.stringify({ kind: 'transcript.projection', metadata }), 0).outcome).toBe(outcome);
  });

  it('a mismatch is a problem: the transcript changed', () => {
    const changed = transcriptOf([{ role: 'user', content: 'other' }, ...MESSAGES.slice(1)], 'so far');
    const { outcome, problems } = replayed(source, record(changed, { policy: 'summary_prefix', keep_last: 6 }));
    expect(outcome).toBe('mismatch');
    expect(problems).toMatchObject([{ code: 'projection.replay_mismatch', severity: 'error' }]);
  });

  it('a summary that was an option is in no event: what it kept is told, its hash cannot be checked', () => {
    const json = record(source, { policy: 'summary_prefix', keep_last: 2, summary: 'given' });
    const { outcome, problems } = replayed(source, json);
    expect(outcome).toBe('summary_not_recorded');
    expect(problems).toMatchObject([{ code: 'projection.replay_summary', severity: 'info' }]);
  });

  it.each([
    ['other messages than the last ones', { kept_indices: [3, 5], dropped_indices: [0, 1, 2, 4] }],
    ['more than keep_last says', { kept_indices: [3, 4, 5], dropped_indices: [0, 1, 2] }],
  ])('an unknown summary excuses no other difference: it kept %s', (_name, indices) => {
    const event = JSON.parse(record(source, { policy: 'summary_prefix', keep_last: 2, summary: 'given' }));
    const json = JSON.stringify({ ...event, metadata: { ...event.metadata, ...indices } });
    expect(replayed(source, json).outcome).toBe('mismatch');
  });
});

it.each(['{"kind":"message"}', '{"kind":"transcript.projection"}', '[]'])('%s is no recorded projection', (json) => {
  expect(readRecordedProjection(json)).toBeNull();
});
