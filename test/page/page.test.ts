// A page answers as the engine does, of everything it holds; and what it says is sent is the body of the request.
import { describe, expect, test } from 'vitest';
import type { PageDescribed } from '../../core/page/types.ts';
import { allPresets, PRESETS, presetNamed } from '../../core/projection/presets.ts';
import { sentWords } from '../../core/projection/sent.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { Params, ResultOf } from '../../core/protocol/methods.ts';
import type { MessageDetail, Row } from '../../core/protocol/types.ts';
import { NO_TRAITS } from '../../core/view/stageTraits.ts';
import { pageEngine } from '../../renderer/page/pageEngine.ts';
import type { EngineClient as Answers } from '../../renderer/state/engine.ts';
import { failureOf, MESSAGES, sessionFile, testEngine, whenCounted } from '../engine/support.ts';
import { COMPOSED_MESSAGES, COMPOSED_SPEC } from '../support/composedTranscript.ts';
import { captured, headOf, pieceSource } from './support.ts';

const RAW = { version: 1, stages: [] };
const preset = (name: string) => PRESETS.find((one) => one.name === name)?.spec ?? RAW;
/** Turns enough for runs that fold, and a text in two units a character. */
const LONG = Array.from({ length: 120 }, (_, n) =>
  n % 2 === 0
    ? { role: 'user', content: `Question ${n}: where is the harbour? 🛥 ${'far '.repeat(n)}` }
    : { role: 'assistant', content: [{ type: 'text', text: `Answer ${n} <script>alert(${n})</script>` }] },
);

const EXAMPLES: readonly (readonly [string, string, unknown])[] = [
  ['composed, raw', JSON.stringify({ messages: COMPOSED_MESSAGES }), RAW],
  ['composed, all steps', JSON.stringify({ messages: COMPOSED_MESSAGES }), COMPOSED_SPEC],
  ['parts, pictures', sessionFile(MESSAGES), preset('reducer_pipeline')],
  [
    'folds',
    JSON.stringify({ messages: LONG }),
    { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 4 } }] },
  ],
  [
    'folds and a summary',
    JSON.stringify({ messages: LONG }),
    { version: 1, stages: [{ kind: 'summary_prefix', options: { keep_last: 30 } }, { kind: 'hygiene' }] },
  ],
  ['clean and pin', JSON.stringify({ messages: COMPOSED_MESSAGES }), preset('clean_then_reclaim')],
];

/** As recorded, raw, plain and after recorded compaction; a name that begins as another does. */
const SOME = [
  'as_recorded',
  'raw',
  'retention',
  'retention_chunked',
  'clean_then_reclaim_after_recorded',
  'as_projected',
];

/** What sentWords is asked of a projection at the end of a transcript, with what is known of its stages. */
function wordsOf(
  spec: ProjectionSpec,
  hasCompactions: boolean,
  known: Pick<PageDescribed, 'stages' | 'presets'>,
): string {
  const traitsOf = (kind: string) => known.stages.find((stage) => stage.kind === kind)?.traits ?? NO_TRAITS;
  const question = { spec, at: 4, messages: 4, hasCompactions, forkedAt: null, traitsOf };
  return sentWords(question, allPresets(known.presets)).title;
}

type Set = Omit<Params<'projection.set'>, 'id' | 'spec' | 'at'>;
const WAYS: readonly Set[] = [
  { fold: false, foldGone: true },
  { fold: true, foldGone: true },
  { fold: false, foldGone: true, ghosts: false },
  { fold: true, foldGone: true, ghosts: false },
  { fold: false, foldGone: true, unfold: [{ from: 5, to: 6 }] },
  { fold: true, foldGone: true, unfold: [{ from: 0, to: 1_000 }] },
  { fold: false, foldGone: true, visible: 14 },
];

async function both(text: string, spec: unknown) {
  const { client, add } = testEngine();
  const id = await add('s.json', text);
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const pieces = await captured(client, id, spec);
  const page = pageEngine(headOf(pieces), pieceSource(pieces));
  return { client, page, id };
}

async function rowsOf(engine: Answers, id: string, spec: unknown, way: Set) {
  const info = await engine.call('projection.set', { id, spec, at: null, hash: 'now', ...way });
  const { projectionId, rowCount } = info;
  const { rows } = await engine.call('projection.rows', { projectionId, from: 0, to: rowCount });
  return { info, rows, projectionId };
}

/** Ids of projections and the time they took are each engine's own. */
function figures({ projectionId: _, ms: _ms, rows: _rows, aroundRow: _row, ...rest }: ResultOf<'projection.set'>) {
  return rest;
}

test('a page shows the watchpoints of its bundle and what became of them, as the engine says it', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: LONG }));
  const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 4 } }] };
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  await client.call('watch.add', { id, text: 'Question 2:', name: 'the second', color: 2 });
  await client.call('watch.add', { id, text: 'nobody says this' });
  const pieces = await captured(client, id, spec);
  const page = pageEngine(headOf(pieces), pieceSource(pieces));
  const list = await client.call('watch.list', { id });
  expect(await page.call('watch.list', { id })).toEqual(list);
  const states = await client.call('watch.states', { id, spec });
  expect(await page.call('watch.states', { id, spec })).toEqual(states);
  expect(states.texts.map(({ firstLoss }) => firstLoss?.stageTitle ?? null)).toEqual(['Sliding window', null]);
});

