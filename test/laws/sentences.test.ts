// Every sentence that a stage says of a message is true: figures are counted again, turns and places looked up, and where it
// says what would be otherwise, that is tried. Random transcripts, policies of one to three stages, budgets with caps.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { type Budget, createBudget, type Tier } from '../../core/tokens/budget.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { brokenHistory, HISTORY_SHAPES } from '../support/brokenHistory.ts';
import { cases } from '../support/cases.ts';
import { randomCompactions } from '../support/randomCompactions.ts';
import { withProjections } from '../support/randomProjections.ts';
import { randomStage } from '../support/randomStages.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { CLAIMS, nothingTried, type Tried, trySentences } from '../support/sentences/check.ts';

const SEEDS = cases(400, 40);
const KINDS = Object.keys(CLAIMS);
const TIERS: readonly Tier[] = ['tool_result', 'assistant', 'user', 'thinking', 'tool_call', 'image'];

function randomBudget(rng: Rng): Budget | null {
  if (rng.chance(0.25)) return null;
  const capped = TIERS.filter(() => rng.chance(0.3));
  const caps = Object.fromEntries(capped.map((tier) => [tier, { tokens: rng.pick([0, 20, 100, 400, 2000]) }]));
  return createBudget({ window: rng.pick([200, 800, 3000]), reserveOutput: 0, injectionReserve: rng.below(60), caps });
}

// Hygiene mends what is broken; of ids that are repeated, and results that come late, other stages say little that can be
// checked.
function textsOf(seed: number, rng: Rng, isBroken: boolean): string[] {
  if (!rng.chance(isBroken ? 0.7 : 0.2)) {
    const shape = SHAPES[seed % SHAPES.length]!;
    const bodyChars = rng.pick([40, 400, 1500]);
    const turns = 4 + rng.below(16);
    return randomTranscript({ seed, turns, shape, broken: seed % 3 === 0, signed: seed % 4 === 0, bodyChars });
  }
  const damage = isBroken ? rng.pick([0, 0.3, 0.7]) : 0;
  const known = { damage, fewIds: isBroken && rng.chance(0.3), providers: rng.chance(0.5) };
  const history = brokenHistory(rng, { shape: rng.pick(HISTORY_SHAPES), length: 3 + rng.below(30), ...known });
  return history.map((message) => JSON.stringify(message));
}

function sourceOf(seed: number, rng: Rng, kind: string): TranscriptSource {
  const texts = textsOf(seed, rng, kind === 'hygiene');
  if (rng.chance(0.3)) texts.unshift('{"role":"system","content":"Be brief, and say what you did."}');
  const to = 1 + rng.below(texts.length);
  const written: SummaryArtifact = { from: 0, to, content: 'so far', version: 1, origin: 'written' };
  const compactions = rng.chance(0.4) ? randomCompactions(rng, texts) : [];
  const source = memorySource(texts, null, compactions, rng.chance(0.3) ? [written] : []);
  return kind === 'recorded_projection' ? withProjections(source, rng).source : source;
}

function tryKind(kind: string): Tried {
  const tried = nothingTried();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const rng = seededRng(seed * 31 + KINDS.indexOf(kind));
    const source = sourceOf(seed, rng, kind);
    const before = Array.from({ length: rng.pick([0, 0, 1, 2]) }, () => randomStage(rng.pick(KINDS), rng));
    const spec = { version: 1, stages: [...before, randomStage(kind, rng)] };
    const budget = randomBudget(rng);
    for (const at of new Set([rng.pick(callPoints(source)), source.length])) {
      const name = `replay: ${kind}, seed ${seed}, at ${at}, ${JSON.stringify(spec)}, ${JSON.stringify(budget?.caps)}`;
      trySentences({ source, spec, at, budget }, tried, name);
    }
  }
  return tried;
}

describe.each(KINDS)('what %s says is true', (kind) => {
  it('of each message', () => {
    const { faults, counts, unknown } = tryKind(kind);
    expect(faults).toEqual([]);
    // A new sentence brings its check.
    expect([...unknown.keys()]).toEqual([]);
    const said = [...counts].filter(([key]) => key.startsWith(`${kind}: `));
    expect(said.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(20);
  });
});
