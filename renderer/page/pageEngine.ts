// The engine of a page: it answers from what is in the file, and nothing else. No method writes anything.
import { cutDetail, unpackMessage } from '../../core/page/packMessage.ts';
import { ListedRows } from '../../core/page/rowLists.ts';
import { searchMessage } from '../../core/page/searchMessage.ts';
import {
  type MessagePiece,
  type PackedMessage,
  type PageHead,
  ROWS_A_PIECE,
  type SyntheticPiece,
} from '../../core/page/types.ts';
import { EngineError } from '../../core/protocol/client.ts';
import { FORGOTTEN } from '../../core/protocol/codes.ts';
import type { MethodName, Params, ProtocolError, ResultOf } from '../../core/protocol/methods.ts';
import type { ProjectionInfo, Row, RowWindow } from '../../core/protocol/types.ts';
import { textPattern } from '../../core/util/textPattern.ts';
import type { EngineClient } from '../state/engine.ts';
import { NO_RELATIVES } from '../state/noRelatives.ts';
import type { Pieces } from './pieces.ts';

type PageHandlers = { readonly [M in MethodName]?: (params: Params<M>) => ResultOf<M> | Promise<ResultOf<M>> };

const DETAIL_CHARS = 200_000;
const NOT_HERE: ProtocolError = {
  code: 'page.not_here',
  message: 'This page cannot tell. Open the bundle in Parallax.',
  expected: true,
};

/** A source of the pieces: the document, or a test's. */
export type PieceSource = Pick<Pieces, 'read'>;

/** An engine over the pieces of a page. */
export function pageEngine(head: PageHead, pieces: PieceSource): EngineClient {
  const store = new PageStore(head, pieces);
  const handlers = handlersOf(head, store);
  return {
    async call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
      const handler: PageHandlers[M] = handlers[method];
      if (handler === undefined) throw new EngineError(NOT_HERE);
      return handler(params);
    },
    on: () => () => undefined,
  };
}

function handlersOf(head: PageHead, store: PageStore): PageHandlers {
  return {
    'transcript.open': () => head.info,
    'transcript.close': () => ({}),
    'transcript.moving': () => ({}),
    'transcript.usage': () => head.usage,
    'transcript.relatives': () => NO_RELATIVES,
    'marks.list': () => ({ marks: [] }),
    'watch.list': () => ({ watchpoints: head.watched.watchpoints }),
    'watch.states': () => head.watched.states ?? fail(NOT_HERE),
    'series.start': () => head.series,
    'series.stop': () => ({}),
    'series.area': () => ({ state: 'sampled', totals: null }),
    'settings.set': () => ({}),
    'projection.set': (params) => store.set(params),
    'projection.rows': ({ projectionId, from, to }) => store.rows(projectionId, from, to),
    'projection.rowOf': ({ projectionId, index, part }) => ({
      row: store.list(projectionId).placeOfMessage(index, part ?? 0),
    }),
    'projection.nextChange': ({ projectionId, row, direction, fate }) => ({
      row: store.list(projectionId).nextChange(row, direction, fate),
    }),
    'projection.marks': ({ projectionId, slots, at }) => store.list(projectionId).marks(slots, at, head.about.at),
    'projection.detail': async ({ index, limit }) =>
      cutDetail(unpackMessage(await store.message(index)), limit ?? DETAIL_CHARS),
    'projection.why': async ({ index }) => (await store.message(index)).why ?? fail(NOT_HERE),
    'projection.synthetic': ({ projectionId, row }) => store.synthetic(projectionId, row),
    'projection.hash': () => ({ prefixHash: head.about.prefixHash }),
    'search.text': ({ projectionId, text, limit }) => store.search(projectionId, text, limit),
  };
}

function fail(error: ProtocolError): never {
  throw new EngineError(error);
}

/** Projections kept: the list of rows, and those with other folds open. */
const KEPT = 6;

