// Asks an engine everything that a page shows of one transcript, and puts the answers into pieces.
import type { EngineClient } from '../protocol/client.ts';
import type { ProjectionInfo, Row, Series, UsageInfo, Why } from '../protocol/types.ts';
import { packMessage } from './packMessage.ts';
import { listOf, tableOf } from './rowLists.ts';
import {
  type MessagePiece,
  type PackedMessage,
  type PageAbout,
  type PageDescribed,
  type PageHead,
  type PagePiece,
  type PageWatched,
  ROWS_A_PIECE,
  type RowsShown,
  type SyntheticPiece,
} from './types.ts';

/** What a page is made of. */
export interface CaptureInput {
  readonly engine: Pick<EngineClient, 'call' | 'on'>;
  /** The transcript: that of a bundle. */
  readonly id: string;
  /** The policy it is shown under. */
  readonly spec: unknown;
  readonly about: (projection: ProjectionInfo) => PageAbout;
  /** Lets the engine get on. */
  readonly pause: () => Promise<void>;
}

/** Characters of the recorded texts in one piece of messages. */
const PIECE_CHARS = 400_000;
const UNCUT = 1_000_000_000;
const PAGE = 500;

const LISTS: readonly RowsShown[] = [
  { fold: false, ghosts: true },
  { fold: true, ghosts: true },
  { fold: false, ghosts: false },
  { fold: true, ghosts: false },
];

/** All pieces of the page, the head first. Rejects with what the engine says. */
export async function capturePage(input: CaptureInput): Promise<readonly PagePiece[]> {
  const { engine, id } = input;
  const projection = await finalProjection(input);
  const full = await rowsOf(input, projection);
  const changes = await changesOf(input, projection);
  const lists = [];
  for (const shown of LISTS) lists.push(listOf(shown, full, await listedRows(input, shown)));
  const again = await project(input, WHOLE);
  const whys = await whysOf(input, again);
  const { first, pieces } = await messagePieces(input, again, whys);
  const info = await engine.call('transcript.open', { id });
  const head: PageHead = {
    about: input.about(projection),
    info: { ...info, choice: { spec: projection.spec, window: null, tokenizer: null }, archivedAs: null },
    projection: { ...projection, rows: null },
    series: await wholeSeries(input),
    usage: await settledUsage(input),
    watched: await watchedTexts(input),
    described: await describedOf(input, projection.spec),
    lists,
    table: tableOf(full, changes),
    rows: full.length,
    messagePieces: first,
  };
  const synthetic = await syntheticPiece(input, again, full);
  return [
    { name: 'head', json: JSON.stringify(head) },
    ...rowPieces(full),
    ...pieces,
    { name: 'synthetic', json: JSON.stringify(synthetic) },
  ];
}

async function describedOf({ engine }: CaptureInput, spec: ProjectionInfo['spec']): Promise<PageDescribed> {
  const { stages, presets } = await engine.call('spec.describe', {});
  const kinds = new Set(spec.stages.map(({ kind }) => kind));
  // Nothing of it can be changed there.
  return {
    stages: stages.filter(({ kind }) => kinds.has(kind)).map((stage) => ({ ...stage, help: '', params: [] })),
    presets: presets.map((preset) => ({ ...preset, help: '' })),
  };
}

const WHOLE = { fold: false, foldGone: false, ghosts: true };

function project({ engine, id, spec }: CaptureInput, how: RowsShown & { readonly foldGone: boolean }) {
  return engine.call('projection.set', { id, spec, at: null, ...how, hash: 'now' });
}

/** Once all its figures are counted. */
async function finalProjection(input: CaptureInput): Promise<ProjectionInfo> {
  for (;;) {
    const info = await project(input, WHOLE);
    const { counted } = await input.engine.call('transcript.open', { id: input.id });
    if (info.final && counted === 1) return info;
    await input.pause();
  }
}

async function rowsOf({ engine }: CaptureInput, { projectionId, rowCount }: ProjectionInfo): Promise<readonly Row[]> {
  const rows: Row[] = [];
  while (rows.length < rowCount) {
    const window = await engine.call('projection.rows', { projectionId, from: rows.length, to: rows.length + PAGE });
    if (window.rows.length === 0) throw new Error(`row ${rows.length} of ${rowCount} is missing`);
    rows.push(...window.rows);
  }
  return rows;
}

