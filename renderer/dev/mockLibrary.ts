import type { PresetInfo, TranscriptInfo, TranscriptSummary } from '../../core/protocol/types.ts';
import type { MockMessage } from './mockData.ts';

const BASE: TranscriptSummary = {
  id: 't1',
  title: 'fix the flaky login test',
  format: 'claude-code',
  project: 'my-api',
  model: 'claude-sonnet-4-5',
  messages: 0,
  toolTitle: null,
  firstText: null,
  errors: 0,
  tags: [],
  notes: 0,
  bookmarks: 0,
  noteText: '',
  base: null,
  problems: 3,
  compactions: 2,
  startedAt: '2026-01-05T09:12:00.000Z',
  endedAt: '2026-01-05T11:40:00.000Z',
  importedAt: '2026-01-05T12:00:00.000Z',
  bytes: 4_800_000,
  tokens: 186_204,
  tokensProvenance: 'exact',
  state: 'ready',
  files: ['session.jsonl'],
  under: null,
  whatIf: null,
  survey: null,
};

/** The mock's library; its first transcript has `messages` messages. */
export function mockLibrary(messages: number): readonly TranscriptSummary[] {
  const one = (
    id: string,
    project: string | null,
    title: string,
    tokens: number | null,
    more: Partial<TranscriptSummary> = {},
  ) => ({
    ...BASE,
    id,
    project,
    title,
    tokens,
    messages: 80,
    compactions: 0,
    errors: 0,
    toolTitle: null,
    firstText: null,
    tags: [],
    notes: 0,
    bookmarks: 0,
    base: null,
    ...more,
  });
  return [
    { ...BASE, messages },
    one('t2', 'my-api', 'rate limiter for /v2', 92_104),
    one('t3', 'my-api', 'migrate to pnpm', 41_008, { state: 'importing', tokens: null }),
    one('t4', 'web-app', 'dark mode regressions on Safari and on every page that has a very long title', 311_000),
    one('t5', 'web-app', 'why is the build slow', 58_404, { tokensProvenance: 'estimated' }),
    one('t6', 'web-app', 'sub-agent: search usages', 12_000),
    one('t7', 'swe-bench', 'django-11099 · mini-swe', 27_013),
    one('t8', 'swe-bench', 'sympy-18087', null, { state: 'failed' }),
    one('t9', null, 'إصلاح اختبار تسجيل الدخول', 8_113),
  ];
}

/** Everything about an opened mock transcript. */
export function mockInfo(
  summary: TranscriptSummary,
  callPoints: number,
  messages: readonly MockMessage[],
): TranscriptInfo {
  const third = Math.floor(messages.length / 3);
  return {
    ...summary,
    messages: messages.length,
    cwd: '/home/user/my-api',
    gitBranch: 'main',
    toolVersion: '2.0.0',
    sessionId: 'b3f1',
    models: [summary.model ?? ''],
    turns: messages.filter((one) => one.beginsTurn).length,
    callPoints,
    events: 12,
    assets: 1,
    compactionMarks: [
      { at: third, label: 'compacted', kind: 'compaction' },
      { at: third * 2, label: 'compacted', kind: 'compaction' },
    ],
    projections: 0,
    archivedAs: null,
    tokenizer: 'o200k_base',
    tokenizerLabel: 'o200k',
    isWindowRecorded: false,
    window: 200_000,
    counted: 1,
    overhead: null,
    bundle: null,
    choice: null,
  };
}

/** Presets enough to see every fate. */
export const MOCK_PRESETS: readonly PresetInfo[] = [
  { name: 'raw', title: 'Raw', help: 'Nothing is changed.', spec: { version: 1, name: 'raw', stages: [] } },
  {
    name: 'clean_then_reclaim',
    title: 'Clean, then reclaim',
    help: 'Every fate occurs.',
    spec: {
      version: 1,
      name: 'clean_then_reclaim',
      stages: [
        { kind: 'recorded_compaction' },
        { kind: 'clean_tool_repair' },
        { kind: 'reachability_gc', options: { root_window: 8, min_chars: 500 } },
        { kind: 'hygiene', options: { provider: 'anthropic' } },
      ],
    },
  },
  {
    name: 'blocked',
    title: 'Blocked by provider safety',
    help: 'A signed block stands in the way.',
    spec: { version: 1, name: 'blocked', stages: [{ kind: 'clean_tool_repair' }] },
  },
];
