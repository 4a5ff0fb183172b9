// Long runs of messages that are not sent fold to one row. The law: unfolded, a fold is the rows it stands for; what it
// counts is what they count; row numbers agree in both directions.
import { describe, expect, it } from 'vitest';
import { foldedGoneRuns, goneRuns, isGone, replacementOf } from '../../core/engine/rows/goneRuns.ts';
import type { Row } from '../../core/protocol/types.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { isOneCause } from '../../core/view/fates.ts';
import type { Fate, FateKind } from '../../core/view/types.ts';
import { ALL_CASES } from '../support/cases.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { type TestEngine, testEngine, whenCounted } from './support.ts';

const KEPT: Fate = { kind: 'kept', stage: null, rule: null, reason: '' };
const gone = (kind: FateKind, more: Partial<Fate> = {}): Fate => ({ kind, stage: 0, rule: 'r', reason: 'x', ...more });
const times = (count: number, fate: Fate): Fate[] => Array.from({ length: count }, () => ({ ...fate }));
const runsOf = (fates: readonly Fate[]) =>
  goneRuns(fates.length, {
    kindOf: (index) => fates[index]!.kind,
    areOfOneCause: (a, b) => isOneCause(fates[a]!, fates[b]!),
  });

describe('runs of messages that are not sent', () => {
  it.each<[string, readonly Fate[], readonly (readonly [number, number])[]]>([
    ['eight stay as they are', times(8, gone('summarised')), []],
    ['nine fold', times(9, gone('summarised')), [[0, 9]]],
    [
      'a kept message parts two runs',
      [...times(9, gone('dropped')), KEPT, ...times(9, gone('dropped'))],
      [
        [0, 9],
        [10, 19],
      ],
    ],
    [
      'a merged message is still sent, elsewhere',
      [...times(9, gone('summarised')), ...times(12, gone('merged'))],
      [[0, 9]],
    ],
    ['what is cleared or rewritten stands in the request', times(20, gone('redacted')), []],
    [
      'each summary has its own run',
      [...times(9, gone('summarised', { reason: 'a' })), ...times(9, gone('summarised', { reason: 'b' }))],
      [
        [0, 9],
        [9, 18],
      ],
    ],
    [
      'of a window the turns differ in their reasons, not in their cause',
      times(12, gone('dropped')).map((fate, i) => ({ ...fate, reason: `turn ${i}` })),
      [[0, 12]],
    ],
    [
      'two stages are two causes',
      [...times(9, gone('dropped')), ...times(9, gone('dropped', { stage: 1 }))],
      [
        [0, 9],
        [9, 18],
      ],
    ],
    [
      'two kinds are two causes',
      [...times(9, gone('dropped')), ...times(9, gone('summarised'))],
      [
        [0, 9],
        [9, 18],
      ],
    ],
    ['nothing gone, nothing folded', times(40, KEPT), []],
  ])('%s', (_name, fates, expected) => {
    expect(runsOf(fates)).toEqual(expected.map(([from, to]) => ({ from, to })));
  });

  it('stay open where something within is to be seen', () => {
    const runs = [
      { from: 0, to: 20 },
      { from: 30, to: 60 },
    ];
    expect(foldedGoneRuns(runs, [])).toEqual(runs);
    expect(foldedGoneRuns(runs, [{ from: 59, to: 60 }])).toEqual([runs[0]]);
    expect(foldedGoneRuns(runs, [{ from: 20, to: 30 }])).toEqual(runs);
  });

  it('say what is sent in their place', () => {
    const run = { from: 0, to: 10 };
    const made = (stage: number, from: number, to: number) => ({ item: { stage, covers: { from, to } } });
    expect(replacementOf(run, gone('summarised', { because: 12 }), [])).toEqual({ kind: 'message', index: 12 });
    expect(replacementOf(run, gone('summarised'), [made(1, 0, 10), made(0, 0, 4), made(0, 0, 12)])).toEqual({
      kind: 'synthetic',
      ordinal: 2,
    });
    expect(replacementOf(run, gone('summarised'), [made(1, 0, 10)])).toBeNull();
    expect(replacementOf(run, gone('dropped', { because: 12 }), [made(0, 0, 10)])).toBeNull();
  });

  it('are those found by looking at each message, on random fates', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const fates = randomFates(seededRng(seed));
      expect(runsOf(fates), `seed ${seed}`).toEqual(runsByEye(fates));
    }
  });
});

function randomFates(rng: Rng): readonly Fate[] {
  const kinds: readonly FateKind[] = ['kept', 'dropped', 'summarised', 'merged', 'redacted'];
  const fates: Fate[] = [];
  while (fates.length < 120) {
    const kind = kinds[rng.below(kinds.length)] ?? 'kept';
    const fate = kind === 'kept' ? KEPT : gone(kind, { stage: rng.below(2), reason: `r${rng.below(2)}` });
    fates.push(...times(1 + rng.below(16), fate));
  }
  return fates;
}

function runsByEye(fates: readonly Fate[]) {
  const cause = ({ kind, stage, reason }: Fate) => `${kind} ${stage} ${kind === 'summarised' ? reason : ''}`;
  const runs: { from: number; to: number }[] = [];
  fates.forEach((fate, index) => {
    const last = runs.at(-1);
    const before = fates[index - 1];
    if (last && last.to === index && before && cause(before) === cause(fate)) last.to = index + 1;
    else runs.push({ from: index, to: index + 1 });
  });
  return runs.filter(({ from, to }) => to - from > 8 && isGone(fates[from]!.kind));
}

