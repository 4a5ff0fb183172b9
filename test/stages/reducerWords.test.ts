// Every reducer says of every message which rule decided, with which value against which threshold. A table over all
// parameters: of gone and kept messages alike, the sentence that tooltip, drawer and command line print.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { createBudget, type Tier } from '../../core/tokens/budget.ts';
import { stagesOf } from '../support/projecting.ts';

const user = (content: unknown = 'q') => ({ role: 'user', content });
const says = (content: string) => ({ role: 'assistant', content });
const call = (id: string, name: string) => ({ role: 'assistant', content: '', tool_calls: [{ id, name }] });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x'.repeat(400) });
const system = { role: 'system', content: 'x'.repeat(40) };
const long = 'x'.repeat(400);

/** A system prompt, three turns of a call with its result (100 tokens each), and a question: #1–#3, #4–#6, #7–#9, #10. */
const SESSION = [
  system,
  ...[user(), call('a', 'read'), result('a')],
  ...[user(), call('b', 'list'), result('b')],
  ...[user(), call('c', 'read'), result('c')],
  user(),
];
/** Three turns of 101 tokens, #1–#2, #3–#4, #5–#6. */
const TURNS = [system, ...[1, 2, 3].flatMap(() => [user(), says(long)])];

interface Given {
  readonly total?: number;
  readonly caps?: Readonly<Partial<Record<Tier, number>>>;
  readonly reserve?: number;
  readonly summaries?: readonly SummaryArtifact[];
}

function run(messages: readonly unknown[], kind: string, options: object, given: Given = {}): Projection {
  const { total = 10_000, caps = {}, reserve = 0, summaries = [] } = given;
  const budget = createBudget({
    window: total + reserve,
    reserveOutput: 0,
    injectionReserve: reserve,
    caps: Object.fromEntries(Object.entries(caps).map(([tier, tokens]) => [tier, { tokens }])),
  });
  const source = memorySource(
    messages.map((message) => JSON.stringify(message)),
    null,
    [],
    summaries,
  );
  return project(source, stagesOf({ version: 1, stages: [{ kind, options }] }), source.length, { budget });
}

type Row = readonly [what: string, options: object, index: number, rule: string, reason: string, given?: Given];

function table(kind: string, messages: readonly unknown[], rows: readonly Row[]): void {
  for (const [what, options, index, rule, reason, given] of rows) {
    it(what, () => {
      const { fates } = run(messages, kind, options, given);
      expect([fates[index]?.rule, fates[index]?.reason]).toEqual([rule, reason]);
    });
  }
}

describe('retention', () => {
  const R = 'result_expired';
  table('tool_result_retention', SESSION, [
    ['no result', {}, 1, 'not_concerned', 'kept: holds no tool result'],
    ['age, gone', { value: 2 }, 3, R, 'expired: 3 ≥ 2 turns'],
    ['age, kept', { value: 2 }, 9, 'result_young', 'kept: younger than 2 turns (1)'],
    ['count, gone', { mode: 'count', value: 1 }, 3, R, 'expired: 1 ≥ 1 later result of read'],
    ['count, kept', { mode: 'count', value: 1 }, 9, 'result_young', 'kept: fewer than 1 later result of read (0)'],
    ['never', { mode: 'never' }, 3, 'never_evict', 'kept: results never expire (mode never)'],
    ['a tool’s rule, gone', { per_tool: { read: { value: 1 } } }, 3, R, 'expired: 3 ≥ 1 turn (rule of read)'],
    [
      'a tool’s rule, kept',
      { value: 0, per_tool: { list: { mode: 'count', value: 3 } } },
      6,
      'result_young',
      'kept: fewer than 3 later results of list (0) (rule of list)',
    ],
    [
      'a tool’s rule never',
      { value: 0, per_tool: { list: { mode: 'never' } } },
      6,
      'never_evict',
      'kept: results of list never expire (rule of list: never)',
    ],
    [
      'never_evict',
      { value: 0, never_evict: ['list'] },
      6,
      'never_evict',
      'kept: results of list never expire (never_evict)',
    ],
    ['every, gone', { value: 1, every: 3 }, 3, R, 'expired: 2 ≥ 1 turn, as of turn 3'],
    ['every, kept', { value: 3, every: 4 }, 9, 'result_young', 'kept: younger than 3 turns (1), as of turn 4'],
    [
      'every, not due',
      { value: 1, every: 3 },
      9,
      'result_not_due',
      'kept: retention acts every 3 turns, last at turn 3, before this result; next at turn 6',
    ],
    [
      'every, not yet',
      { value: 1, every: 9 },
      3,
      'result_not_due',
      'kept: retention acts every 9 turns, has not yet; next at turn 9',
    ],
    [
      'a cap, gone early',
      {},
      3,
      'over_tier_cap',
      'expired early: tool results take 300 tokens, over their cap of 210; the oldest go first, this one of 100',
      { caps: { tool_result: 210 } },
    ],
    [
      'a cap, kept',
      {},
      9,
      'result_young',
      'kept: younger than 6 turns (1); all results take 204 tokens ≤ their cap of 210',
      { caps: { tool_result: 210 } },
    ],
    [
      'a cap that cannot be kept',
      { mode: 'never' },
      3,
      'never_evict',
      'kept: results never expire (mode never); all results take 300 tokens > their cap of 210',
      { caps: { tool_result: 210 } },
    ],
  ]);
});

