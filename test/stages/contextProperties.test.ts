// Properties of the context policy over random transcripts and random policies. A failing case prints its seed and spec.
import { expect, test } from 'vitest';
import { findExchanges } from '../../core/model/exchanges.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { cases } from '../support/cases.ts';
import { checkProjection } from '../support/lawful.ts';
import { PENDING_ENTRIES } from '../support/pendingEntries.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

const CASES = cases(300, 120);

interface Case {
  readonly name: string;
  readonly source: TranscriptSource;
  readonly options: Readonly<Record<string, unknown>>;
  readonly at: number;
  readonly projection: Projection;
}

function caseOf(seed: number): Case {
  const rng = seededRng(seed);
  const texts = randomTranscript({
    seed,
    turns: 1 + rng.below(24),
    bodyChars: rng.pick([40, 400, 4000]),
    broken: rng.chance(0.3),
  });
  const to = 1 + rng.below(texts.length);
  const summaries = rng.chance(0.3)
    ? [{ from: 0, to, content: 'What was said before.', version: 1, origin: 'written' as const }]
    : [];
  const source = memorySource(texts, null, [], summaries);
  const options = randomOptions(rng);
  const at = rng.chance(0.5) ? source.length : rng.below(source.length + 1);
  const projection = project(source, stagesOf(specOf(options)), at);
  return { name: `replay: seed ${seed}, at ${at}, ${JSON.stringify(options)}`, source, options, at, projection };
}

function specOf(options: object) {
  return { version: 1, stages: [{ kind: 'context_policy', options }] };
}

function randomOptions(rng: Rng): Record<string, unknown> {
  const some = (name: string, values: readonly unknown[]) => (rng.chance(0.5) ? { [name]: rng.pick(values) } : {});
  return {
    max_input_tokens: rng.pick([60, 300, 1000, 4000, 20_000]),
    reserve_output_tokens: rng.pick([0, 10, 200, 5000]),
    keep_last_turns: rng.below(7),
    ...some('max_messages', [0, 1, 3, 10]),
    ...some('summarization', ['none', 'use_existing', 'request_new']),
    ...some('token_estimator', ['heuristic', 'exact']),
    ...some('include_kinds', [['message'], ['message', 'tool_call', 'tool_result'], ['tool_call', 'tool_result']]),
    ...some('pending', ['And what of the other one?', PENDING_ENTRIES]),
    ...some('system_prompt', ['Be brief.']),
  };
}

test('the total is never exceeded, unless that is told as an error', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const { name, projection, options } = caseOf(seed);
    const [report] = projection.reports;
    const isError = projection.problems.some(({ severity }) => severity === 'error');
    if (isError) expect(report?.summary, name).toMatch(/^error/);
    else expect(Number(report?.meta?.estimated_tokens), name).toBeLessThanOrEqual(Number(options.max_input_tokens));
  }
});

test('a call and its results stand together or not at all', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const { name, source, at, projection } = caseOf(seed);
    if (projection.fates.some(({ kind }) => kind === 'rewritten')) continue;
    const kept = new Set(projection.keptIndices);
    for (const { message, calls } of findExchanges(at, (index) => source.facts(index))) {
      for (const place of calls.flatMap(({ results }) => results)) {
        expect(kept.has(message), `${name}: call #${message}, result #${place.message}`).toBe(kept.has(place.message));
      }
    }
  }
});

test('the last turns stay whole if they fit the hard total, whatever the budget', () => {
  let seen = 0;
  for (let seed = 1; seed <= CASES; seed++) {
    const { name, source, at, options, projection } = caseOf(seed);
    const turns = Number(options.keep_last_turns);
    const { max_messages: most } = options;
    if (turns === 0 || (most !== undefined && most !== 0) || options.include_kinds !== undefined) continue;
    const summary = source.summaries()[0]?.to ?? 0;
    const starts = Array.from({ length: at }, (_, i) => i).filter((i) => source.facts(i).beginsTurn && i >= summary);
    const from = starts.at(-turns);
    if (from === undefined || projection.problems.some(({ severity }) => severity === 'error')) continue;
    const left = projection.fates.slice(from).filter(({ kind }) => kind !== 'kept');
    if (left.length > 0)
      expect(
        left.map(({ rule }) => rule),
        name,
      ).toContain('hard_total');
    else seen++;
  }
  expect(seen).toBeGreaterThan(cases(10, 3));
});

test('more room never shows less', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const { name, source, at, options, projection } = caseOf(seed);
    if (projection.problems.length > 0) continue;
    const more = { ...options, max_input_tokens: Number(options.max_input_tokens) * 2 };
    const larger = project(source, stagesOf(specOf(more)), at);
    if (larger.reports[0]?.meta?.summary_used !== projection.reports[0]?.meta?.summary_used) continue;
    expect(larger.keptIndices.length, name).toBeGreaterThanOrEqual(projection.keptIndices.length);
  }
});

test('all laws hold', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const { name, source, at, options } = caseOf(seed);
    expect(checkProjection(source, stagesOf(specOf(options)), at), name).toEqual([]);
  }
});