test('a page calls what is sent, and its policy, as the app does: under a preset, after compaction, as recorded, edited', async () => {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ messages: LONG.slice(0, 4) }));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const all = await client.call('spec.describe', {});
  const edited = {
    version: 1 as const,
    name: 'window_40',
    stages: [{ kind: 'sliding_window', options: { turns: 7 } }],
  };
  const own = { version: 1 as const, name: 'mine', stages: [{ kind: 'clean_tool_repair' }] };
  for (const spec of [...SOME.flatMap((name) => presetNamed(name)?.spec ?? []), edited, own]) {
    const { described } = headOf(await captured(client, id, spec));
    for (const hasCompactions of [true, false]) {
      expect(wordsOf(spec, hasCompactions, described), spec.name).toBe(wordsOf(spec, hasCompactions, all));
    }
  }
});

describe.each(EXAMPLES)('a page of %s', (_name, text, spec) => {
  test('shows the rows that the engine shows, in every list and with any fold open', async () => {
    const { client, page, id } = await both(text, spec);
    for (const way of WAYS) {
      const [here, there] = [await rowsOf(client, id, spec, way), await rowsOf(page, id, spec, way)];
      expect(there.rows.map(({ key }) => key).join(' '), JSON.stringify(way)).toBe(
        here.rows.map(({ key }) => key).join(' '),
      );
      expect(there.rows, JSON.stringify(way)).toEqual(here.rows);
      expect(figures(there.info)).toEqual(figures(here.info));
      await samePlaces(client, here.projectionId, page, there.projectionId, here.rows);
    }
  });

  test('says of every message what the engine says of it: the texts, what became of it, what each stage said', async () => {
    const { client, page, id } = await both(text, spec);
    const way = { fold: false, foldGone: false };
    const [here, there] = [await rowsOf(client, id, spec, way), await rowsOf(page, id, spec, { fold: false })];
    for (let index = 0; index < here.info.at; index++) {
      for (const limit of [25, 60_000]) {
        const detail = await client.call('projection.detail', { projectionId: here.projectionId, index, limit });
        const shown = await page.call('projection.detail', { projectionId: there.projectionId, index, limit });
        expect(shown).toEqual({ ...detail, origins: [] });
      }
      if (here.info.reports.length < 2) continue;
      const why = await client.call('projection.why', { projectionId: here.projectionId, index });
      expect(await page.call('projection.why', { projectionId: there.projectionId, index })).toEqual(why);
    }
    for (const query of ['harbour', 'the', 'src/', '🛥', 'nowhere at all']) {
      const asked = { text: query, limit: 20 };
      const found = await client.call('search.text', { projectionId: here.projectionId, ...asked });
      const seen = await page.call('search.text', { projectionId: there.projectionId, ...asked });
      expect(withoutRows(seen)).toEqual(withoutRows(found));
    }
  });

  test('shows as sent what the request says, message for message', async () => {
    const { client, page, id } = await both(text, spec);
    const { projectionId } = await client.call('projection.set', { id, spec, at: null, hash: 'now' });
    const body = await client.call('projection.text', { projectionId, what: 'messages' });
    expect(`[${(await sentTexts(page, id, spec)).join(',')}]`).toBe(body.text);
  });
});

function withoutRows({ hits, total }: ResultOf<'search.text'>) {
  return { total, hits: hits.map(({ row: _, ...hit }) => hit) };
}

/** Rows of messages, and the marks beside the scrollbar. */
async function samePlaces(engine: EngineClient, own: string, page: Answers, other: string, rows: readonly Row[]) {
  for (const { kind, index, part } of rows) {
    if (kind !== 'part') continue;
    const place = await engine.call('projection.rowOf', { projectionId: own, index, part });
    expect(await page.call('projection.rowOf', { projectionId: other, index, part })).toEqual(place);
  }
  for (const from of [-1, 3, rows.length]) {
    for (const direction of [1, -1] as const) {
      const next = await engine.call('projection.nextChange', { projectionId: own, row: from, direction });
      expect(await page.call('projection.nextChange', { projectionId: other, row: from, direction })).toEqual(next);
    }
  }
}

/** The messages that the Model view of a page shows, in its order, as JSON. */
async function sentTexts(page: Answers, id: string, spec: unknown): Promise<readonly string[]> {
  const { rows, projectionId } = await rowsOf(page, id, spec, { fold: false, ghosts: false });
  const texts: string[] = [];
  const seen = new Set<number>();
  for (const row of rows) {
    if (row.projected === null) continue;
    if (row.kind === 'synthetic') {
      texts.push((await page.call('projection.synthetic', { projectionId, row: row.row })).json);
      continue;
    }
    const detail = await page.call('projection.detail', { projectionId, index: row.index, limit: 1e9 });
    // What was joined with another is sent there.
    if (detail.sentIn === undefined && !seen.has(row.index)) texts.push(sentOf(detail));
    seen.add(row.index);
  }
  return texts;
}

function sentOf({ index, projectedJson }: MessageDetail): string {
  if (projectedJson === null) throw new Error(`#${index} is shown as sent, and is not`);
  return projectedJson;
}

test('a page changes nothing and asks nobody', async () => {
  const { page, id } = await both(JSON.stringify({ messages: COMPOSED_MESSAGES }), RAW);
  const refused = page.call('library.remove', { ids: [id] }).catch((error: unknown) => Promise.reject(error));
  expect((await failureOf(refused)).code).toBe('page.not_here');
});