describe('the window', () => {
  const GONE = 'older_than_window';
  table('sliding_window', TURNS, [
    ['before the first turn', {}, 0, 'before_first_turn', 'kept: comes before the first turn'],
    ['turns, gone', { turns: 2 }, 2, GONE, 'dropped: turn 3 from the end > 2 turns to keep'],
    ['turns, kept', { turns: 2 }, 4, 'in_window', 'kept: turn 2 from the end ≤ 2 turns to keep'],
    [
      'every, gone',
      { turns: 1, every: 2 },
      1,
      GONE,
      'dropped: turn 3 from the end > 1 turn to keep, dropped 2 at a time',
    ],
    [
      'every, kept',
      { turns: 2, every: 2 },
      2,
      'in_window',
      'kept: turn 3 from the end, of more than 2 to keep; turns go 2 at a time and never between a call and its result',
    ],
    [
      'tokens, gone',
      { tokens: 220 },
      2,
      'over_tokens',
      'dropped: with turn 3 from the end it would be 313 tokens > 220, the cap (tokens)',
    ],
    [
      'tokens, kept',
      { tokens: 220 },
      4,
      'in_window',
      'kept: turn 2 from the end ≤ 40 turns to keep; with it 212 tokens ≤ 220, the cap (tokens)',
    ],
    [
      'tokens, the last turn whatever it takes',
      { tokens: 50 },
      6,
      'in_window',
      'kept: turn 1 from the end ≤ 40 turns to keep; with it 111 tokens > 50, the cap (tokens), but what stays cannot be parted further',
    ],
    [
      'fit_budget, gone',
      { fit_budget: true },
      2,
      'over_budget',
      'dropped: with turn 3 from the end it would be 313 tokens > 250, the budget',
      { total: 250 },
    ],
    [
      'fit_budget, kept',
      { fit_budget: true },
      4,
      'in_window',
      'kept: turn 2 from the end ≤ 40 turns to keep; with it 212 tokens ≤ 250, the budget',
      { total: 250 },
    ],
    [
      'a cap on a tier, gone',
      {},
      2,
      'over_tier_cap',
      'dropped: with turn 3 from the end it would be 300 tokens > 250, the cap on assistant tokens',
      { caps: { assistant: 250 } },
    ],
    [
      'a cap on a tier, kept',
      {},
      4,
      'in_window',
      'kept: turn 2 from the end ≤ 40 turns to keep; with it 200 tokens ≤ 250, the cap on assistant tokens',
      { caps: { assistant: 250 } },
    ],
  ]);
});

