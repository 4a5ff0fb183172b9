// A converted stage against the plain form it had, alternately in one process: `node test/bench/formsOf.ts [MESSAGES]
// [KIND…]`. Prints the least of each and their ratio, cold, warm, and one call point further. Goes with test/oracle/stages.
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { parseSpec, type ResolvedStage } from '../../core/projection/parseSpec.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import type { StageMemo } from '../../core/view/types.ts';
import { CONVERTED, PLAIN_STAGES } from '../oracle/stages/index.ts';
import { claudeCodeFile } from '../support/generate.ts';

const ROUNDS = 5;
const [messages = '10000', ...kinds] = process.argv.slice(2);

function stagesIn(spec: unknown, registry: typeof STAGES): readonly ResolvedStage[] {
  const parsed = parseSpec(spec, registry);
  if (!parsed.ok) throw new Error(parsed.error.map(({ text }) => text).join('\n'));
  return parsed.value.stages;
}

// Of the processor, not of the clock: the machine may be shared. The smallest is the least disturbed.
function timed(run: () => void): number {
  const start = process.threadCpuUsage();
  run();
  return process.threadCpuUsage(start).user / 1000;
}

const { transcripts } = importText(Buffer.from(claudeCodeFile({ messages: Number(messages), signed: 0.02 })));
const [transcript] = transcripts;
if (transcript === undefined) throw new Error('nothing was made');
const source: TranscriptSource = MemoryTranscript.of(transcript);
for (let index = 0; index < source.length; index++) source.facts(index);
const tokens = estimatedTokens(source);
const budget = createBudget({ window: 200_000, reserveOutput: 0, injectionReserve: 0, caps: {} });

const cases = PRESETS.flatMap(({ name, spec }) => {
  const [own, old] = [stagesIn(spec, STAGES), stagesIn(spec, PLAIN_STAGES)];
  const used = own.map(({ kind }) => kind).filter((kind) => CONVERTED.includes(kind));
  const isWanted = kinds.length === 0 ? used.length > 0 : used.some((kind) => kinds.includes(kind));
  return isWanted ? [{ name, forms: [old, own] as const }] : [];
});

for (const { name, forms } of cases) {
  const run = (stages: readonly ResolvedStage[], at: number, memo: StageMemo) => () => {
    project(source, stages, at, { memo, tokens, budget, sha256: nodeSha256 });
  };
  const memos = forms.map(() => createMemo());
  const times = {
    cold: forms.map((): number[] => []),
    warm: forms.map((): number[] => []),
    next: forms.map((): number[] => []),
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < 2; nth++) {
      const form = round % 2 === 0 ? nth : 1 - nth;
      const [stages, memo] = [forms[form] ?? [], memos[form] ?? createMemo()];
      times.cold[form]?.push(timed(run(stages, source.length, createMemo())));
      run(stages, source.length, memo)();
      times.warm[form]?.push(timed(run(stages, source.length, memo)));
      times.next[form]?.push(timed(run(stages, source.length - 1 - round, memo)));
    }
  }
  const cells = Object.entries(times).map(([what, [old = [], own = []]]) => {
    const [before, after] = [Math.min(...old), Math.min(...own)];
    return `${what} ${before.toFixed(1)} → ${after.toFixed(1)} ms (×${(after / before).toFixed(2)})`;
  });
  console.log(`${name.padEnd(34)} ${cells.join('   ')}`);
}
