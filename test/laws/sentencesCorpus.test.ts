// What stages say of real sessions is true: the same checks as over random ones, a file of each format. PARALLAX_LAWS=full
// takes all files.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { callPoints } from '../../core/model/turns.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { seededRng } from '../../core/util/rng.ts';
import { eachCorpusFile } from '../support/eachCorpusFile.ts';
import { FORMATS } from '../support/formats.ts';
import { randomStage } from '../support/randomStages.ts';
import { CLAIMS, nothingTried, trySentences } from '../support/sentences/check.ts';

const FULL = process.env.PARALLAX_LAWS === 'full';
const KINDS = Object.keys(CLAIMS);
/** Of longer sessions one question takes as long as of all others. */
const MOST_MESSAGES = 400;
const CAPS = { tool_result: { tokens: 400 }, thinking: { tokens: 100 }, image: { tokens: 1000 } };

function tryFile(path: string) {
  const tried = nothingTried();
  const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
  const held = transcripts.filter(({ messages }) => messages.length > 1 && messages.length <= MOST_MESSAGES);
  for (const transcript of held.slice(0, 2)) {
    const source = MemoryTranscript.of(transcript);
    for (const [nth, kind] of KINDS.entries()) {
      const rng = seededRng(nth + 1);
      const spec = { version: 1, stages: [randomStage(kind, rng)] };
      const caps = rng.chance(0.5) ? CAPS : {};
      const budget = rng.chance(0.3)
        ? null
        : createBudget({ window: rng.pick([3000, 20_000]), reserveOutput: 0, injectionReserve: 0, caps });
      const at = rng.chance(0.5) ? source.length : rng.pick([...callPoints(source), source.length]);
      trySentences({ source, spec, at, budget }, tried, `${basename(path)}, at ${at}, ${JSON.stringify(spec)}`);
    }
  }
  return tried;
}

describe.each(FORMATS)('what stages say of %s is true', (format) => {
  eachCorpusFile(
    format,
    FULL ? Number.POSITIVE_INFINITY : 2,
    (path) => {
      const { faults, unknown } = tryFile(path);
      expect(faults).toEqual([]);
      expect([...unknown.keys()]).toEqual([]);
    },
    240_000,
  );
});
