// The smallest slice: of every example under every policy the request, outcomes and pointers are those of the whole.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection, StageSpec } from '../../core/projection/types.ts';
import { type BundleInput, bundleChunks } from '../../core/report/bundle.ts';
import { readBundle } from '../../core/report/readBundle.ts';
import {
  emptiedMessage,
  emptiedMeta,
  isEmptied,
  isSameResult,
  type Slice,
  smallestSlice,
} from '../../core/report/slice/index.ts';
import { verifyBundle } from '../../core/report/verify.ts';
import { createMemo } from '../../core/view/memo.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { cases } from '../support/cases.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

/** Policies that do something to short sessions too. */
const TIGHT: readonly (readonly StageSpec[])[] = [
  [{ kind: 'sliding_window', options: { keep_turns: 1 } }],
  [{ kind: 'summary_prefix', options: { keep_last: 2 } }],
  [{ kind: 'langchain_trim_messages', options: { max_tokens: 60, allow_partial: true } }],
  [{ kind: 'anthropic_clear_tool_uses', options: { trigger: 10, keep: 0, clear_tool_inputs: true } }],
  [
    { kind: 'tool_result_retention', options: { default_turns: 0 } },
    { kind: 'sliding_window', options: { keep_turns: 1 } },
  ],
  [{ kind: 'vercel_prune_messages', options: { reasoning: 'all', tool_calls: 'before-last-message' } }],
  [{ kind: 'openai_truncation', options: { window: 100 } }],
  [
    { kind: 'pin', options: { last: 1 } },
    { kind: 'hygiene', options: { profile: 'anthropic' } },
  ],
];

const POLICIES = [...TIGHT, ...PRESETS.map(({ spec }) => spec.stages)];

/** The examples: of each format the small files, their transcripts with messages. */
const EXAMPLES = readdirSync(FIXTURES).flatMap((format) =>
  readdirSync(join(FIXTURES, format)).flatMap((name) => {
    const path = join(FIXTURES, format, name);
    if (statSync(path).isDirectory() || statSync(path).size > 120_000) return [];
    return importText(readFileSync(path), { unpack: unpackZlib })
      .transcripts.filter(({ messages }) => messages.length > 0)
      .slice(0, 2)
      .map((transcript) => [`${format}/${name} ${transcript.key}`, transcript] as const);
  }),
);

interface Sliced {
  readonly whole: Projection;
  readonly slice: Slice;
}

type Given = Pick<ImportedTranscript, 'messages'>;

const projectAt = (source: Parameters<typeof project>[0], stages: readonly StageSpec[], at: number): Projection =>
  project(source, stagesOf({ version: 1, stages }), at, { sha256: nodeSha256, memo: createMemo() });

function sliceOf(source: MemoryTranscript, { messages }: Given, stages: readonly StageSpec[], at: number): Sliced {
  const whole = projectAt(source, stages, at);
  const steps = smallestSlice({ source, projection: whole, metaOf: (index) => messages[index]?.meta ?? {} });
  let step = steps.next();
  while (step.done !== true) {
    const projection = projectAt(step.value.source, stages, at);
    step = steps.next(isSameResult({ projection: whole, source }, { projection, source: step.value.source }));
  }
  return { whole, slice: step.value };
}

function written(
  transcript: ImportedTranscript,
  source: MemoryTranscript,
  stages: readonly StageSpec[],
  { whole, slice }: Sliced,
): string {
  const { messages, meta } = transcript;
  const input: BundleInput = {
    engineVersion: '0',
    transcript: { id: 't', format: meta.format, title: 'T' },
    recorded: {
      ...meta,
      meta: (index) =>
        slice.emptied.has(index) ? emptiedMeta(messages[index]?.meta ?? {}) : (messages[index]?.meta ?? {}),
    },
    source: slice.source,
    spec: { version: 1, stages },
    projection: projectAt(slice.source, stages, whole.at),
    tokens: null,
    slice: slice.statement,
  };
  expect(source.length).toBeGreaterThanOrEqual(whole.at);
  return [...bundleChunks(input)].join('');
}

const decided = ({ fates, pointers }: Projection): unknown => [
  fates.map(({ kind, stage, rule, because = null, parts = [] }) => [
    kind,
    stage,
    rule,
    because,
    parts.map((part) => [part.part, part.kind]),
  ]),
  pointers,
];

describe.each(EXAMPLES)('%s', (name, transcript) => {
  it('body, outcomes and pointers of a slice are those of the whole, and the bundle verifies', () => {
    const turn = EXAMPLES.findIndex(([each]) => each === name);
    const source = MemoryTranscript.of(transcript);
    for (const [place, stages] of POLICIES.entries()) {
      if (place >= TIGHT.length && (place + turn) % 5 !== 0) continue;
      const at = place % 2 === 0 ? source.length : Math.ceil(source.length / 2);
      const made = sliceOf(source, transcript, stages, at);
      const bundle = readBundle(written(transcript, source, stages, made));
      if (!bundle.ok) throw new Error(bundle.error.text);
      const projection = projectAt(bundle.value.source, stages, at);
      expect(verifyBundle(bundle.value, projection, '0', nodeSha256).differences, JSON.stringify(stages)).toEqual([]);
      expect(decided(projection), JSON.stringify(stages)).toEqual(decided(made.whole));
      const body = (of: Projection, from: typeof bundle.value.source): unknown =>
        JSON.parse(bodyText(toWire(of.view, from, createMemo(), 'anthropic', { meta: transcript.meta })));
      expect(body(projection, bundle.value.source), JSON.stringify(stages)).toEqual(body(made.whole, source));
      for (const index of made.slice.emptied) expect(isEmptied(bundle.value.source.text(index))).toBe(true);
    }
  });
});

