// The mock engine's answers for panel, drawer and dialogs: stage descriptions, presets, traces, records, files.
import type { Problem } from '../../core/model/problem.ts';
import type { MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import type * as T from '../../core/protocol/types.ts';
import { isRecord } from '../../core/util/unknown.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import type { MockMessage } from './mockData.ts';
import { MOCK_PRESETS } from './mockLibrary.ts';
import { mockTextTrace } from './mockTextTrace.ts';

type Handlers = { readonly [M in MethodName]?: (params: Params<M>) => ResultOf<M> | Promise<ResultOf<M>> };

const COMMON: readonly ParamSchema[] = [
  {
    name: 'respect_provider_signatures',
    type: 'boolean',
    default: true,
    help: 'Refuse the whole projection if it would drop or edit a message with signed reasoning.',
  },
  { name: 'reason', type: 'string', default: null, help: 'Recorded in place of the policy’s own reason.' },
];

const whole = (name: string, value: number, softMax: number, unit: string, help: string): ParamSchema => ({
  name,
  type: 'integer',
  default: value,
  min: 0,
  softMax,
  unit,
  help,
});

const stage = (kind: string, title: string, help: string, params: readonly ParamSchema[]): T.StageInfo => ({
  keepsThinking: 'no',
  traits: kind === 'recorded_compaction' ? { gives: 'compactions' } : {},
  kind,
  family: 'harn',
  title,
  help,
  params: [...params, ...COMMON],
});

const STAGES: readonly T.StageInfo[] = [
  stage('recorded_compaction', 'Recorded compaction', 'Puts the recorded summary in place of what it replaced.', []),
  stage('clean_tool_repair', 'Clean tool repair', 'Hides failed calls whose tool succeeded later.', []),
  stage('squash_failed_calls', 'Squash failed calls', 'Hides turns whose every call failed.', []),
  stage('summary_prefix', 'Summary prefix', 'Replaces everything before the last messages by one summary.', [
    whole('keep_last', 0, 100, 'messages', 'How many messages at the end stay word for word.'),
    { name: 'summary', type: 'text', default: null, help: 'The summary’s text.' },
  ]),
  stage('reachability_gc', 'Reachability GC', 'Replaces old tool results that nothing recent names by pointers.', [
    { ...whole('root_window', 8, 64, 'messages', 'How many messages at the end are roots.'), aliases: ['keep_last'] },
    whole('min_chars', 500, 10_000, 'characters', 'The shortest tool result worth reclaiming.'),
    {
      name: 'require_write_barrier',
      type: 'boolean',
      default: false,
      help: 'Reclaim only if a write barrier is given.',
    },
    { name: 'active_plan', type: 'text', default: null, help: 'The active plan: what it names stays.' },
  ]),
  stage('custom', 'Custom', 'A custom function, run in a sandbox.', [
    { name: 'projector', type: 'code', default: null, help: 'function project(messages) that returns messages.' },
  ]),
];

const MODELS: readonly T.ModelInfo[] = [
  { id: 'claude-sonnet-4-5', title: 'Claude Sonnet 4.5', window: 200_000, tokenizer: 'claude_estimate', exact: false },
  { id: 'gpt-5', title: 'GPT-5', window: 400_000, tokenizer: 'o200k_base', exact: true },
  { id: 'gpt-4-turbo', title: 'GPT-4 Turbo', window: 128_000, tokenizer: 'cl100k_base', exact: true },
];

const PROBLEMS: readonly Problem[] = [
  {
    code: 'import.broken_line',
    severity: 'error',
    text: 'The line is no JSON: it ends within a string. It was kept as it is and left out of the messages.',
    where: { file: '/logs/session.jsonl', line: 412, column: 8193, byteStart: 1_204_112, byteEnd: 1_212_305 },
  },
  {
    code: 'import.orphan_result',
    severity: 'warning',
    text: 'A tool result answers a call that is not in the transcript.',
    where: { file: '/logs/session.jsonl', line: 88, index: 42 },
  },
  { code: 'import.no_timestamp', severity: 'info', text: 'No timestamps were recorded.', where: { index: 0 } },
];

/** Handlers over the mock's messages and call points. */
export function mockPolicy(messages: readonly MockMessage[], callPoints: readonly number[]): Handlers {
  return {
    'spec.describe': () => ({ stages: STAGES, presets: MOCK_PRESETS, models: MODELS }),
    'spec.parse': ({ spec }) => parsed(spec),
    'transcript.problems': () => ({ problems: PROBLEMS }),
    'transcript.events': ({ from, to }) => {
      const events = messages.map(
        (message, at): T.EventInfo => ({
          kind: at % 40 === 0 ? 'compaction' : 'message',
          at,
          visibility: 'internal',
          text: message.parts[0]?.text.slice(0, 200) ?? '',
          words: '',
          assetId: null,
          timestamp: '2026-01-05T09:12:00.000Z',
          json: JSON.stringify({ at, role: message.role }, null, 2),
          line: at + 1,
        }),
      );
      return {
        events: events.slice(from, to),
        total: events.length,
        kinds: [{ kind: 'message', count: events.length }],
      };
    },
    'transcript.facts': () => ({ state: null, metadata: null, budget: null, prompt: null, assets: [] }),
    'asset.open': () => ({ mime: 'image/png', bytes: 68, base64: PIXEL }),
    'asset.openTranscript': () => ({ id: 'mock' }),
    'budget.presets': async () => {
      await new Promise((done) => setTimeout(done, 300));
      const total = [186_204, 61_388, 231_000];
      return { figures: MOCK_PRESETS.map((preset, at) => presetFigure(preset, total[at] ?? 0)) };
    },
    'trace.message': ({ index, part }) => trace(callPoints, index, part),
    'trace.text': (params) => mockTextTrace(messages, callPoints, params),
    'trace.present': ({ places }) => ({ presence: places.map((): T.PlacePresence => 'here') }),
    'search.text': ({ text, limit }) => {
      const needle = text.toLowerCase();
      const all = messages.flatMap((message, index) =>
        message.parts.flatMap((one, part): T.TextHit[] => {
          const start = one.text.toLowerCase().indexOf(needle);
          if (start === -1 || needle === '') return [];
          const from = Math.max(0, start - 40);
          const context = one.text.slice(from, start + 80).replaceAll('\n', ' ');
          return [{ index, part, row: 0, context, start: start - from, length: needle.length }];
        }),
      );
      return { hits: all.slice(0, limit), total: all.length };
    },
    'record.get': ({ index }) => ({
      records: [
        { line: index + 1, json: JSON.stringify({ uuid: 'b3f1', type: 'assistant', message: messages[index] }) },
      ],
    }),
    'asset.get': () => ({ mime: 'image/png', bytes: 68, base64: PIXEL }),
    'export.write': async () => {
      await new Promise((done) => setTimeout(done, 400));
      const path = '/exports/fix-the-flaky-login-test-at-231.parallax.json';
      const markdown = '### Fix the flaky login test\n\n- transcript: claude-code, 231 messages\n';
      return { path, bytes: 812_400, prefixHash: 'sha256:61c09ab4', markdown, besideProblem: null };
    },
  };
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function parsed(given: unknown): ResultOf<'spec.parse'> {
  let spec = given;
  if (typeof given === 'string') {
    try {
      spec = JSON.parse(given);
    } catch (error) {
      const text = `This is no JSON: ${error instanceof Error ? error.message : ''}`;
      return { spec: null, problems: [{ code: 'spec.syntax', severity: 'error', text, where: { line: 1 } }] };
    }
  }
  if (!isRecord(spec) || !Array.isArray(spec.stages)) {
    const problem: Problem = {
      code: 'spec.shape',
      severity: 'error',
      text: 'A spec has a list of stages.',
      where: { path: 'stages' },
    };
    return { spec: null, problems: [problem] };
  }
  const name = typeof spec.name === 'string' ? { name: spec.name } : {};
  return { spec: { version: 1, ...name, stages: spec.stages }, problems: [] };
}

function presetFigure(preset: T.PresetInfo, total: number): T.PresetFigure {
  const byCategory = { system: 0, user: 0, assistant: 0, thinking: 0, tool_call: 0, tool_result: total, image: 0 };
  return {
    name: preset.name,
    title: preset.title,
    spec: preset.spec,
    tokens: { total, byCategory, provenance: 'exact' },
    group: preset.group ?? null,
    beside: 17_600,
    blocked: preset.name === 'blocked',
    thinking: null,
    problem: null,
    total: 200_000,
    fits: total <= 200_000,
    firstOver: total <= 200_000 ? null : { at: 512, turn: 31, tokens: 200_640 },
  };
}

function trace(callPoints: readonly number[], index: number, part: number | null): T.Trace {
  const step = Math.max(1, Math.ceil(callPoints.length / 240));
  const points = callPoints
    .filter((_, position) => position % step === 0)
    .map((at, position): T.TracePoint => ({ at, turn: Math.floor(position / 4) + 1, state: stateAt(at, index) }));
  const loss: T.TraceLoss = {
    at: index + 20,
    turn: 21,
    fate: 'redacted',
    stage: 2,
    stageTitle: 'Reachability GC',
    rule: 'stale_tool_result_unreachable',
    reason: 'older than the last 8 messages, 4,812 tok, and none of its 23 identifiers is named there',
    replacedBy: '[tool result reclaimed by reachability_gc; source_index=214; content_hash=sha256:9f2c…]',
  };
  return {
    index,
    part,
    points,
    sampled: step > 1,
    firstLoss: loss,
    now: { state: 'changed', loss },
    returns: [index + 120],
  };
}

function stateAt(at: number, index: number): T.TracePoint['state'] {
  if (at <= index) return 'not_yet';
  if (at < index + 20) return 'visible';
  if (at < index + 60) return 'changed';
  return at >= index + 120 && at < index + 130 ? 'visible' : 'absent';
}