class PageStore {
  readonly #head: PageHead;
  readonly #pieces: PieceSource;
  readonly #lists = new Map<string, ListedRows>();
  #made = 0;

  constructor(head: PageHead, pieces: PieceSource) {
    this.#head = head;
    this.#pieces = pieces;
  }

  /** The one projection of the page, with the rows that are asked for. */
  async set(params: Params<'projection.set'>): Promise<ProjectionInfo> {
    const { lists, table, projection } = this.#head;
    const { fold = false, ghosts = true, unfold = [], visible } = params;
    const own = lists.find((one) => one.fold === fold && one.ghosts === ghosts);
    if (own === undefined) return fail(NOT_HERE);
    const open = visible === undefined ? unfold : [...unfold, { from: visible, to: visible + 1 }];
    const list = new ListedRows(own, table, open);
    const projectionId = `page${++this.#made}`;
    this.#lists.set(projectionId, list);
    this.#lists.delete(`page${this.#made - KEPT}`);
    const aroundRow = params.around ? list.placeOfMessage(params.around.index, 0) : null;
    const range = spanOf(params, aroundRow);
    const rows = range && (await this.rows(projectionId, range.from, range.to));
    return { ...projection, projectionId, rowCount: list.length, rows, aroundRow };
  }

  list(projectionId: string): ListedRows {
    const gone = { code: FORGOTTEN, message: 'These rows are no longer available.', expected: true };
    return this.#lists.get(projectionId) ?? fail(gone);
  }

  async rows(projectionId: string, first: number, end: number): Promise<RowWindow> {
    const list = this.list(projectionId);
    const from = Math.max(0, first);
    const to = Math.min(end, list.length);
    const rows: Row[] = [];
    for (let place = from; place < to; place++) {
      const line = list.line(place);
      const row = list.rowAt(place, typeof line === 'number' ? await this.#row(line) : undefined);
      if (row !== undefined) rows.push(row);
    }
    return { projectionId, from, rows, total: list.length };
  }

  async #row(number: number): Promise<Row | undefined> {
    const piece = await this.#pieces.read<readonly Row[]>(`rows${Math.floor(number / ROWS_A_PIECE)}`);
    return piece[number % ROWS_A_PIECE];
  }

  async message(index: number): Promise<PackedMessage> {
    const at = this.#head.messagePieces.findLastIndex((first) => first <= index);
    const { from, messages } = await this.#pieces.read<MessagePiece>(`messages${at}`);
    return messages[index - from] ?? fail(NOT_HERE);
  }

  async synthetic(projectionId: string, place: number) {
    const line = this.list(projectionId).line(place);
    const all = await this.#pieces.read<SyntheticPiece>('synthetic');
    return (typeof line === 'number' ? all[line] : undefined) ?? fail(NOT_HERE);
  }

  /** The first `limit` places of a text in the recorded messages, and how many there are. */
  async search(projectionId: string, text: string, limit: number): Promise<ResultOf<'search.text'>> {
    const list = this.list(projectionId);
    const pattern = textPattern(text);
    const hits: ResultOf<'search.text'>['hits'][number][] = [];
    let total = 0;
    if (pattern === null) return { hits, total };
    for (let at = 0; at < this.#head.messagePieces.length; at++) {
      const { messages } = await this.#pieces.read<MessagePiece>(`messages${at}`);
      for (const { rawJson, index } of messages) {
        const found = searchMessage(rawJson, index, pattern);
        total += found.count;
        for (const hit of found.hits.slice(0, limit - hits.length)) {
          hits.push({ ...hit, row: list.placeOfMessage(index, hit.part) });
        }
      }
    }
    return { hits, total };
  }
}

function spanOf({ rows, around }: Params<'projection.set'>, aroundRow: number | null) {
  if (around !== undefined && aroundRow !== null) {
    return { from: Math.max(0, aroundRow - around.before), to: aroundRow + around.after };
  }
  return rows ?? null;
}
