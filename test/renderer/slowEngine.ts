// An engine whose answers come when a test says so, in any order, or fail. It takes questions in the order they were
// asked, as the real one does, and answers from a small world that the test changes.
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { EventName, Events, MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import type * as T from '../../core/protocol/types.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { mockInfo } from '../../renderer/dev/mockLibrary.ts';
import type { EngineClient } from '../../renderer/state/engine.ts';
import { NO_RELATIVES } from '../../renderer/state/noRelatives.ts';
import { makePlace, makeRow, makeSummary, makeTextTrace } from './support.ts';

export interface World {
  readonly transcripts: Map<string, { messages: number; changed: number; title: string }>;
  readonly removed: Map<string, number>;
  readonly bookmarks: Map<string, Set<number>>;
  readonly settings: Map<string, unknown>;
  follows: readonly T.Named<T.FollowInfo>[];
  tags: readonly T.TagInfo[];
  changes: number;
}

/** What a projection was asked with, and its rows. */
export interface Asked {
  readonly params: Params<'projection.set'>;
  readonly spec: ProjectionSpec;
  readonly at: number;
  readonly rows: readonly T.Row[];
}

interface Call {
  readonly seq: number;
  readonly method: MethodName;
  readonly params: unknown;
  resolve(value: unknown): void;
  reject(thrown: unknown): void;
  /** What it will say, once it was taken up. */
  outcome: { readonly ok: boolean; readonly value: unknown } | null;
}

export type SlowEngine = ReturnType<typeof slowEngine>;

const CLIENT_KEEPS = 4;

export function failure(code: string): Error {
  return Object.assign(new Error(`no luck (${code})`), { code, expected: true });
}

/** A policy that drops every `every`-th message, and puts a message of its own at the top if `note` is set. */
export function policy(every: number, note = false): ProjectionSpec {
  return {
    version: 1,
    name: `every ${every}${note ? ' noted' : ''}`,
    stages: [{ kind: 'raw', options: { every, note } }],
  };
}

/** The rows of a projection of `messages` messages. */
export function rowsOf(id: string, messages: number, spec: ProjectionSpec, params: Params<'projection.set'>): T.Row[] {
  const { every = 0, note = false } = spec.stages[0]?.options ?? {};
  const isDropped = (index: number) => typeof every === 'number' && every > 0 && index % every === every - 1;
  const isFolded = (index: number) =>
    params.fold === true &&
    index % 8 >= 5 &&
    !(params.unfold ?? []).some(({ from, to }) => index >= from && index < to);
  const rows: T.Row[] = [];
  if (note === true) rows.push(makeRow({ key: `s ${spec.name}`, kind: 'synthetic', fate: 'synthetic', text: 'note' }));
  for (let index = 0; index < messages; index++) {
    if (params.ghosts === false && isDropped(index)) continue;
    const from = index - (index % 8) + 5;
    const fate = isDropped(index) ? 'dropped' : 'kept';
    if (!isFolded(index)) rows.push(makeRow({ index, text: `${id} ${index}`, fate }));
    else if (rows.at(-1)?.key !== `f${from}`)
      rows.push(makeRow({ key: `f${from}`, kind: 'fold', index: from, to: from + 3 }));
  }
  return rows.map((row, number) => ({ ...row, row: number }));
}

export function slowEngine(sizes: Readonly<Record<string, number>>) {
  const world: World = {
    transcripts: new Map(Object.entries(sizes).map(([id, messages]) => [id, { messages, changed: 0, title: id }])),
    removed: new Map(),
    bookmarks: new Map(),
    settings: new Map(),
    follows: [],
    tags: [],
    changes: 0,
  };
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const calls: Call[] = [];
  const open = new Set<string>();
  const projections = new Map<string, Asked>();
  const gone = new Set<string>();
  const series = new Map<string, Params<'series.start'>>();
  const failed = new Set<MethodName>();
  /** What was said to stand in requests that is not recorded. */
  const overheads = new Map<string, number>();
  /** What was chosen, by transcript. */
  const choices = new Map<string, T.TranscriptChoice | null>();
  const sample = mockEngine(10);
  let shape: T.ProjectionInfo | null = null;
  let seriesShape: T.Series | null = null;
  let made = 0;

  const found = (id: string) => {
    const one = world.transcripts.get(id);
    if (!one) throw failure('transcript.unknown');
    return one;
  };
  const summary = (id: string): T.TranscriptSummary => {
    const { messages, title } = found(id);
    return makeSummary({ id, title, messages });
  };
  const info = (id: string): T.TranscriptInfo => ({
    ...mockInfo(summary(id), 1, []),
    messages: found(id).messages,
    choice: choices.get(id) ?? null,
  });
  const projected = (projectionId: string): Asked => {
    const one = projections.get(projectionId);
    if (one && open.has(one.params.id)) return one;
    throw failure(gone.has(projectionId) ? 'transcript.changed' : 'projection.unknown');
  };
  const marksOf = (id: string): T.MarkInfo[] =>
    [...(world.bookmarks.get(id) ?? [])].map((index) => ({
      transcriptId: id,
      title: id,
      index,
      state: 'here',
      note: null,
      notedAt: null,
      bookmarkedAt: '2026-01-01T00:00:00.000Z',
      label: 'user',
      text: '',
    }));
  const window = (projectionId: string, from: number, to: number): T.RowWindow => {
    const { rows } = projected(projectionId);
    return { projectionId, from, rows: rows.slice(from, to), total: rows.length };
  };
  const asSpec = (spec: unknown) => spec as ProjectionSpec;

  const handlers: { [M in MethodName]?: (params: Params<M>) => unknown } = {
    'settings.get': () => ({ values: Object.fromEntries(world.settings) }),
    'settings.set': ({ key, value }) => {
      world.settings.set(key, value);
      return {};
    },
    'spec.describe': () => ({ stages: [], presets: [], models: [] }),
    'spec.parse': ({ spec }) => ({ spec, problems: [] }),
    'library.list'({ since }) {
      const from = since == null ? -1 : Number(since);
      const changed = [...world.transcripts].filter(([, one]) => one.changed > from).map(([id]) => summary(id));
      const removed = [...world.removed].filter(([, when]) => when > from).map(([id]) => id);
      return { transcripts: changed, removed, whole: from < 0, cursor: String(world.changes) };
    },
    'tags.list': () => ({ tags: world.tags }),
    'tags.apply'({ add }) {
      for (const name of add) {
        if (!world.tags.some((one) => one.name === name)) world.tags = [...world.tags, { name, color: 0, count: 1 }];
      }
      return { tags: world.tags };
    },
    'marks.list': ({ id }) => ({ marks: id === null ? [] : marksOf(id) }),
    'marks.set'({ id, index, bookmarked }) {
      const set = world.bookmarks.get(id) ?? new Set();
      world.bookmarks.set(id, set);
      if (bookmarked === true) set.add(index);
      else if (bookmarked === false) set.delete(index);
      return { marks: marksOf(id) };
    },
    'follow.list': () => ({ follows: world.follows }),
    'discover.list': () => ({ places: [], missing: [] }),
    'transcript.open'({ id }) {
      found(id);
      open.add(id);
      return info(id);
    },
    'transcript.close'({ id }) {
      open.delete(id);
      for (const [projectionId, { params }] of projections) if (params.id === id) projections.delete(projectionId);
      return {};
    },
    'transcript.setOverhead'({ id, tokens }) {
      overheads.set(id, tokens);
      return {};
    },
    'transcript.setChoice'({ id, choice }) {
      choices.set(id, choice && { ...choice, spec: choice.spec === null ? null : asSpec(choice.spec) });
      return {};
    },
    'transcript.relatives': () => NO_RELATIVES,
    'transcript.step': ({ id, at, delta }) => ({ at: Math.max(1, Math.min(found(id).messages, at + delta * 2)) }),
    'projection.set'(params) {
      const { messages } = found(params.id);
      open.add(params.id);
      const spec = asSpec(params.spec);
      const at = Math.min(params.at ?? messages, messages);
      const projectionId = `p${++made}`;
      projections.set(projectionId, { params, spec, at, rows: rowsOf(params.id, messages, spec, params) });
      const own = [...projections].filter(([, one]) => one.params.id === params.id);
      for (const [old] of own.slice(0, -CLIENT_KEEPS)) projections.delete(old);
      const { rows } = projected(projectionId);
      const asked = params.rows ? window(projectionId, params.rows.from, params.rows.to) : null;
      const prefixHash = params.hash === 'later' ? null : 'sha256:0';
      return {
        ...shape,
        projectionId,
        transcriptId: params.id,
        at,
        spec,
        prefixHash,
        rowCount: rows.length,
        rows: asked,
      };
    },
    'projection.rows': ({ projectionId, from, to }) => window(projectionId, from, to),
    'projection.hash'({ projectionId }) {
      projected(projectionId);
      return { prefixHash: `sha256:${projectionId}` };
    },
    'projection.rowOf'({ projectionId, index }) {
      const { rows } = projected(projectionId);
      if (index >= found(projected(projectionId).params.id).messages) throw failure('transcript.no_such_place');
      return { row: rowOf(rows, index) };
    },
    'projection.nextChange'({ projectionId, row, direction }) {
      const { rows } = projected(projectionId);
      for (let one = row + direction; one >= 0 && one < rows.length; one += direction) {
        if (rows[one]?.fate !== 'kept') return { row: one };
      }
      return { row: null };
    },
    'trace.text': ({ text, at }) =>
      makeTextTrace('og', { text, sentence: `${text} at ${at}`, places: [makePlace(3), makePlace(9)] }),
    'series.start'(params) {
      found(params.id);
      const seriesId = `series${++made}`;
      series.set(seriesId, params);
      return { ...seriesShape, seriesId, points: [], complete: false };
    },
    'series.stop'({ seriesId }) {
      series.delete(seriesId);
      return {};
    },
    'library.search'({ query, sort, cursor, limit }) {
      const from = Number(cursor ?? 0);
      const all = [...world.transcripts].flatMap(([id, { messages }]) =>
        Array.from({ length: Math.min(messages, 150) }, (_, index): T.LibraryHit => hit(id, index, query)),
      );
      const hits = (sort === 'time' ? all.toReversed() : all).slice(from, from + limit);
      return {
        problems: [],
        hits,
        groups: [],
        total: all.length,
        exact: true,
        transcripts: world.transcripts.size,
        sort,
        cursor: from + limit < all.length ? String(from + limit) : null,
        coverage: { indexed: all.length, total: all.length, cut: 0 },
        ms: 1,
      } satisfies T.LibrarySearch;
    },
    'library.remove'({ ids }) {
      for (const id of ids) {
        const one = world.transcripts.get(id);
        if (!one) continue;
        world.changes++;
        world.removed.set(id, world.changes);
        taken.set(id, one);
        world.transcripts.delete(id);
        open.delete(id);
        emit('transcript', { id, reason: 'removed', info: null });
      }
      emit('library', {});
      return { removed: ids };
    },
    'library.restore'({ ids }) {
      // What is not among the removed any more was deleted meanwhile.
      const restored = ids.filter((id) => world.removed.has(id) && taken.has(id));
      for (const id of restored) {
        const one = taken.get(id);
        if (!one) continue;
        world.removed.delete(id);
        world.transcripts.set(id, { ...one, changed: ++world.changes });
      }
      emit('library', {});
      return { restored };
    },
    'library.rename'({ id, title }) {
      const one = found(id);
      one.title = title ?? id;
      one.changed = ++world.changes;
      emit('library', {});
      return {};
    },
    'import.start': () => ({ jobId: `job${++made}` }),
    'import.result': ({ jobId }) => ({ outcomes: [outcome(jobId)], folders: [] }),
    'follow.start': () => ({ jobId: `job${++made}` }),
  };
  const taken = new Map<string, { messages: number; changed: number; title: string }>();

  function outcome(jobId: string): T.Named<T.ImportOutcome> {
    const id = `of ${jobId}`;
    world.transcripts.set(id, { messages: 40, changed: ++world.changes, title: id });
    return {
      file: jobId,
      handle: jobId,
      transcripts: [{ id, messages: 40, existed: false }],
      problems: [],
      records: 40,
      ignored: 0,
      seconds: 1,
      error: null,
    };
  }

  function emit<E extends EventName>(event: E, payload: Events[E]): void {
    for (const listener of listeners.get(event) ?? []) (listener as (payload: Events[E]) => void)(payload);
  }

  const take = (call: Call): void => {
    const handler = handlers[call.method] as ((params: unknown) => unknown) | undefined;
    try {
      if (!handler) throw failure('test.no_such_method');
      call.outcome = { ok: true, value: handler(call.params) };
    } catch (thrown) {
      if (!(thrown instanceof Error) || !('code' in thrown)) throw thrown;
      call.outcome = { ok: false, value: thrown };
    }
  };

  const client: EngineClient = {
    call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
      return new Promise<unknown>((resolve, reject) => {
        calls.push({ seq: ++made, method, params, resolve, reject, outcome: null });
      }) as Promise<ResultOf<M>>;
    },
    on<E extends EventName>(event: E, listener: (payload: Events[E]) => void) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      return () => void set.delete(listener);
    },
  };

  return {
    client,
    world,
    emit,
    info,
    projections,
    series,
    failed,
    overheads,
    choices,
    /** Methods that wait for an answer, in the order they were asked. */
    waiting: (): readonly MethodName[] => calls.map(({ method }) => method),
    /** What was asked by a method and is not answered yet. */
    asked<M extends MethodName>(method: M): readonly Params<M>[] {
      return calls.filter((one) => one.method === method).map(({ params }) => params as Params<M>);
    },
    async prepare(): Promise<void> {
      shape = await sample.call('projection.set', { id: 't1', spec: policy(0), at: null });
      seriesShape = await sample.call('series.start', { id: 't1', spec: policy(0), samples: 1 });
    },
    /** Takes up the oldest question that was not yet, without telling the answer. */
    takeUp(): void {
      const next = calls.find(({ outcome }) => outcome === null);
      if (next) take(next);
    },
    /** Takes up all questions; what happens from now on is not in their answers. */
    takeUpAll(): void {
      for (const call of calls) if (call.outcome === null) take(call);
    },
    /** Answers the question at a place among those that wait; all asked before are taken up first. */
    answer(place: number, fail: boolean | string = false): MethodName | null {
      const call = calls[place];
      if (!call) return null;
      for (const one of calls.slice(0, place + 1)) if (one.outcome === null) take(one);
      calls.splice(calls.indexOf(call), 1);
      if (fail !== false) {
        failed.add(call.method);
        call.reject(failure(fail === true ? 'test.failed' : fail));
      } else if (call.method === 'transcript.open' && call.outcome?.ok) {
        // Made and told in one go: no event comes in between.
        take(call);
        call.resolve(call.outcome.value);
      } else if (call.outcome?.ok) call.resolve(call.outcome.value);
      else call.reject(call.outcome?.value);
      return call.method;
    },
    /** What is left to compute of all series that somebody still wants is there. */
    completeSeries(): void {
      for (const seriesId of series.keys()) {
        if (seriesShape) emit('series', { ...seriesShape, seriesId, from: 0, points: [], complete: true });
      }
    },
    grow(id: string, by: number): void {
      const one = world.transcripts.get(id);
      if (!one) return;
      one.messages += by;
      one.changed = ++world.changes;
      if (open.has(id)) emit('transcript', { id, reason: 'grew', info: info(id) });
      emit('library', {});
    },
    /** The transcript goes back to fewer messages. */
    goBack(id: string, messages: number): void {
      const one = world.transcripts.get(id);
      if (!one) return;
      one.messages = messages;
      one.changed = ++world.changes;
      for (const [projectionId, { params }] of projections) {
        if (params.id !== id) continue;
        gone.add(projectionId);
        projections.delete(projectionId);
      }
      if (open.has(id)) emit('transcript', { id, reason: 'changed', info: info(id) });
      emit('library', {});
    },
  };
}

export function rowOf(rows: readonly T.Row[], index: number): number {
  const row = rows.findIndex((one) => one.kind !== 'synthetic' && (one.to ?? one.index + 1) > index);
  return row < 0 ? Math.max(0, rows.length - 1) : row;
}

function hit(transcriptId: string, index: number, query: string): T.LibraryHit {
  return {
    transcriptId,
    index,
    part: 0,
    label: 'user',
    origin: null,
    role: 'user',
    tool: null,
    isError: false,
    timestamp: null,
    occurrences: 1,
    snippet: { text: query, marks: [], cutBefore: false, cutAfter: false },
  };
}
