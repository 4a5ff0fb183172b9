// An engine without an engine, for work on the screen alone (development only: `?mock`, `?mock=100000`). It answers the
// methods the screen needs to be seen; the others fail as the protocol says.
import { CATEGORIES } from '../../core/model/category.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { EventName, Events, MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import type * as T from '../../core/protocol/types.ts';
import { isRecord } from '../../core/util/unknown.ts';
import type { EngineClient } from '../state/engine.ts';
import { NO_RELATIVES } from '../state/noRelatives.ts';
import { sampleMessages } from './mockData.ts';
import { mockInfo, mockLibrary } from './mockLibrary.ts';
import { mockPolicy } from './mockPolicy.ts';
import { mockFigure, mockRows } from './mockProjection.ts';
import { PLAIN_DETAIL } from './plainDetail.ts';

type MockHandlers = { readonly [M in MethodName]?: (params: Params<M>) => ResultOf<M> | Promise<ResultOf<M>> };

interface Shown {
  readonly id: string;
  readonly rows: readonly T.Row[];
}

/** A mock engine with a transcript of `count` messages. */
export function mockEngine(count: number): EngineClient {
  const messages = sampleMessages(count);
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const settings = new Map<string, unknown>();
  const overheads = new Map<string, number>();
  const choices = new Map<string, T.TranscriptChoice | null>();
  const callPoints = messages.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
  callPoints.push(messages.length);
  const library = mockLibrary(messages.length);
  let shown: Shown = { id: 'p0', rows: [] };

  const project = (params: Params<'projection.set'>): T.ProjectionInfo => {
    const started = performance.now();
    const spec = asSpec(params.spec);
    const at = params.at ?? messages.length;
    const rows = mockRows(messages, spec, at, params.fold ?? false, params.ghosts ?? true);
    shown = { id: `p${Number(shown.id.slice(1)) + 1}`, rows };
    const counts = { kept: 0, redacted: 0, rewritten: 0, dropped: 0, summarised: 0, merged: 0, synthetic: 0 };
    for (const row of rows) if (row.fate !== 'future' && row.firstOfMessage) counts[row.fate] += 1;
    const all = mockRows(messages, spec, at, false, true);
    return {
      projectionId: shown.id,
      transcriptId: params.id,
      at,
      callPoint: callPoints.indexOf(at),
      turn: messages.slice(0, at).filter((one) => one.beginsTurn).length,
      spec,
      prefixHash: `sha256:61c0${at.toString(16).padStart(8, '0')}9ab4e1d2c3b4a5968778695a4b3c2d1e0f`,
      rowCount: rows.length,
      keptCount: counts.kept + counts.redacted + counts.rewritten + counts.merged,
      counts,
      raw: mockFigure(all, 'raw', at),
      projected: mockFigure(all, 'projected', at),
      window: params.window ?? 200_000,
      beside: {
        system: 3_400,
        tools: 14_200,
        overhead: 0,
        total: 17_600,
        given: null,
        unrecorded: null,
        provenance: 'exact',
      },
      calibration: null,
      final: true,
      budget: null,
      savedTokens: [],
      reports: spec.stages.map((stage, index) => ({
        stage: index,
        kind: stage.kind,
        title: stage.kind,
        enabled: stage.enabled ?? true,
        summary: '14 results reclaimed',
        reason: 'sample',
        counts: {},
        reclaimedChars: 0,
        reclaimedTokens: 52_310,
        rootsConsulted: [],
        blockedBy: spec.name === 'blocked' ? 187 : null,
        problems: [],
      })),
      problems: [],
      thinking: null,
      providerSafetyBlocked: spec.name === 'blocked',
      protectedSigned: { indices: [187, 219], count: 2 },
      ms: performance.now() - started,
      ...rowsAsked(params),
    };
  };

  const rowsAsked = ({ rows, around }: Params<'projection.set'>): Pick<T.ProjectionInfo, 'rows' | 'aroundRow'> => {
    const aroundRow = around === undefined ? -1 : shown.rows.findIndex((row) => row.index === around.index);
    if (around === undefined || aroundRow < 0)
      return { rows: rows ? window(rows.from, rows.to) : null, aroundRow: null };
    return { rows: window(Math.max(0, aroundRow - around.before), aroundRow + around.after), aroundRow };
  };

  const window = (from: number, to: number): T.RowWindow => ({
    projectionId: shown.id,
    from,
    rows: shown.rows.slice(from, to),
    total: shown.rows.length,
  });

  const handlers: MockHandlers = {
    'engine.info': () => ({
      unwritable: null,
      version: '0.1.0',
      schemaVersion: 1,
      library: 'mock',
      rssBytes: 0,
      heapBytes: 0,
      formats: [],
    }),
    'library.list': () => ({ transcripts: library, removed: [], whole: true, cursor: 'mock.1' }),
    'library.remove': () => ({ removed: [] }),
    'tags.list': () => ({ tags: [] }),
    'marks.list': () => ({ marks: [] }),
    'watch.list': () => ({ watchpoints: [] }),
    'transcript.open': ({ id }) => ({
      ...mockInfo(library.find((one) => one.id === id) ?? library[0]!, callPoints.length, messages),
      overhead: overheads.get(id) ?? null,
      choice: choices.get(id) ?? null,
    }),
    'transcript.close': () => ({}),
    'transcript.moving': () => ({}),
    'transcript.setOverhead': ({ id, tokens }) => {
      overheads.set(id, tokens);
      return {};
    },
    'transcript.setChoice': ({ id, choice }) => {
      choices.set(id, choice && { ...choice, spec: choice.spec === null ? null : asSpec(choice.spec) });
      return {};
    },
    'transcript.relatives': () => NO_RELATIVES,
    'transcript.step': ({ at, delta, by }) => ({ at: stepped(callPoints, messages, at, delta, by) }),
    'projection.set': project,
    'projection.rows': async ({ from, to }) => {
      await new Promise((done) => setTimeout(done, 4));
      return window(from, to);
    },
    'projection.rowOf': ({ index, part }) => {
      const row = shown.rows.findIndex(
        (one) => one.kind !== 'synthetic' && (one.index > index || (one.index === index && one.part >= (part ?? 0))),
      );
      return { row: Math.max(0, row) };
    },
    'projection.nextChange': ({ row, direction }) => {
      for (let i = row + direction; i >= 0 && i < shown.rows.length; i += direction) {
        const fate = shown.rows[i]?.fate;
        if (fate !== 'kept' && fate !== 'future') return { row: i };
      }
      return { row: null };
    },
    'projection.detail': ({ index, limit }) => detail(index, limit ?? 20_000),
    'projection.why': ({ index }) => ({ index, at: index + 1, fate: null, stages: [] }),
    'projection.synthetic': () => ({
      json: '{"role":"user","content":"…"}',
      text: 'The user wants the login test stable; session.ts owns the refresh token; two tabs race.\n\nOpen: the second refresh.',
      covers: { from: 0, to: 8 },
      stage: 0,
      stageTitle: 'recorded compaction',
      assets: [],
    }),
    'series.start': ({ spec }) => series(asSpec(spec)),
    'series.stop': () => ({}),
    'settings.get': () => ({ values: Object.fromEntries(settings) }),
    'settings.set': ({ key, value }) => {
      settings.set(key, value);
      return {};
    },
    'job.list': () => ({ jobs: [] }),
    'survey.start': () => ({ looks: false }),
    'survey.stop': () => ({}),
    ...mockPolicy(messages, callPoints),
  };

  const detail = (index: number, limit: number): T.MessageDetail => {
    const message = messages[index];
    if (!message) throw Object.assign(new Error(`There is no message #${index}.`), { code: 'range', expected: true });
    const row = shown.rows.find((one) => one.kind === 'part' && one.index === index);
    const rawJson = JSON.stringify({ role: message.role, content: message.parts.map((one) => one.text) }, null, 2);
    return {
      index,
      role: message.role,
      rawJson: rawJson.slice(0, limit),
      rawChars: rawJson.length,
      projectedJson: row?.projected ? rawJson.slice(0, limit) : null,
      projectedChars: rawJson.length,
      truncated: rawJson.length > limit,
      parts: message.parts.map((part, number) => ({
        part: number,
        kind: part.kind,
        category: part.category,
        label: part.label,
        name: null,
        callId: null,
        isError: part.badges.includes('error'),
        signed: part.badges.includes('signed'),
        text: part.text.slice(0, limit),
        truncated: part.text.length > limit,
        chars: part.text.length,
        tokens: part.tokens,
        assetIds: [],
      })),
      fate: {
        kind: row?.fate === 'synthetic' ? 'kept' : (row?.fate ?? 'kept'),
        stage: 2,
        stageTitle: 'reachability_gc',
        rule: 'stale_tool_result_unreachable',
        reason: row?.reason ?? '',
        because: null,
        evidence: null,
        parts: [],
        pointers: [],
      },
      ...PLAIN_DETAIL,
      contentHash: 'sha256:9f2c',
    };
  };

  const series = (spec: ProjectionSpec): T.Series => {
    const step = Math.max(1, Math.ceil(callPoints.length / 240));
    const running = CATEGORIES.map(() => 0);
    let turn = 0;
    let next = 0;
    const points: T.SeriesPoint[] = [];
    callPoints.forEach((at, number) => {
      for (; next < at; next++) {
        const message = messages[next];
        if (message?.beginsTurn) turn += 1;
        for (const part of message?.parts ?? []) {
          const slot = CATEGORIES.indexOf(part.category);
          const keep = spec.stages.length > 0 && part.category === 'tool_result' ? 0.2 : 1;
          running[slot] = (running[slot] ?? 0) + part.tokens * keep;
        }
      }
      if (number % step === 0 || number === callPoints.length - 1)
        points.push({ at, turn, byCategory: running.map(Math.round) });
    });
    return {
      seriesId: `series${Math.round(performance.now() * 1000)}`,
      points,
      from: 0,
      naive: [],
      models: [],
      cost: null,
      cacheEvidence: { mode: 'auto', marked: false, ttl: '5m', timed: true },
      sampled: step > 1,
      callPoints: callPoints.length,
      beside: 17_600,
      provenance: 'exact',
      complete: true,
    };
  };

  return {
    async call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
      const handler = handlers[method];
      if (!handler)
        throw Object.assign(new Error(`The mock engine has no ${method}.`), { code: 'mock', expected: true });
      return await handler(params);
    },
    on<E extends EventName>(event: E, listener: (payload: Events[E]) => void) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      return () => void set.delete(listener);
    },
  };
}

function asSpec(value: unknown): ProjectionSpec {
  if (!isRecord(value) || !Array.isArray(value.stages)) return { version: 1, stages: [] };
  return { version: 1, ...(typeof value.name === 'string' ? { name: value.name } : {}), stages: value.stages };
}

function stepped(
  points: readonly number[],
  messages: ReturnType<typeof sampleMessages>,
  at: number,
  delta: number,
  by: 'call' | 'turn',
): number {
  const turns = messages.flatMap((one, index) =>
    one.beginsTurn ? [points.find((point) => point > index) ?? index] : [],
  );
  const stops = by === 'call' ? points : turns;
  const here = delta > 0 ? stops.findLastIndex((one) => one <= at) : stops.findIndex((one) => one >= at);
  const from = here === -1 ? (delta > 0 ? -1 : stops.length) : here;
  return stops[Math.max(0, Math.min(stops.length - 1, from + delta))] ?? at;
}
