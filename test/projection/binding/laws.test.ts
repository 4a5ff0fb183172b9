// The check of thinking under every preset: a walk along the call points says what projecting again says, the rows show
// what is sent, and the judge agrees with the obvious way, which compares whole conversations block by block.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import { callPoints } from '../../../core/model/turns.ts';
import { runCallPoints } from '../../../core/projection/allCallPoints.ts';
import type { BindingInputs, BlockPlace, BlockRun, OnMismatch } from '../../../core/projection/binding/types.ts';
import type { ResolvedStage } from '../../../core/projection/parseSpec.ts';
import { PRESETS, presetsFor } from '../../../core/projection/presets.ts';
import { project } from '../../../core/projection/project.ts';
import { type Rng, seededRng } from '../../../core/util/rng.ts';
import { createMemo } from '../../../core/view/memo.ts';
import { PAUSE, type StageAnswer, type StageEffect } from '../../../core/view/types.ts';
import { obviousOutcome } from '../../oracle/boundThinking.ts';
import { naiveCallPoints, plainTally } from '../../oracle/callPoints.ts';
import { cases } from '../../support/cases.ts';
import { stagesOf } from '../../support/projecting.ts';
import { randomCompactions } from '../../support/randomCompactions.ts';
import { randomTranscript } from '../../support/randomTranscript.ts';
import { shownFaults } from '../../support/shown.ts';

const answer = (effect: StageEffect): StageAnswer =>
  effect.effect === 'pause'
    ? PAUSE
    : { ok: false, code: 'result', message: 'no sandbox here', line: null, column: null, logs: [] };

function inputs(onMismatch: OnMismatch, unread: readonly string[] = []): BindingInputs {
  return {
    reader: 'claude-fable-5-1',
    checks: true,
    onMismatch,
    enforced: true,
    unread: new Set(unread),
    makerOf: (index) => (index % 7 === 3 ? 'claude-opus-6' : 'claude-fable-5-1'),
    key: '',
  };
}

const SMALL = { trigger_tokens: 300, keep: 2 };
const SPECS: readonly unknown[] = [
  ...presetsFor(PRESETS, true, false).map(({ spec }) => spec),
  ...presetsFor(PRESETS, true, true).map(({ spec }) => spec),
  { version: 1, stages: [{ kind: 'langchain_clear_tool_uses', options: SMALL }] },
  { version: 1, stages: ['recorded_compaction', { kind: 'langchain_clear_tool_uses', options: SMALL }] },
  { version: 1, stages: [{ kind: 'vercel_prune_messages', options: { reasoning: 'before-last-message' } }] },
  { version: 1, stages: [{ kind: 'vercel_prune_messages', options: { reasoning: 'all' } }] },
  {
    version: 1,
    stages: [{ kind: 'anthropic_clear_thinking' }, { kind: 'hygiene', options: { profile: 'anthropic' } }],
  },
  { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 2 } }, 'clean_tool_repair'] },
];

interface Case {
  readonly source: TranscriptSource;
  readonly stages: readonly ResolvedStage[];
  readonly label: string;
}

// Each block has a signature of its own, mostly in front, sometimes also behind the first block.
function withThinking(rng: Rng, text: string, at: number): string {
  const message: { role: string; content: unknown } = JSON.parse(text);
  if (message.role !== 'assistant' || rng.chance(0.3)) return text;
  const plain = Array.isArray(message.content) ? message.content : [{ type: 'text', text: message.content }];
  const content = plain.filter(({ type }: { type: string }) => type !== 'thinking');
  const block = (part: number) => ({ type: 'thinking', thinking: '', signature: `sig-${at}-${part}` });
  content.unshift(block(0));
  if (rng.chance(0.3)) content.splice(2, 0, block(1));
  return JSON.stringify({ ...message, content });
}

