import type {
  RawTextPlace,
  Row,
  SeriesPoint,
  TextLoss,
  TextTrace,
  TranscriptSummary,
} from '../../core/protocol/types.ts';
import type { OpenAt } from '../../renderer/state/libraryActions.ts';

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
    survey: null,
    ...over,
  };
}

/** A place of a text in message `index`, said before the call point and in the request. */
export function makePlace(index: number, over: Partial<RawTextPlace> = {}): RawTextPlace {
  return {
    where: 'message',
    index,
    part: 0,
    from: 4,
    to: 8,
    context: 'the lamp flickers',
    start: 4,
    length: 4,
    label: `user #${index}`,
    present: true,
    after: false,
    ...over,
  };
}

/** The answer to a text whose states at call points 2, 4, 6 … are given by letters: n, o, e, p, g. */
export function makeTextTrace(states: string, over: Partial<TextTrace> = {}): TextTrace {
  const names = { n: 'not_yet', o: 'original', e: 'elsewhere', p: 'partly', g: 'gone' } as const;
  const points = [...states].map((letter, number) => ({
    at: number * 2 + 2,
    turn: number,
    state: names[letter as keyof typeof names],
  }));
  const counts = { not_yet: 0, original: 0, elsewhere: 0, partly: 0, gone: 0 };
  for (const { state } of points) counts[state] += 1;
  const last = points.at(-1) ?? { at: 0, turn: 0, state: 'not_yet' as const };
  return {
    text: 'lamp',
    sentence: '',
    points,
    sampled: false,
    changes: [],
    first: null,
    places: [],
    totalPlaces: over.places?.length ?? 0,
    firstLoss: null,
    now: { ...last, places: [], total: 0, since: null, loss: null, replacedBy: null, anchors: null },
    counts,
    ...over,
  };
}

/** A loss at a call point, by the first stage. */
export function makeTextLoss(at: number, over: Partial<TextLoss> = {}): TextLoss {
  return {
    at,
    turn: 3,
    place: 'user #1',
    fate: 'summarised',
    stage: 0,
    stageTitle: 'Recorded compaction',
    rule: 'recorded_compaction',
    reason: 'the runtime did not carry it forward',
    replacedBy: null,
    ...over,
  };
}

/** Opens a transcript at its first row, as one that was left there. */
export const AT_TOP: OpenAt = { at: null, selection: null, stand: { index: 0, part: 0, offset: 0 } };