/** Turns with calls, each answered; words that repeat, so that reachability has something to reach. */
const SESSION = Array.from({ length: 7 }, (_, at) => [
  { role: 'user', content: `Look at src/file${at}.ts` },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: `toolu_${at}`, name: 'read', input: { path: `src/file${at}.ts` } }],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: `secret${at} of src/file${at}.ts` }],
  },
  { role: 'assistant', content: `Seen file${at}.` },
]).flat();

const imported = (messages: readonly unknown[]): ImportedTranscript => {
  const [transcript] = importText(JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 1, messages })).transcripts;
  if (transcript === undefined) throw new Error('no transcript');
  return transcript;
};

test('it is the smallest: with any one message more without its words the result is another one', () => {
  const transcript = imported(SESSION);
  const source = MemoryTranscript.of(transcript);
  let kept = 0;
  for (const stages of POLICIES) {
    const { whole, slice } = sliceOf(source, transcript, stages, source.length);
    expect(slice.statement.minimal).toBe(true);
    for (let index = 0; index < source.length; index++) {
      if (slice.emptied.has(index)) continue;
      const texts = Array.from({ length: source.length }, (_, each) =>
        each === index || slice.emptied.has(each) ? emptiedMessage(source.text(each)) : source.text(each),
      );
      const other = transcriptOf(texts.map((text): unknown => JSON.parse(text)));
      const projection = projectAt(other, stages, source.length);
      expect(
        isSameResult({ projection: whole, source }, { projection, source: other }),
        `${JSON.stringify(stages)} #${index}`,
      ).toBe(false);
      kept++;
    }
  }
  expect(kept).toBeGreaterThan(200);
});

test('a window’s slice holds no word of what it dropped', () => {
  const transcript = imported(SESSION);
  const source = MemoryTranscript.of(transcript);
  const stages = [{ kind: 'sliding_window', options: { keep_turns: 2 } }];
  const made = sliceOf(source, transcript, stages, source.length);
  expect(made.slice.statement).toEqual({ whole: [[20, 28]], emptied: 20, tried: 1, minimal: true });
  const text = written(transcript, source, stages, made);
  for (const at of [0, 4]) expect(text.split('"raw"')[1]).not.toContain(`secret${at}`);
  expect(text).toContain('secret5');
});

test('a budget of projections ends the search, and it says so; the slice is sound all the same', () => {
  const transcript = imported(SESSION);
  const source = MemoryTranscript.of(transcript);
  const stages = [{ kind: 'langchain_trim_messages', options: { max_tokens: 40, allow_partial: true } }];
  const whole = projectAt(source, stages, source.length);
  const steps = smallestSlice({ source, projection: whole, metaOf: () => ({}), mostTries: 3 });
  let step = steps.next();
  while (step.done !== true) step = steps.next(false);
  expect(step.value.statement).toMatchObject({ emptied: 0, tried: 3, minimal: false });
});

test('verify says where a slice holds words that it says it does not, or counts otherwise', () => {
  const transcript = imported(SESSION);
  const source = MemoryTranscript.of(transcript);
  const stages = [{ kind: 'sliding_window', options: { keep_turns: 2 } }];
  const text = written(transcript, source, stages, sliceOf(source, transcript, stages, source.length));
  const whatOf = (changed: string): readonly string[] => {
    const bundle = readBundle(changed);
    if (!bundle.ok) throw new Error(bundle.error.text);
    const projection = projectAt(bundle.value.source, stages, source.length);
    return verifyBundle(bundle.value, projection, '0', nodeSha256).differences.map(({ what }) => what);
  };
  expect(whatOf(text)).toEqual([]);
  expect(whatOf(text.replace('{"role":"user","content":"…"}', '{"role":"user","content":"words"}'))).toContain(
    'slice: message 0',
  );
  expect(whatOf(text.replace('"emptied":20', '"emptied":19'))).toEqual(['slice: messages without their words']);
  expect(whatOf(text.replace('"whole":[[20,28]]', '"whole":[[20,28],[3,1],[5,999999999]]'))).not.toEqual([]);
});

test('an emptied message has no words, the same of it again, and its calls and results by their ids', () => {
  const text = emptiedMessage(
    JSON.stringify({
      role: 'assistant',
      content: [
        { type: 'text', text: 'words' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'words' } },
        { type: 'thinking', thinking: 'words', signature: 'words==' },
      ],
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"a":"words"}' } }],
      details: { stdout: 'words', exit: 3, isError: true },
    }),
  );
  expect(text).not.toContain('words');
  for (const kept of ['"toolu_1"', '"read"', '"c1"', '"ls"', '"exit":3', '"isError":true', '"arguments":"{}"'])
    expect(text).toContain(kept);
  expect(emptiedMessage('{"role":"user","content":"<system-reminder>words</system-reminder>"}')).toContain(
    '<system-reminder>…</system-reminder>',
  );
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(emptiedMessage(emptiedMessage(json))).toBe(emptiedMessage(json));
    }),
    { seed: 5, numRuns: cases(500, 150) },
  );
});
