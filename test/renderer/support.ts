import type { Row, SeriesPoint, TranscriptSummary } from '../../core/protocol/types.ts';

/** A row of one kept user message; `over` changes fields, `text` both cells. */
export function makeRow(over: Partial<Row> & { readonly text?: string } = {}): Row {
  const { text = 'text', ...rest } = over;
  const cell = { text, mono: false, tokens: 12, tokensProvenance: 'exact' as const };
  const index = over.index ?? 0;
  return {
    key: `m${index}.${over.part ?? 0}`,
    row: 0,
    kind: 'part',
    index,
    part: 0,
    firstOfMessage: true,
    lastOfMessage: true,
    category: 'user',
    partKind: 'text',
    label: 'user',
    badges: [],
    timestamp: null,
    raw: cell,
    projected: cell,
    fate: 'kept',
    chip: null,
    reason: '',
    ...rest,
  };
}

/** A call point with tokens for the first categories given. */
export function makePoint(at: number, byCategory: readonly number[]): SeriesPoint {
  return { at, turn: 1, byCategory: Array.from({ length: 7 }, (_, slot) => byCategory[slot] ?? 0) };
}

/** A ready transcript of the library. */
export function makeSummary(over: Partial<TranscriptSummary>): TranscriptSummary {
  return {
    id: 't1',
    title: 'title',
    format: 'claude-code',
    project: null,
    model: null,
    messages: 1,
    problems: 0,
    compactions: 0,
    errors: 0,
    toolTitle: null,
    firstText: null,
    tags: [],
    notes: 0,
    bookmarks: 0,
    noteText: '',
    base: null,
    startedAt: null,
    endedAt: null,
    importedAt: '2026-01-01T00:00:00.000Z',
    bytes: 1,
    tokens: null,
    tokensProvenance: null,
    state: 'ready',
    files: [],
    under: null,
    whatIf: null,
    ...over,
  };
}
