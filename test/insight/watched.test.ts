// The strip of a watched text is its trace: at every call point the state that `trace --text` gives, whatever else is watched
// in the same walk. Random specs over random transcripts and real sessions.
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { FollowedQuery } from '../../core/insight/watch/along.ts';
import { WATCHED_RUNS_MOST, type WatchedText } from '../../core/insight/watch/types.ts';
import { decodedText } from '../../core/model/decode.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { FORMATS } from '../support/formats.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';
import { randomSpec } from '../support/randomStages.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { corpusFiles } from '../support/shared.ts';
import { traceOfText } from '../support/textTrace.ts';
import { statesOf, watchTexts } from '../support/watched.ts';

const TEXTS = 5;
/** Bytes of a real session at most. */
const LARGEST = 400_000;
const KINDS = STAGES.stages.map(({ kind }) => kind);

/** Runs of characters that some parts say, one that nothing says, and one twice with other switches. */
function someQueries(source: TranscriptSource, rng: Rng): readonly FollowedQuery[] {
  const texts = Array.from({ length: TEXTS }, () => {
    const index = rng.below(source.length);
    const { parts } = source.facts(index);
    const part = parts[rng.below(Math.max(1, parts.length))];
    const said = part === undefined ? '' : decodedText(JSON.parse(source.text(index)), part);
    return said.slice(0, rng.pick([6, 20, 400])).trim();
  });
  const wanted = [...texts, 'nobody says this at all', texts[0] ?? ''].filter((text) => text !== '');
  return wanted.map((text, n) => ({ id: `w${n}`, text, matchCase: n % 2 === 1, wholeWord: n % 3 === 1 }));
}

/** Watches all of them in one walk, and traces each by itself. */
function compare(source: TranscriptSource, stages: ReturnType<typeof stagesOf>, rng: Rng, replay: string): number {
  const queries = someQueries(source, rng);
  const points = callPoints(source);
  const { texts, sampled: isSampled } = watchTexts({ source, stages, queries });
  expect(
    texts.map(({ id }) => id),
    replay,
  ).toEqual(queries.map(({ id }) => id));
  let lost = 0;
  for (const [n, query] of queries.entries()) {
    const trace = traceOfText({ source, stages, ...query });
    const watched = texts[n] as WatchedText;
    const why = `${replay} ${JSON.stringify(query)}`;
    expect(isSampled, why).toBe(trace.sampled);
    expect(
      statesOf(
        watched,
        trace.points.map(({ at }) => at),
      ),
      why,
    ).toEqual(trace.points.map(({ at, state }) => `${at} ${state}`));
    expect(watched.totalRuns, why).toBe(watched.runs.length);
    expect(watched.counts, why).toEqual(trace.counts);
    expect(watched.first, why).toEqual(trace.first);
    const { firstLoss } = watched;
    expect(firstLoss, why).toEqual(trace.firstLoss === null ? null : withoutText(trace.firstLoss));
    for (const { at, state, loss } of watched.runs) {
      const change = trace.changes.find((one) => one.at === at);
      if (change !== undefined) expect([state, loss?.reason], why).toEqual([change.state, change.loss?.reason]);
    }
    expect(watched.runs.at(-1)?.last, why).toBe(points.at(-1));
    if (firstLoss !== null) lost++;
  }
  return lost;
}

function withoutText<L extends { readonly replacedBy: string | null }>({ replacedBy: _, ...loss }: L) {
  return loss;
}

describe('the strip of a watched text is its trace', () => {
  it('under random policies on random transcripts', () => {
    let lost = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const rng = seededRng(seed * 7919);
      const shape = SHAPES[seed % SHAPES.length] ?? 'mixed';
      const source = memorySource(randomTranscript({ seed, turns: 6, shape, broken: seed % 2 === 0, signed: true }));
      const spec = randomSpec(rng, KINDS);
      lost += compare(source, stagesOf(spec), rng, `seed ${seed} ${shape} ${JSON.stringify(spec)}`);
    }
    // Or nothing was proved.
    expect(lost).toBeGreaterThan(40);
  });

  it('under every preset', () => {
    for (const [n, { name, spec }] of presetsFor(PRESETS, true).entries()) {
      const source = memorySource(randomTranscript({ seed: n + 1, turns: 7, shape: 'mixed', signed: true }));
      compare(source, stagesOf(spec), seededRng(n + 3), name);
    }
  });
});

describe.each(FORMATS)('over the corpus of %s', (format) => {
  const [path] = corpusFiles(format).filter((file) => statSync(file).size < LARGEST);
  it.skipIf(path === undefined)('on a real session', () => {
    const [transcript] = importText(readFileSync(path ?? ''), { unpack: unpackZlib }).transcripts;
    if (transcript === undefined || transcript.messages.length === 0) return;
    const source = MemoryTranscript.of(transcript);
    for (const name of ['as_recorded', 'reachability_gc', 'clean_tool_repair']) {
      const preset = PRESETS.find((one) => one.name === name);
      if (preset !== undefined) compare(source, stagesOf(preset.spec), seededRng(source.length), `${format} ${name}`);
    }
  });
});

describe('a watched text', () => {
  const said = (role: string, content: string) => ({ role, content });

  it('that comes and goes at each call point has as many runs as are answered, and says how many there are', () => {
    const turns = WATCHED_RUNS_MOST + 40;
    const messages = Array.from({ length: turns }, (_, n) => [
      said('user', n % 2 === 0 ? 'heliotrope' : 'nothing'),
      said('assistant', 'done'),
    ]).flat();
    const source = transcriptOf(messages);
    const stages = stagesOf({ version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] });
    const queries = [{ id: 'w', text: 'heliotrope', matchCase: false, wholeWord: false }];
    const [watched] = watchTexts({ source, stages, queries }).texts;
    expect(watched?.runs.length).toBe(WATCHED_RUNS_MOST);
    expect(watched?.totalRuns).toBeGreaterThan(WATCHED_RUNS_MOST);
    expect(watched?.firstLoss).toMatchObject({ at: 3, fate: 'dropped', stageTitle: 'Sliding window' });
  });

  it('of nothing but white space is not followed', () => {
    const source = transcriptOf([said('user', 'a'), said('assistant', 'b')]);
    const queries = [{ id: 'w', text: ' \n ', matchCase: false, wholeWord: false }];
    expect(watchTexts({ source, stages: stagesOf('raw'), queries }).texts).toEqual([]);
  });
});
