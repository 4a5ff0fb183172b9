// Along the call points, what a window drops for good is left out of the stages before it, until somebody asks. Nothing
// that can be asked is another for it, and a step costs what the window holds, however long the session is.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { Pipeline } from '../../core/projection/pipeline.ts';
import type { PipelineStage } from '../../core/projection/pipelineStage.ts';
import { sha256 } from '../../core/util/hash.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import type { IncrementalSteps } from '../../core/view/incremental.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { PAUSE } from '../../core/view/types.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';
import { spec } from '../support/randomStages.ts';

/** A generated session in which people speak often. */
function session(messages: number, rng: Rng): TranscriptSource {
  const lines = [...claudeCodeLines({ messages, seed: rng.below(1_000) })];
  const texts = lines.flatMap((line) => {
    const { message } = JSON.parse(line);
    const isResult = message.role === 'user' && Array.isArray(message.content);
    const said = { role: 'user', content: `go on with ${message.content?.[0]?.tool_use_id ?? 'it'}` };
    return isResult && rng.chance(0.4) ? [message, said] : [message];
  });
  return memorySource(texts.map((text) => JSON.stringify(text)));
}

function randomStages(rng: Rng) {
  const repair = rng.chance(0.6) ? [{ kind: 'clean_tool_repair' }] : [];
  const gc = { kind: 'reachability_gc', options: { root_window: 1 + rng.below(12), min_chars: rng.below(200) } };
  const rule = { mode: rng.pick(['age', 'count']), value: 1 + rng.below(30) };
  const retention = rng.chance(0.7) ? [{ kind: 'tool_result_retention', options: rule }] : [];
  const caps = rng.chance(0.5) ? [{ kind: 'tier_caps' }] : [];
  const window = { kind: 'sliding_window', options: { turns: rng.below(12), every: 1 + rng.below(3) } };
  const behind = rng.chance(0.5) ? [{ kind: 'hygiene' }] : [];
  const pin = rng.chance(0.2) ? [{ kind: 'pin', options: { messages: [2, 5, 40] } }] : [];
  return stagesOf(spec(...repair, gc, ...retention, ...caps, window, ...behind, ...pin));
}

function begin(source: TranscriptSource, stages: ReturnType<typeof stagesOf>, leavesOut: boolean): Pipeline {
  const pipeline = new Pipeline(
    { source, memo: createMemo(), sha256, tokens: estimatedTokens(source), budget: null },
    stages,
  );
  pipeline.leavesOut = leavesOut;
  return pipeline;
}

function run(steps: IncrementalSteps): void {
  for (let step = steps.next(); step.done !== true; ) step = steps.next(PAUSE);
}

const itemsOf = ({ output }: Pick<PipelineStage, 'output'>) =>
  output.toView().items.map((item) => [item.kind, item.text ?? item]);

function saidBy(stage: PipelineStage, at: number) {
  const kinds: unknown[] = [];
  for (let index = 0; index < at; index++) kinds.push([stage.kind(index), stage.fateOf(index)]);
  return { kinds, report: stage.report, items: itemsOf(stage) };
}

describe('leaving out what a window drops', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('changes nothing that can be asked: %i', (seed) => {
    const rng = seededRng(seed * 31);
    const source = session(360, rng);
    const stages = randomStages(rng);
    const [some, all] = [begin(source, stages, true), begin(source, stages, false)];
    for (const at of callPoints(source)) {
      run(some.moveTo(at));
      run(all.moveTo(at));
      const where = `seed ${seed}, at ${at}`;
      expect(itemsOf(some), where).toEqual(itemsOf(all));
      expect([...some.output.changed.keys()].sort(), where).toEqual([...all.output.changed.keys()].sort());
      if (rng.chance(0.05)) {
        // In any order: one stage may be asked first that others are behind.
        const nths = stages.map((_, nth) => nth).filter(() => rng.chance(0.7));
        if (rng.chance(0.5)) nths.reverse();
        for (const nth of nths) {
          const [one, other] = [some.stages[nth], all.stages[nth]];
          if (one === undefined || other === undefined) throw new Error('both have all stages');
          expect(saidBy(one, at), `${where}, ${one.stage.kind}`).toEqual(saidBy(other, at));
        }
      } else if (rng.chance(0.2)) {
        const index = rng.below(at + 1);
        for (const [nth, stage] of some.stages.entries()) {
          expect(stage.kind(index), `${where}, #${index}`).toBe(all.stages[nth]?.kind(index));
          expect(stage.output.at(index), `${where}, #${index}`).toEqual(all.stages[nth]?.output.at(index));
        }
      }
      some.settle();
      all.settle();
    }
  });

  it('makes a step of reachability cost what the window holds', () => {
    const stages = stagesOf(
      spec({ kind: 'reachability_gc', options: { root_window: 8 } }, { kind: 'sliding_window', options: { turns: 4 } }),
    );
    const changesAtEnd = (messages: number, leavesOut: boolean): number => {
      const source = session(messages, seededRng(7));
      const pipeline = begin(source, stages, leavesOut);
      let changes = 0;
      const points = callPoints(source);
      for (const [nth, at] of points.entries()) {
        run(pipeline.moveTo(at));
        if (nth >= points.length - 100) changes += pipeline.stages[0]?.output.changed.size ?? 0;
        pipeline.settle();
      }
      return changes;
    };
    const [short, long] = [changesAtEnd(1_000, true), changesAtEnd(4_000, true)];
    expect(long).toBeLessThan(short * 1.5);
    expect(changesAtEnd(4_000, false)).toBeGreaterThan(long * 2);
  });
});