const SPECS: readonly unknown[] = [
  'recorded_compaction',
  { version: 1, stages: [{ kind: 'recorded_compaction' }, { kind: 'sliding_window', options: { turns: 3 } }] },
  { version: 1, stages: [{ kind: 'summary_prefix', options: { keep_last: 40 } }] },
  { version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'sliding_window', options: { turns: 2 } }] },
  { version: 1, stages: [{ kind: 'context_policy', options: { max_input_tokens: 2000 } }], budget: { window: 4000 } },
];

describe('folded rows', () => {
  const rowsOf = async ({ client }: TestEngine, id: string, spec: unknown, more: object) => {
    const rows = { from: 0, to: 100_000 };
    const info = await client.call('projection.set', { id, spec, at: null, rows, tokenizer: 'o200k_base', ...more });
    return { projectionId: info.projectionId, rows: info.rows?.rows ?? [] };
  };
  const unnumbered = ({ row: _row, ...rest }: Row) => rest;

  it('are found by a message in them: the rows around it come with the projection', async () => {
    const engine = testEngine();
    const id = await engine.add('made.jsonl', compactedSession(30).text);
    await whenCounted(engine.client, id);
    const spec = SPECS[0];
    const { projectionId, rows } = await rowsOf(engine, id, spec, { foldGone: true });
    const messages = 1 + Math.max(...rows.map(({ index }) => index));
    for (let index = 0; index < messages; index++) {
      const around = { index, before: 2, after: 3 };
      const info = await engine.client.call('projection.set', { id, spec, at: null, foldGone: true, around });
      const { row } = await engine.client.call('projection.rowOf', { projectionId, index });
      expect(info.aroundRow).toBe(row);
      expect(info.rows?.rows.map((each) => each.row)).toEqual(
        rows.slice(Math.max(0, row - 2), row + 3).map((each) => each.row),
      );
    }
    const beyond = { index: 100_000, before: 2, after: 3 };
    const info = await engine.client.call('projection.set', { id, spec, at: null, foldGone: true, around: beyond });
    expect([info.aroundRow, info.rows]).toEqual([null, null]);
  });

  it.each(SPECS.flatMap((spec) => (ALL_CASES ? [1, 2, 3] : [1, 2]).map((seed) => [spec, seed] as const)))(
    'stand for the rows they fold: %j, seed %i',
    async (spec, seed) => {
      const engine = testEngine();
      const text = seed === 1 ? compactedSession(30).text : claudeCodeFile({ messages: 300, seed });
      const id = await engine.add('made.jsonl', text);
      await whenCounted(engine.client, id);
      const flat = (await rowsOf(engine, id, spec, {})).rows;
      const { projectionId, rows } = await rowsOf(engine, id, spec, { foldGone: true });
      const unfolded = rows.flatMap((row) => (row.gone ? flat.filter(isWithin(row)) : [row]));
      if (seed === 1 && spec === SPECS[0]) expect(rows.filter(({ gone }) => gone)).toHaveLength(1);
      expect(unfolded.map(unnumbered).map(withoutRows)).toEqual(flat.map(unnumbered).map(withoutRows));
      for (const row of rows) {
        const at = row.kind === 'synthetic' ? null : { index: row.index, part: row.part };
        if (at) expect((await engine.client.call('projection.rowOf', { projectionId, ...at })).row).toBe(row.row);
        if (!row.gone) continue;
        const within = flat.filter(isWithin(row));
        expect(row.gone.messages).toBe(new Set(within.map(({ index }) => index)).size);
        expect(row.raw?.tokens).toBe(within.reduce((sum, { raw }) => sum + (raw?.tokens ?? 0), 0));
        for (const one of within) {
          expect([one.fate, one.projected]).toEqual([row.fate, null]);
          const found = await engine.client.call('projection.rowOf', {
            projectionId,
            index: one.index,
            part: one.part,
          });
          expect(found.row).toBe(row.row);
        }
        const { into } = row.gone;
        if (into?.kind === 'synthetic') {
          expect(rows[into.row]).toMatchObject({ kind: 'synthetic', projected: { tokens: into.tokens } });
        }
        // Opening one message of it opens all of it, and nothing else.
        const open = await rowsOf(engine, id, spec, {
          foldGone: true,
          unfold: [{ from: (row.to ?? 1) - 1, to: row.to ?? 1 }],
        });
        expect(open.rows.map(({ key }) => key)).toEqual(
          rows.flatMap((one) => (one.key === row.key ? within.map(({ key }) => key) : [one.key])),
        );
      }
    },
  );

  it('are there in side by side, not in the Model view, which has no row for what is not sent', async () => {
    const engine = testEngine();
    const id = await engine.add('made.jsonl', compactedSession(30).text);
    const side = await rowsOf(engine, id, 'recorded_compaction', { foldGone: true });
    const model = await rowsOf(engine, id, 'recorded_compaction', { foldGone: true, ghosts: false });
    expect(side.rows.filter(({ gone }) => gone)).toHaveLength(1);
    expect(model.rows.map(unnumbered)).toEqual(side.rows.filter(({ gone }) => !gone).map(unnumbered));
  });

  const isWithin = (fold: Row) => (row: Row) =>
    row.kind === 'part' && row.index >= fold.index && row.index < (fold.to ?? 0);
  // Of what is sent in its place the number of the row differs, as it must.
  const withoutRows = ({ gone: _gone, ...rest }: Omit<Row, 'row'>) => rest;
});
