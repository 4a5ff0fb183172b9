// What the Request tab says, and which requests it leads to.
import { describe, expect, it } from 'vitest';
import type { RequestCause, RequestChange, SeriesPoint } from '../../core/protocol/types.ts';
import { isChanged, nextChanged } from '../../renderer/request/commands.ts';
import { causePlace, describeRequestChange, describeRest, formatDifference } from '../../renderer/request/words.ts';

const cause = (over: Partial<RequestCause>): RequestCause => ({
  kind: 'new',
  stage: null,
  title: null,
  rule: null,
  reason: '',
  tokens: 100,
  messages: 3,
  first: 4,
  last: 6,
  ...over,
});

const change = (causes: readonly RequestCause[], over: Partial<RequestChange> = {}): RequestChange => ({
  at: 7,
  before: 4,
  tokens: { before: 500, now: 600, provenance: 'exact' },
  recorded: { before: null, now: null },
  causes,
  elapsed: null,
  models: { before: 'm', now: 'm' },
  thinking: { before: null, now: null },
  ...over,
});

const summary = cause({ kind: 'summarised', stage: 0, title: 'Recorded compaction', tokens: -9000, messages: 270 });

describe('the sentence', () => {
  it('says that there is none before the first', () => {
    expect(describeRequestChange(change([], { before: null }))).toMatch(/^This is the first request\./);
  });
  it('says that the request only grew', () => {
    expect(describeRequestChange(change([cause({})]))).toBe('3 new messages, nothing else changed.');
    expect(describeRequestChange(change([cause({ messages: 1 })]))).toBe('1 new message, nothing else changed.');
    expect(describeRequestChange(change([]))).toBe('No messages were added, nothing else changed.');
  });
  it('names the stage of the largest cause, and says when it is nearly all', () => {
    expect(describeRequestChange(change([summary, cause({ tokens: 900 })]))).toBe(
      'Recorded compaction summarised 270 messages. That is nearly the whole change.',
    );
    expect(describeRequestChange(change([summary, cause({ tokens: 1100 })]))).toBe(
      'Recorded compaction summarised 270 messages.',
    );
    // New messages are no change of what was there, however many came.
    expect(describeRequestChange(change([cause({ tokens: 90_000 }), summary]))).toMatch(/^Recorded compaction/);
  });
  it('says that the cache was lost, and that the model changed', () => {
    expect(describeRequestChange(change([cause({})]), true)).toBe(
      'Cache lost, though the messages only grew: 3 new messages.',
    );
    expect(describeRequestChange(change([summary]), true)).toMatch(/The cache was lost with it\.$/);
    expect(describeRequestChange(change([cause({})], { models: { before: 'a', now: 'b' } }))).toMatch(
      /Model changed: a to b\.$/,
    );
  });
});

describe('a cause', () => {
  it('says where its messages are, and who decided', () => {
    expect(causePlace(summary)).toBe('#4–#6, 270 messages, by Recorded compaction');
    expect(causePlace(cause({ messages: 1, first: 4, last: 4 }))).toBe('#4');
    expect(causePlace(cause({ messages: 5, first: 4, last: 10, title: 'Pin' }))).toBe('5 messages of #4–#10, by Pin');
    expect(causePlace(cause({ kind: 'put_in', first: null, last: null, messages: 1, title: 'Summary' }))).toBe(
      '1 message, by Summary',
    );
  });
  it('shows its tokens with their sign and what they are', () => {
    expect(formatDifference(-244_410, 'calibrated')).toBe('≈−244,410');
    expect(formatDifference(916, 'estimated')).toBe('~+916');
    expect(formatDifference(0, 'exact')).toBe('±0');
  });
});

it('what did not change says the time between, and what nobody records', () => {
  const said = describeRest(change([], { elapsed: 5000 }), () => '5 s');
  expect(said).toBe('Model m. Time since #4: 5 s. System prompt and tools are not recorded per request.');
});

describe('requests that changed', () => {
  const point = (at: number, brokenBy: unknown): SeriesPoint =>
    ({ at, turn: 1, byCategory: [], cache: { brokenBy } }) as unknown as SeriesPoint;
  const points = [point(2, null), point(5, {}), point(8, null), point(11, {})];
  it('are found in both directions, and never the one on screen', () => {
    expect(points.map(isChanged)).toEqual([false, true, false, true]);
    expect(nextChanged(points, 2, 1)).toBe(5);
    expect(nextChanged(points, 5, 1)).toBe(11);
    expect(nextChanged(points, 11, 1)).toBeNull();
    expect(nextChanged(points, 11, -1)).toBe(5);
    expect(nextChanged(points, 5, -1)).toBeNull();
  });
});