async function listedRows(input: CaptureInput, shown: RowsShown) {
  const info = await project(input, { ...shown, foldGone: true });
  return { rows: await rowsOf(input, info), changes: await changesOf(input, info) };
}

async function changesOf({ engine }: CaptureInput, { projectionId }: ProjectionInfo): Promise<readonly number[]> {
  const changes: number[] = [];
  for (let from = -1; ; ) {
    const { row } = await engine.call('projection.nextChange', { projectionId, row: from, direction: 1 });
    if (row === null) return changes;
    changes.push(row);
    from = row;
  }
}

function rowPieces(rows: readonly Row[]): readonly PagePiece[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_A_PIECE) }, (_, at) => ({
    name: `rows${at}`,
    json: JSON.stringify(rows.slice(at * ROWS_A_PIECE, (at + 1) * ROWS_A_PIECE)),
  }));
}

/** What each stage said of each message; empty where one stage says it all. */
async function whysOf(
  { engine }: CaptureInput,
  { projectionId, reports, at }: ProjectionInfo,
): Promise<readonly Why[]> {
  if (reports.length < 2) return [];
  const all: Why[] = [];
  while (all.length < at) {
    const { whys } = await engine.call('projection.whys', { projectionId, from: all.length, to: all.length + 5_000 });
    all.push(...whys);
  }
  return all;
}

async function messagePieces({ engine }: CaptureInput, { projectionId, at }: ProjectionInfo, whys: readonly Why[]) {
  const pieces: PagePiece[] = [];
  const first: number[] = [];
  let from = 0;
  let chars = 0;
  let messages: PackedMessage[] = [];
  const close = () => {
    if (messages.length === 0) return;
    const piece: MessagePiece = { from, messages };
    first.push(from);
    pieces.push({ name: `messages${pieces.length}`, json: JSON.stringify(piece) });
    from += messages.length;
    chars = 0;
    messages = [];
  };
  for (let index = 0; index < at; index++) {
    const detail = await engine.call('projection.detail', { projectionId, index, limit: UNCUT });
    messages.push(packMessage(detail, whys[index] ?? null));
    chars += detail.rawChars;
    if (chars > PIECE_CHARS) close();
  }
  close();
  return { first, pieces };
}

async function syntheticPiece(
  { engine }: CaptureInput,
  { projectionId }: ProjectionInfo,
  rows: readonly Row[],
): Promise<SyntheticPiece> {
  const piece: Record<string, SyntheticPiece[string]> = {};
  for (const { kind, row } of rows) {
    if (kind === 'synthetic') piece[row] = await engine.call('projection.synthetic', { projectionId, row });
  }
  return piece;
}

/** At how many call points a policy is looked at that cannot be followed from one to the next. */
const SAMPLES = 240;

/** The figures of the chart, once all are computed. */
async function wholeSeries({ engine, id, spec, pause }: CaptureInput): Promise<Series> {
  const early: Series[] = [];
  const stop = engine.on('series', (piece) => early.push(piece));
  try {
    let series = await engine.call('series.start', { id, spec, samples: SAMPLES });
    for (;;) {
      for (const piece of early.splice(0)) {
        if (piece.seriesId !== series.seriesId) continue;
        const points = series.points.slice();
        points.splice(piece.from, piece.points.length, ...piece.points);
        series = { ...piece, from: 0, points };
      }
      if (series.complete) return series;
      await pause();
    }
  } finally {
    stop();
  }
}

async function watchedTexts({ engine, id, spec }: CaptureInput): Promise<PageWatched> {
  const { watchpoints } = await engine.call('watch.list', { id });
  const states = watchpoints.length === 0 ? null : await engine.call('watch.states', { id, spec });
  return { watchpoints, states };
}

async function settledUsage({ engine, id, pause }: CaptureInput): Promise<UsageInfo> {
  for (;;) {
    const usage = await engine.call('transcript.usage', { id, from: 0, to: 0 });
    if (usage.state === 'ready') return usage;
    await pause();
  }
}
