// A context policy's sentences are true: what they count is what is shown, and what they say a message would need shows it,
// while less by one does not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { Budget } from '../../core/tokens/budget.ts';
import { overheadOf } from '../../core/tokens/overhead.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { cases } from '../support/cases.ts';
import { contextFaults, type Tally } from '../support/contextClaims.ts';
import { randomTranscript } from '../support/randomTranscript.ts';
import { sharedDir } from '../support/shared.ts';
import { tightContext } from '../support/tightContext.ts';

const RANDOM = cases(2000, 500);

function randomSource(seed: number, rng: Rng): TranscriptSource {
  const bodyChars = rng.pick([40, 400, 4000]);
  const texts = randomTranscript({ seed, turns: 1 + rng.below(24), bodyChars, broken: rng.chance(0.3) });
  const to = 1 + rng.below(texts.length);
  const written = { from: 0, to, content: 'What was said. '.repeat(rng.pick([1, 40])), version: 1 };
  const own = rng.chance(0.2) ? 'Its own summary.' : null;
  return memorySource(texts, own, [], rng.chance(0.3) ? [{ ...written, origin: 'written' as const }] : []);
}

function randomBudget(rng: Rng): Budget | null {
  if (!rng.chance(0.5)) return null;
  const beside = overheadOf({ system: rng.below(30), tools: 20 }, rng.below(20));
  return resolveBudget({}, { own: 500, beside });
}

test('random policies over random transcripts', () => {
  const tally: Tally = new Map();
  for (let seed = 1; seed <= RANDOM; seed++) {
    const rng = seededRng(seed);
    const source = randomSource(seed, rng);
    const options = { ...tightContext(rng), ...(rng.chance(0.2) && { max_input_tokens: null, model: 'auto' }) };
    const at = rng.chance(0.5) ? source.length : rng.below(source.length + 1);
    const budget = randomBudget(rng);
    const name = `replay: seed ${seed}, at ${at}, ${JSON.stringify(options)}`;
    expect(contextFaults({ source, options, at, budget }, tally), name).toEqual([]);
  }
  for (const claim of ['max_input_tokens', 'at most max_input_tokens', 'keep_last_turns', 'tokens counted again'])
    expect(tally.get(claim), claim).toBeGreaterThan(10);
});

const shared = sharedDir();
const SESSIONS = ['claude-code/visible/omp-large-compact-2.jsonl', 'claude-code/visible/omp-mid-2.jsonl'];

test.skipIf(shared === null)('recorded sessions', () => {
  const tally: Tally = new Map();
  for (const session of SESSIONS) {
    const { transcripts } = importText(readFileSync(join(shared ?? '', 'corpus', session)), { unpack: unpackZlib });
    for (const transcript of transcripts) {
      const source = MemoryTranscript.of(transcript);
      for (const max of [3000, 6000, 30_000]) {
        const options = { max_input_tokens: max, reserve_output_tokens: 2000, keep_last_turns: 2 };
        for (const at of [source.length, source.length >> 1])
          expect(contextFaults({ source, options, at }, tally), `${session} ${max} ${at}`).toEqual([]);
      }
    }
  }
  for (const claim of ['max_input_tokens', 'keep_last_turns', 'tokens counted again', 'covered'])
    expect(tally.get(claim), claim).toBeGreaterThan(0);
});
