// Turn-scoped system messages: shown until a user's message follows, kept in the request, and free from then on; the same
// by project() and along the call points, whatever policy runs.
import { describe, expect, it } from 'vitest';
import { CacheFollower } from '../../core/insight/cache.ts';
import { cacheRuleOf } from '../../core/insight/cacheRules.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { runCallPoints, type TallyItem } from '../../core/projection/allCallPoints.ts';
import { talliedParts } from '../../core/projection/callPointSums.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemFacts, itemText } from '../../core/view/reader.ts';
import { estimatedTokens, isUnrendered, itemPartTokens, itemTokens } from '../../core/view/tokens.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

const words = (n: number) => 'four '.repeat(n).trim();
const SCOPED = { role: 'system', content: words(100), clear_at: 'next_user_message' };
const MESSAGES = [
  { role: 'user', content: words(50) },
  SCOPED,
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: { path: 'x' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: words(80) }] },
  { role: 'assistant', content: words(20) },
  { role: 'user', content: words(30) },
  SCOPED,
  { role: 'system', content: 'Be brief.' },
  { role: 'assistant', content: words(10) },
  { role: 'user', content: words(5) },
];

const source = transcriptOf(MESSAGES);
const visibleAt = (at: number, spec: unknown = 'raw') =>
  project(source, stagesOf(spec), at).view.items.flatMap((item) =>
    item.kind === 'source' && !isUnrendered(item) ? [item.index] : [],
  );

describe('a turn-scoped system message', () => {
  it.each([
    [2, [0, 1]],
    [3, [0, 1, 2]],
    [4, [0, 2, 3]],
    [9, [0, 2, 3, 4, 5, 6, 7, 8]],
    [10, [0, 2, 3, 4, 5, 7, 8, 9]],
  ])('at call point %d the model is shown %j', (at, visible) => {
    expect(visibleAt(at)).toEqual(visible);
  });

  it('stays in the request, word for word, with a fate that says so', () => {
    const projection = project(source, stagesOf('raw'), 10);
    expect(projection.keptIndices).toHaveLength(10);
    expect(projection.view.items.map((item) => itemText(item, source))).toEqual(MESSAGES.map((m) => JSON.stringify(m)));
    expect(projection.fates[1]).toMatchObject({
      kind: 'kept',
      rule: 'turn_scoped_cleared',
      chip: 'not rendered any more',
    });
    expect(projection.fates[7]?.rule).not.toBe('turn_scoped_cleared');
    expect(projection.reports.at(-1)?.summary).toBe('2 of 2 turn-scoped messages not rendered any more');
    const plain = transcriptOf(MESSAGES.filter((message) => message !== SCOPED));
    expect(project(plain, stagesOf('raw'), 8).reports).toHaveLength(1);
    expect(prefixHash(source, projection.view)).toBe(prefixHash(source, { items: projection.view.items.slice() }));
  });

  it('costs nothing from then on', () => {
    const tokens = estimatedTokens(source);
    const context = { source, tokens, memo: createMemo() };
    const [before, after] = [3, 4].map((at) => project(source, stagesOf('raw'), at).view.items[1]!);
    expect(itemTokens(before!, context)).toBeGreaterThan(100);
    expect(itemTokens(after!, context)).toBe(0);
    expect(itemPartTokens(after!, context)).toEqual([0]);
  });

  it('is left to a policy that takes it out', () => {
    const none = { version: 1, stages: [{ kind: 'sliding_window', options: { keep_turns: 1 } }] };
    expect(visibleAt(10, none)).not.toContain(1);
  });
});

const SPECS: readonly unknown[] = [
  'raw',
  'recorded_compaction',
  'reachability_gc',
  { version: 1, stages: [{ kind: 'sliding_window', options: { keep_turns: 1 } }] },
  { version: 1, stages: [{ kind: 'reachability_gc' }, { kind: 'squash_failed_calls' }] },
];

describe('along the call points', () => {
  it.each(SPECS)('%j: what is counted is what a projection there counts', (spec) => {
    const stages = stagesOf(spec);
    const memo = createMemo();
    const tokens = estimatedTokens(source);
    const tally: TallyItem = (item, out) => {
      if (isUnrendered(item)) return { blocks: 0, marks: [] };
      const counts = itemPartTokens(item, { source, tokens, memo });
      out[0]! += counts.reduce((sum, each) => sum + each, 0);
      return talliedParts(itemFacts(item, source, memo).parts, counts);
    };
    const points = MESSAGES.map((_, at) => at + 1);
    const figures = runCallPoints({ source, stages, points, tally }, () => {
      throw new Error('nothing is asked for');
    });
    for (const { at, byCategory, items } of figures) {
      const { view } = project(source, stages, at);
      const counted = view.items.reduce((sum, item) => sum + itemTokens(item, { source, tokens, memo }), 0);
      expect([at, items, byCategory[0]]).toEqual([at, view.items.length, counted]);
    }
  });

  it('the beginning of a request ends where one is no longer shown, by the step that says so', () => {
    const memo = createMemo();
    const tokens = estimatedTokens(source);
    const tally: TallyItem = (item, out) => {
      const counts = itemPartTokens(item, { source, tokens, memo });
      out[0]! += counts.reduce((sum, each) => sum + each, 0);
      return isUnrendered(item) ? { blocks: 0, marks: [] } : talliedParts(itemFacts(item, source, memo).parts, counts);
    };
    const figures = runCallPoints({ source, stages: stagesOf('raw'), points: [2, 4, 8, 10], tally }, () => {
      throw new Error('nothing is asked for');
    });
    expect(figures.map(({ prefix }) => prefix && [prefix.messages, prefix.brokenBy?.index ?? null])).toEqual([
      null,
      [1, 1],
      [4, null],
      [6, 6],
    ]);
    const broken = figures[1]?.prefix?.brokenBy;
    expect(broken).toMatchObject({ kind: 'turn_scoped', title: 'Turn-scoped messages', rule: 'turn_scoped_cleared' });
    const follower = new CacheFollower(Pricing.one({ rule: cacheRuleOf('claude-opus-5') }));
    const points = figures.map((figure) => follower.next(figure));
    expect(points[1]).toMatchObject({ brokenBy: { kind: 'turn_scoped' } });
    expect(points[2]?.brokenBy).toBeNull();
  });
});
