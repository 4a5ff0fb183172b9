// What a recorded projection shows at its call point: the runtime's own view, whatever form it is recorded in.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { ProjectionEvent, TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { runCallPoints } from '../../core/projection/allCallPoints.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { PAUSE } from '../../core/view/types.ts';
import { comparable, naiveCallPoints, plainTally } from '../oracle/callPoints.ts';
import { checkProjection } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { acpLineOf, eventOf, logLineOf } from '../support/recordedEvents.ts';

const BODY = 'some line\n'.repeat(60);
const MESSAGES = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'run', arguments: {} }] },
  { role: 'tool', tool_call_id: 'a', name: 'run', content: 'Error: no' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'b', name: 'run', arguments: {} }] },
  { role: 'tool', tool_call_id: 'b', name: 'run', content: BODY },
  { role: 'user', content: 'go on' },
  { role: 'assistant', content: 'done' },
].map((message) => JSON.stringify(message));
const plain = memorySource(MESSAGES, 'so far');
const STAGES = stagesOf({ version: 1, stages: [{ kind: 'recorded_projection' }] });
const SIX = 6;

function recorded(texts: readonly string[], events: readonly ProjectionEvent[]): TranscriptSource {
  return { ...memorySource(texts, 'so far'), projections: () => events };
}

const placed = (value: object, superseded = false): ProjectionEvent => ({
  json: JSON.stringify(value),
  at: SIX,
  superseded,
});

function shown(
  source: TranscriptSource,
  at = SIX,
  spec: unknown = { version: 1, stages: [{ kind: 'recorded_projection' }] },
) {
  const projection = project(source, stagesOf(spec), at);
  return { hash: prefixHash(source, projection.view), report: projection.reports.at(-1), projection };
}

const SPECS = [
  'raw',
  'clean_tool_repair',
  'squash_failed_calls',
  { policy: 'summary_prefix', keep_last: 2 },
  { policy: 'reachability_gc', root_window: 1 },
];

describe('the recorded view, in every form', () => {
  it.each(SPECS)('%j as an event', (spec) => {
    const event = eventOf(plain, spec, SIX);
    const { hash, report } = shown(recorded(MESSAGES, [placed(event)]));
    expect(hash).toBe(event.metadata.prefix_hash);
    expect(report?.meta).toMatchObject({ outcome: 'reproduced', policy: event.metadata.policy });
  });

  it.each(SPECS)('%j as a line of a log, and as a host is told', (spec) => {
    for (const line of [logLineOf(plain, spec, SIX), acpLineOf(plain, spec, SIX)]) {
      // summary_prefix does not say in these how many it keeps.
      const isTold = typeof spec === 'string' || spec.policy !== 'summary_prefix';
      const { hash, report } = shown(recorded(MESSAGES, [placed(line)]));
      if (isTold) expect(hash).toBe(eventOf(plain, spec, SIX).metadata.prefix_hash);
      expect(report?.meta?.outcome).toBe(isTold ? 'reproduced' : 'unchecked');
    }
  });

  it('by its own decision, where options that no event holds were set', () => {
    const texts = MESSAGES.map((text) => text.replace('some line', 'a'.repeat(300)).replaceAll('some line', ''));
    const event = eventOf(memorySource(texts), { policy: 'reachability_gc', root_window: 1, min_chars: 100 }, SIX);
    const { hash, report, projection } = shown(recorded(texts, [placed(event)]));
    expect([hash, report?.meta?.outcome]).toEqual([event.metadata.prefix_hash, 'decision_holds']);
    expect(projection.fates[4]).toMatchObject({ kind: 'redacted', rule: 'recorded_projection' });
    expect(projection.pointers).toEqual(event.metadata.redaction_pointers);
    expect(report?.reclaimedChars).toBe(event.metadata.reclaimed_chars);
  });
});

describe('it says what it does not show', () => {
  it('a summary that was an option', () => {
    const event = eventOf(plain, { policy: 'summary_prefix', keep_last: 2, summary: 'given' }, SIX);
    const { report, projection } = shown(recorded(MESSAGES, [placed(event)]));
    expect(projection.view.items[0]).toMatchObject({ kind: 'synthetic', covers: { from: 0, to: 4 } });
    expect(projection.view.items[0]?.text).toContain('its text is not recorded');
    expect(report).toMatchObject({
      meta: { outcome: 'summary_not_recorded' },
      problems: [{ code: 'projection.recorded_summary', severity: 'info' }],
    });
  });

  it.each([
    ['names what it kept', (event: object) => event, 4],
    [
      'names nothing',
      ({ metadata: { kept_indices: _kept, ...metadata }, ...event }: ReturnType<typeof eventOf>) => ({
        ...event,
        metadata,
      }),
      6,
    ],
  ])('an event whose hash is not to be had and that %s', (_name, change, kept) => {
    const event = eventOf(plain, 'clean_tool_repair', SIX);
    const wrong = { ...event, metadata: { ...event.metadata, prefix_hash: `sha256:${'0'.repeat(64)}` } };
    const { report, projection } = shown(recorded(MESSAGES, [placed(change(wrong))]));
    expect(projection.view.items).toHaveLength(kept);
    expect(report).toMatchObject({
      meta: { outcome: 'mismatch' },
      problems: [{ code: 'projection.recorded_unverified', severity: 'warning' }],
    });
  });

  it('that a stage came before it', () => {
    const event = eventOf(plain, 'clean_tool_repair', SIX);
    const stages = [{ kind: 'summary_prefix', options: { keep_last: 4 } }, { kind: 'recorded_projection' }];
    const { report } = shown(recorded(MESSAGES, [placed(event)]), SIX, { version: 1, stages });
    expect(report?.meta?.outcome).toBe('unchecked');
  });
});

describe('where no projection is recorded the history stays', () => {
  const event = placed(eventOf(plain, 'clean_tool_repair', SIX));
  it.each([
    ['at another call point', recorded(MESSAGES, [event]), 4],
    ['nowhere', plain, SIX],
    ['but before a compaction', recorded(MESSAGES, [{ ...event, superseded: true }]), SIX],
  ])('%s', (_name, source, at) => {
    expect(shown(source, at).projection.keptIndices).toHaveLength(at);
  });

  it('of two for one call point the last counts', () => {
    const { report } = shown(recorded(MESSAGES, [event, placed(eventOf(plain, 'raw', SIX))]));
    expect(report?.meta?.policy).toBe('raw');
  });
});

it.each(SHAPES)('at every call point as if projected there, and lawful: %s', (shape) => {
  const rng = seededRng(shape.length);
  const texts = randomTranscript({ seed: shape.length, shape, turns: 6 });
  const events = callPoints(memorySource(texts)).flatMap((at) =>
    rng.chance(0.3) ? [] : [{ ...placed(eventOf(memorySource(texts), rng.pick(SPECS), at)), at }],
  );
  const kept = { ...memorySource(texts), projections: () => events };
  const points = callPoints(kept);
  const expected = naiveCallPoints(kept, STAGES, points, { budget: null });
  const memo = createMemo();
  const tally = plainTally(kept, memo);
  const found = runCallPoints({ source: kept, stages: STAGES, points, tally, options: { memo } }, () => PAUSE);
  expect(found.map((figures, at) => comparable(figures, expected[at]))).toEqual(expected);
  // summary_prefix may keep a result without its call, as Harn's does.
  for (const at of points)
    expect(checkProjection(kept, STAGES, at).filter((fault) => !/is torn$/.test(fault))).toEqual([]);
});
