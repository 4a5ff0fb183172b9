import { CATEGORIES } from '../../core/model/category.ts';
import { PROVENANCE_KINDS, provenanceWords } from '../../core/model/provenance.ts';
import type { BadgeKind, Row, SeriesPoint } from '../../core/protocol/types.ts';
import { ODD_MESSAGES, seeded } from './mockData.ts';

interface Sample {
  readonly title: string;
  readonly rows: readonly Row[];
}

function row(
  over: Partial<Row> & { readonly key: string; readonly text?: string; readonly tokens?: number | null },
): Row {
  const { text = 'The lock is taken after the await. That is the race.', tokens = 52, ...rest } = over;
  const cell = {
    text,
    mono: over.category === 'tool_call' || over.category === 'tool_result',
    tokens,
    tokensProvenance: 'exact' as const,
  };
  return {
    row: 0,
    kind: 'part',
    index: 214,
    part: 0,
    firstOfMessage: true,
    lastOfMessage: true,
    category: 'assistant',
    partKind: 'text',
    label: 'assistant',
    badges: [],
    timestamp: null,
    raw: cell,
    projected: cell,
    fate: 'kept',
    chip: null,
    reason: 'The reason, as a sentence.',
    ...rest,
  };
}

const BADGES: readonly BadgeKind[] = [
  'typed',
  'signed',
  'error',
  'injected',
  'sidechain',
  'compact_summary',
  'api_error',
  'opaque',
  'image',
];

function cell(text: string, mono = false) {
  return { text, mono, tokens: 61, tokensProvenance: 'exact' as const };
}

const RESULT = {
  category: 'tool_result',
  label: 'result',
  partKind: 'tool_result',
  text: 'export class Session { private refresh_token …',
} as const;

/** Rows by what they show. */
export const GALLERY_ROWS: readonly Sample[] = [
  {
    title: 'fates',
    rows: [
      row({ key: 'kept' }),
      row({
        key: 'redacted',
        ...RESULT,
        tokens: 4812,
        fate: 'redacted',
        chip: '−4,751',
        projected: cell('[reclaimed] pointer → messages[214] · sha256:9f2c61c0', true),
      }),
      row({ key: 'rewritten', fate: 'rewritten', chip: 'id' }),
      row({ key: 'dropped', ...RESULT, fate: 'dropped', chip: 'repaired at #216', projected: null }),
      row({
        key: 'dropped-bare',
        category: 'tool_call',
        label: 'call',
        fate: 'dropped',
        projected: null,
        text: 'grep  refresh_token  src/',
      }),
      row({ key: 'summarised', fate: 'summarised', chip: 'summary', projected: null }),
      row({ key: 'merged', category: 'user', label: 'user', fate: 'merged', chip: 'into #213' }),
      row({ key: 'synthetic', kind: 'synthetic', index: 0, to: 96, label: 'summary', raw: null, fate: 'synthetic' }),
      row({ key: 'future', fate: 'future', projected: null }),
    ],
  },
  {
    title: 'states: selected, call point, fold, later part of a message',
    rows: [
      row({ key: 'selected' }),
      row({ key: 'call-point', fate: 'future', projected: null }),
      row({ key: 'fold', kind: 'fold', index: 96, to: 205, text: '109 messages, all kept', tokens: 48_112 }),
      row({
        key: 'gone',
        kind: 'fold',
        index: 0,
        to: 270,
        text: '270 messages',
        tokens: 144_138,
        projected: null,
        fate: 'summarised',
        gone: {
          messages: 270,
          stage: 'Recorded compaction',
          into: { kind: 'message', index: 271, tokens: 6406, tokensProvenance: 'exact' },
        },
      }),
      row({
        key: 'later',
        firstOfMessage: false,
        part: 1,
        category: 'tool_call',
        label: 'call',
        text: 'edit  src/auth/session.ts  +6 −2',
      }),
    ],
  },
  { title: 'badges', rows: BADGES.map((badge) => row({ key: badge, badges: [badge], text: badge })) },
  {
    title: 'origins',
    rows: PROVENANCE_KINDS.map((kind) =>
      row({ key: kind, category: 'user', label: 'user', origin: provenanceWords({ kind }), text: kind }),
    ),
  },
  {
    title: 'counts: none yet, estimated, zero, large',
    rows: [
      row({ key: 'uncounted', tokens: null }),
      row({ key: 'estimated', raw: { text: 'estimated', mono: false, tokens: 1204, tokensProvenance: 'estimated' } }),
      row({ key: 'zero', text: '', tokens: 0 }),
      row({ key: 'large', index: 1_000_000, tokens: 12_345_678 }),
    ],
  },
  {
    title: 'texts that try the line',
    rows: ODD_MESSAGES.flatMap((message, index) =>
      message.parts.map((part, number) =>
        row({
          key: `odd${index}.${number}`,
          index,
          part: number,
          firstOfMessage: number === 0,
          category: part.category,
          label: part.label,
          partKind: part.kind,
          badges: part.badges,
          text: part.text.slice(0, 300),
          tokens: part.tokens,
        }),
      ),
    ),
  },
];

/** 96 call points with two drops. */
export const GALLERY_SERIES: readonly SeriesPoint[] = (() => {
  const random = seeded(3);
  const points: SeriesPoint[] = [];
  let level = CATEGORIES.map(() => 400);
  for (let at = 0; at < 96; at++) {
    if (at === 38 || at === 74) level = level.map((value) => value * 0.2);
    level = level.map((value, slot) => value + random() * (slot === 5 ? 2400 : 240));
    points.push({ at, turn: Math.floor(at / 6) + 1, byCategory: level.map(Math.round) });
  }
  return points;
})();
