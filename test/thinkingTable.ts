// npm run thinking:table -- [MODEL] FILE…   What each preset does to the signed thinking of sessions, had they been held on
// a model that checks: requests of all call points that would be refused, and with drop_block blocks that the last request
// would lose.
import { readFileSync } from 'node:fs';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../core/importers/memory.ts';
import { callPoints } from '../core/model/turns.ts';
import { runCallPoints } from '../core/projection/allCallPoints.ts';
import { bindingInputs } from '../core/projection/binding/facts.ts';
import type { ThinkingCounts } from '../core/projection/binding/types.ts';
import { parseSpec } from '../core/projection/parseSpec.ts';
import { PRESETS, presetsFor } from '../core/projection/presets.ts';
import { STAGES } from '../core/projection/stages.ts';
import { createBudget } from '../core/tokens/budget.ts';
import { PAUSE, type StageAnswer, type StageEffect } from '../core/view/types.ts';

interface Sum {
  readonly title: string;
  requests: number;
  refused: number;
  blocks: number;
  lost: number;
  sessions: number;
  kept: number;
}

const BUDGET = createBudget({
  window: 200_000,
  reserveOutput: 0,
  injectionReserve: 0,
  beside: { system: 0, tools: 0, overhead: 0, total: 0 },
  margin: 0,
  caps: {},
});

function countsAt(source: MemoryTranscript, spec: unknown, model: string): readonly (ThinkingCounts | null)[] {
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error[0]?.text);
  const binding = bindingInputs({ mode: 'error', model }, { model, models: [], meta: {}, metaAt: () => ({}) });
  const input = { source, stages: parsed.value.stages, points: callPoints(source), tally: () => NOTHING };
  const run = runCallPoints({ ...input, options: { binding, budget: BUDGET } }, answer);
  return run.map(({ thinking }) => thinking);
}

// Neither images nor user code run here.
function answer({ effect }: StageEffect): StageAnswer {
  if (effect === 'pause') return PAUSE;
  const failed = { ok: false, message: 'not here' } as const;
  return effect === 'resize_image'
    ? { ...failed, effect, code: 'unavailable' }
    : { ...failed, code: 'result', line: null, column: null, logs: [] };
}

const NOTHING = { blocks: 0, marks: [] };

function addFile(file: string, model: string, sums: Map<string, Sum>): void {
  for (const transcript of importText(readFileSync(file), { unpack: unpackZlib }).transcripts) {
    const source = MemoryTranscript.of(transcript);
    const isSigned = transcript.messages.some((_, index) => source.facts(index).signed);
    if (!isSigned) continue;
    const compacted = source.compactions().length > 0;
    for (const { name, title, spec } of presetsFor(PRESETS, compacted, compacted)) {
      const known = sums.get(name) ?? { title, requests: 0, refused: 0, blocks: 0, lost: 0, sessions: 0, kept: 0 };
      sums.set(name, known);
      const counts = countsAt(source, spec, model);
      const last = counts.at(-1) ?? null;
      known.requests += counts.length;
      known.refused += counts.filter((each) => (each?.failing ?? 0) > 0).length;
      known.blocks += last?.sent ?? 0;
      known.lost += last?.failing ?? 0;
      known.sessions++;
      if (counts.every((each) => (each?.failing ?? 0) === 0)) known.kept++;
    }
  }
}

const [first = '', ...rest] = process.argv.slice(2);
const isModel = /^claude-/.test(first);
const sums = new Map<string, Sum>();
for (const file of isModel ? rest : [first, ...rest]) addFile(file, isModel ? first : 'claude-fable-5-1', sums);
const COLUMNS = ['policy', 'sessions kept', 'requests', 'refused', 'blocks at the end', 'drop_block drops'];
console.log(COLUMNS.join('\t'));
for (const { title, sessions, kept, requests, refused, blocks, lost } of sums.values())
  console.log([title, `${kept}/${sessions}`, requests, refused, blocks, lost].join('\t'));