function* randomCases(seeds: number): Generator<Case> {
  for (let seed = 1; seed <= seeds; seed++) {
    const rng = seededRng(seed);
    const texts = randomTranscript({ seed, turns: 7, shape: 'anthropic' }).map((text, at) =>
      withThinking(rng, text, at),
    );
    const source = memorySource(texts, null, seed % 2 === 0 ? randomCompactions(rng, texts) : []);
    for (const [at, spec] of SPECS.entries()) {
      const stages = stagesOf(spec);
      if (stages.some(({ kind }) => kind === 'custom')) continue;
      yield { source, stages, label: `seed ${seed}, spec ${at} ${JSON.stringify(spec)}` };
    }
  }
}

describe.each(['drop_block', 'error'] as const)('thinking under %s', (onMismatch) => {
  it('a walk says what projecting again says', () => {
    let failing = 0;
    for (const { source, stages, label } of randomCases(cases(6, 3))) {
      const binding = inputs(onMismatch, ['claude-opus-6']);
      const points = callPoints(source);
      const expected = naiveCallPoints(source, stages, points, { binding });
      const memo = createMemo();
      const tally = plainTally(source, memo);
      const found = runCallPoints({ source, stages, points, tally, options: { memo, binding } }, answer);
      const plain = ({ at, thinking, counts, byCategory, items }: (typeof found)[number]) =>
        JSON.stringify({ at, thinking, counts: Object.entries(counts).sort(), byCategory, items });
      expect(found.map(plain), label).toEqual(expected.map(plain));
      failing += found.reduce((sum, { thinking }) => sum + (thinking?.failing ?? 0), 0);
    }
    expect(failing).toBeGreaterThan(cases(500, 200));
  });

  it('the judge agrees with comparing whole conversations, block by block', () => {
    let runsOfBoth = 0;
    for (const { source, stages, label } of randomCases(cases(6, 2))) {
      for (const at of callPoints(source)) {
        const { thinking } = project(source, stages, at, { binding: inputs(onMismatch) });
        const obvious = obviousOutcome(source, stages, at);
        if (obvious === null) continue;
        const runs = thinking?.runs ?? [];
        const within = (wanted: boolean) =>
          sentSignatures(source, at, runs, wanted, [...obvious.holds, ...obvious.fails]);
        expect(
          {
            failing: thinking?.failing ?? 0,
            first: thinking?.first?.index ?? null,
            holds: within(false),
            fails: within(true),
          },
          `${label}, at ${at}`,
        ).toEqual({ ...obvious, holds: [...obvious.holds].sort(), fails: [...obvious.fails].sort() });
        runsOfBoth += runs.some(({ fails }) => fails) && runs.some(({ fails }) => !fails) ? 1 : 0;
      }
    }
    expect(runsOfBoth).toBeGreaterThan(cases(10, 3));
  });
});

// The signatures of the blocks that runs say of that they hold or fail, among those that are sent.
function sentSignatures(
  source: TranscriptSource,
  at: number,
  runs: readonly BlockRun[],
  wanted: boolean,
  sent: readonly string[],
): string[] {
  const isWithin = (index: number, part: number): boolean =>
    runs.some(
      ({ from, to, fails }) =>
        fails === wanted && !isBefore(index, part, from) && !isBefore(to.index, to.part, { index, part }),
    );
  const found: string[] = [];
  for (let index = 0; index < at; index++) {
    const { content }: { content: unknown } = JSON.parse(source.text(index));
    if (!Array.isArray(content)) continue;
    for (const [part, block] of content.entries()) {
      const { signature } = block as { signature?: string };
      if (signature !== undefined && sent.includes(signature) && isWithin(index, part)) found.push(signature);
    }
  }
  return found.sort();
}

function isBefore(index: number, part: number, than: BlockPlace): boolean {
  return index < than.index || (index === than.index && part < than.part);
}

it('what is dropped is struck out, and nothing else', () => {
  for (const { source, stages, label } of randomCases(cases(4, 2))) {
    for (const at of callPoints(source)) {
      const memo = createMemo();
      const projection = project(source, stages, at, { memo, binding: inputs('drop_block', ['claude-opus-6']) });
      expect(shownFaults(source, projection, memo), `${label}, at ${at}`).toEqual([]);
    }
  }
});