describe('the summary', () => {
  const written: SummaryArtifact = { from: 1, to: 3, content: 'so far', version: 2, origin: 'written' };
  const over: Given = { total: 100 };
  table('summary', TURNS, [
    ['within the budget', {}, 1, 'not_concerned', 'kept: no summary: 313 tokens ≤ 10,000 of the budget'],
    [
      'no turn is older',
      { keep_turns: 3 },
      1,
      'not_concerned',
      'kept: no summary: no turn is older than the last 3 turns (keep_turns); over budget by 213 tokens all the same',
      over,
    ],
    ['the system prompt', {}, 0, 'system_prompt', 'kept: the system prompt stays before the summary', over],
    [
      'a placeholder, gone',
      {},
      1,
      'summary_placeholder',
      'older than the last 2 turns; no summary applies, a placeholder replaces it (313 tokens > 100 of the budget)',
      over,
    ],
    ['the tail', {}, 3, 'in_tail', 'kept: among the last 2 turns (keep_turns)', over],
    [
      'a written one, gone',
      { keep_turns: 1 },
      1,
      'summary_written',
      'older than the last 1 turn; the written summary, version 2, of #1–#2 replaces it (313 tokens > 100 of the budget)',
      { ...over, summaries: [written] },
    ],
    [
      'behind a written one',
      { keep_turns: 1 },
      3,
      'behind_summary',
      'kept: the written summary, version 2, of #1–#2 ends before it',
      { ...over, summaries: [written] },
    ],
    [
      'always',
      { when: 'always', keep_turns: 1 },
      1,
      'summary_placeholder',
      'older than the last 1 turn; no summary applies, a placeholder replaces it',
    ],
  ]);
  table('summary', SESSION, [
    [
      'the pair in which a written one ends',
      { when: 'always' },
      2,
      'pair_stays_whole',
      'kept: the written summary, version 2, of #1–#2 ends between a call and its result',
      { summaries: [written] },
    ],
  ]);
});

describe('injection', () => {
  table('injection', TURNS, [
    ['every message', { entries: { plan: 'mend it' } }, 1, 'not_concerned', 'kept: injection only adds'],
  ]);

  it.each([
    ['the common reserve', { entries: { plan: 'mend it' } }, 'before', 'reserve 50'],
    ['its own, behind', { entries: { plan: { text: 'mend it', reserve: 9 } }, place: 'after' }, 'after', 'reserve 9'],
  ])('what it puts in names its size and its reserve: %s', (_what, options, place, reserve) => {
    const { view } = run(TURNS, 'injection', options, { reserve: 50 });
    const [made] = view.items.flatMap((item) => (item.kind === 'synthetic' ? [item.made?.reason] : []));
    expect(made).toBe(`plan: injected at every request, right ${place} the last user message (2 tokens, ${reserve})`);
  });
});

describe('caps on tiers', () => {
  const thinks = (reasoning: string) => ({ role: 'assistant', content: 'a', reasoning });
  const messages = [user(), thinks(long), thinks(long), { ...thinks(long), thinking_signature: 's' }, thinks(long)];
  const caps = { thinking: 350 };
  table('tier_caps', messages, [
    ['no cap', {}, 1, 'not_concerned', 'kept: no cap on images, thinking or calls is set'],
    ['nothing of the tier', {}, 0, 'not_concerned', 'kept: holds nothing of the capped tiers (thinking)', { caps }],
    [
      'under the cap',
      {},
      1,
      'under_tier_cap',
      'kept: thinking takes 400 tokens ≤ 500, their cap',
      { caps: { thinking: 500 } },
    ],
    [
      'gone',
      {},
      1,
      'over_tier_cap',
      'thinking removed: thinking takes 400 tokens, over the cap of 350; the oldest go first, this one of 100',
      { caps },
    ],
    [
      'kept behind those that went',
      {},
      2,
      'under_tier_cap',
      'kept: with 1 older thought gone thinking takes 300 tokens ≤ 350, their cap',
      { caps },
    ],
    [
      'every, gone',
      { every: 2 },
      2,
      'over_tier_cap',
      'thinking removed: thinking takes 400 tokens, over the cap of 350; the oldest go first, this one of 100',
      { caps },
    ],
    [
      'keep',
      { keep: 2 },
      4,
      'newest_of_tier',
      'kept: among the newest 2 that may go (keep 2; thinking takes 400 tokens, cap 0)',
      { caps: { thinking: 0 } },
    ],
    ['signed', {}, 3, 'locked_signed', 'kept: signed thinking (thinking takes 400 tokens, cap 350)', { caps }],
  ]);
});
