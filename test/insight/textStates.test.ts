// The states of a text along the call points, compared with looking for it in a projection at each of them. And the law
// that comes of it: what stands word for word in a request is never called gone. A unit run samples files;
// PARALLAX_TEXTS=full takes all.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { isSaid } from '../../core/insight/text/types.ts';
import { decodedText } from '../../core/model/decode.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { firstSaying, plainState } from '../oracle/textStates.ts';
import { cases } from '../support/cases.ts';
import { eachCorpusFile } from '../support/eachCorpusFile.ts';
import { FORMATS } from '../support/formats.ts';
import { sampled } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { traceOfText } from '../support/textTrace.ts';

const FULL = process.env.PARALLAX_TEXTS === 'full';
const CHARS = [4, 9, 20, 60];

/** A run of characters of some part of the transcript, as a person may have copied it. */
function someText(source: TranscriptSource, rng: Rng): string | null {
  const index = rng.below(source.length);
  const { parts } = source.facts(index);
  const plain = parts.filter(({ kind }) => kind === 'text' || kind === 'tool_call' || kind === 'tool_result');
  if (plain.length === 0) return null;
  const lines = decodedText(JSON.parse(source.text(index)), rng.pick(plain)).split('\n');
  const line = [...rng.pick(lines)];
  const from = rng.below(Math.max(1, line.length));
  const text = line
    .slice(from, from + rng.pick(CHARS))
    .join('')
    .trim();
  return text === '' || /[^\u0000-\uffff]|[\u00df\u0130]/u.test(text) ? null : text;
}

/** Traces a text and compares its state at these call points with that of a projection there. */
function compare(
  source: TranscriptSource,
  spec: unknown,
  text: string,
  points: readonly number[],
  replay: string,
): void {
  const stages = stagesOf(spec);
  const trace = traceOfText({ source, stages, text });
  const states = new Map(trace.points.map(({ at, state }) => [at, state]));
  const first = firstSaying(source, text);
  expect(trace.first && { message: trace.first.index, part: trace.first.part }, replay).toEqual(first);
  const memo = createMemo();
  for (const at of points) {
    const projection = project(source, stages, at, { memo });
    const expected = plainState(projection, source, text, first);
    const found = states.get(at) ?? 'not_yet';
    const [isThere, shouldBe] = [isSaid(found), isSaid(expected)];
    expect({ at, found: isThere ? found : 'not said', isThere }, replay).toEqual({
      at,
      found: shouldBe ? expected : 'not said',
      isThere: shouldBe,
    });
    if (expected === 'not_yet') expect(found, replay).toBe('not_yet');
  }
  const last = trace.changes.at(-1)?.state ?? 'not_yet';
  expect(trace.now.state, replay).toBe(last);
}

const SPECS = presetsFor(PRESETS, true).map(({ name, spec }) => [name, spec] as const);

describe('the states of a text are those of projections', () => {
  it.each(SPECS)('under %s, random transcripts', (name, spec) => {
    for (let seed = 1; seed <= 5; seed++) {
      const shape = SHAPES[seed % SHAPES.length] ?? 'mixed';
      const source = memorySource(randomTranscript({ seed, turns: 7, shape, broken: seed % 2 === 0, signed: true }));
      const rng = seededRng(seed * 31 + name.length);
      for (let n = 0; n < cases(4, 2); n++) {
        const text = someText(source, rng);
        if (text === null) continue;
        compare(source, spec, text, callPoints(source), `${name} ${shape} ${seed} ${JSON.stringify(text)}`);
      }
    }
  });
});

describe.each(FORMATS)('over the corpus of %s', (format) => {
  eachCorpusFile(
    format,
    FULL ? Number.POSITIVE_INFINITY : 2,
    (path) => {
      const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
      for (const [number, transcript] of transcripts.slice(0, FULL ? 10 : 1).entries()) {
        const source = MemoryTranscript.of(transcript);
        if (source.length === 0 || source.length > (FULL ? 3000 : 400)) continue;
        const rng = seededRng(number + source.length);
        const specs = FULL ? SPECS : sampled(SPECS, 3);
        for (const [name, spec] of specs) {
          const text = someText(source, rng);
          if (text === null) continue;
          const points = sampled(callPoints(source), 5);
          compare(source, spec, text, points, `${basename(path)} ${number} ${name} ${JSON.stringify(text)}`);
        }
      }
    },
    600_000,
  );
});
