// What the cache is computed to serve of real sessions, against what their answers record of it. Counts are estimates for
// Anthropic and hold no system prompt; so they are put on the line that recorded inputs give (checkUsage), and shares of the
// input are compared: it is about the cache, not the tokenizer. PARALLAX_EVIDENCE=1 prints the errors of each transcript.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { CacheFollower } from '../../core/insight/cache.ts';
import { cachePointsOf } from '../../core/insight/cachePoints.ts';
import { cacheRuleOf } from '../../core/insight/cacheRules.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { requestTime } from '../../core/insight/requestTime.ts';
import { median } from '../../core/insight/usage/fit.ts';
import { checkUsage } from '../../core/insight/usage/index.ts';
import { callPoints } from '../../core/model/turns.ts';
import { runCallPoints } from '../../core/projection/allCallPoints.ts';
import { type TallyItem, talliedParts } from '../../core/projection/callPointSums.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemFacts, itemText } from '../../core/view/reader.ts';
import { stagesOf } from '../support/projecting.ts';
import { countedUsage } from '../support/recordedUsage.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';

const LARGEST = 3_000_000;
const LEAST_REQUESTS = 5;
/** A line that explains recorded inputs worse than this says nothing of the cache either. */
const GOOD_FIT = 0.1;

interface Compared {
  /** Of each request: how far the computed share that is read, and the recorded one, are apart. */
  readonly errors: readonly number[];
  /** Requests of which both, one, or the other say that most of what was cached was not read. */
  readonly missed: { readonly both: number; readonly computed: number; readonly recorded: number };
}

async function compare(transcript: ImportedTranscript): Promise<Compared | null> {
  const model = transcript.messages.findLast(({ meta }) => meta.usage !== undefined)?.meta.model ?? null;
  const rule = cacheRuleOf(model);
  const { recorded } = await countedUsage(transcript);
  const report = checkUsage(recorded, 'o200k_base');
  const fit = report.fits.find((one) => one.model === model);
  const known = new Map(report.requests.map((request) => [request.at, request]));
  if (rule === null || fit === undefined || known.size < LEAST_REQUESTS || fit.residual > GOOD_FIT) return null;
  const source = MemoryTranscript.of(transcript);
  const parts = transcript.messages.flatMap((_, index) => source.facts(index).parts);
  const points = cachePointsOf('auto', {
    beside: transcript.meta,
    ttls: parts.flatMap(({ cacheMark }) => cacheMark ?? []),
    hourWritten: transcript.messages.some(({ meta }) => (meta.usage?.cacheWrite1h ?? 0) > 0),
  });
  const beside = Math.round(fit.base);
  const follower = new CacheFollower(Pricing.one({ rule }), beside, points);
  const figures = runCallPoints(
    {
      source,
      stages: stagesOf('recorded_compaction'),
      points: callPoints(source),
      tally: await tallyOf(source, fit.factor),
    },
    () => {
      throw new Error('recorded compaction asks for nothing');
    },
  );
  return compareAll(figures, follower, beside, transcript, known);
}

async function tallyOf(source: MemoryTranscript, factor: number): Promise<TallyItem> {
  const counter = await loadCounter('o200k_base');
  const memo = createMemo();
  const counts = new Map<string, readonly number[]>();
  return (item, out) => {
    const facts = itemFacts(item, source, memo);
    const text = itemText(item, source);
    const tokens =
      counts.get(text) ??
      partTokens(JSON.parse(text), facts, counter, 'anthropic').tokens.map((n) => Math.round(n * factor));
    counts.set(text, tokens);
    out[0]! += tokens.reduce((sum, each) => sum + each, 0);
    return talliedParts(facts.parts, tokens);
  };
}

function compareAll(
  figures: ReturnType<typeof runCallPoints>,
  follower: CacheFollower,
  beside: number,
  { messages }: ImportedTranscript,
  known: ReadonlyMap<number, { readonly input: number; readonly cacheRead: number | null }>,
): Compared {
  const errors: number[] = [];
  const missed = { both: 0, computed: 0, recorded: 0 };
  let before: number | null = null;
  let last = { total: 0, input: 0 };
  for (const figure of figures) {
    const { at } = figure;
    const cache = follower.next(
      figure,
      requestTime(before, at, (index) => messages[index]?.meta.timestamp),
    );
    before = at;
    const request = known.get(at);
    if (cache === null || request === undefined || request.cacheRead === null) continue;
    const total = beside + figure.byCategory.reduce((sum, tokens) => sum + tokens, 0);
    errors.push(Math.abs(cache.servedTokens / total - request.cacheRead / request.input));
    const [computed, recorded] = [
      cache.servedTokens < Math.min(last.total, total) / 2,
      request.cacheRead < Math.min(last.input, request.input) / 2,
    ];
    if (computed && recorded) missed.both++;
    else if (computed) missed.computed++;
    else if (recorded) missed.recorded++;
    last = { total, input: request.input };
  }
  return { errors, missed };
}

const title = `recorded reads of the cache${sharedDir() === null ? ' (skipped: no shared corpus)' : ''}`;

/** Looked up on 2026-11-20; see docs/cache.md for the reasons of what is left. */
const MEDIAN_ERROR: readonly (readonly [string, number])[] = [
  ['claude-code', 0.01],
  ['anthropic-messages', 0.1],
  ['pi', 0.005],
  ['codex', 0.01],
];

describe.skipIf(sharedDir() === null)(title, () => {
  it.each(MEDIAN_ERROR)(
    '%s: of half of the requests the share that is read is within %f of what was recorded',
    async (format, most) => {
      const errors: number[] = [];
      for (const path of corpusFiles(format).filter((file) => statSync(file).size < LARGEST)) {
        for (const transcript of importText(readFileSync(path), { unpack: unpackZlib }).transcripts) {
          const compared = await compare(transcript);
          if (compared === null || compared.errors.length === 0) continue;
          errors.push(...compared.errors);
          if (process.env.PARALLAX_EVIDENCE !== '1') continue;
          const { both, computed, recorded } = compared.missed;
          process.stdout.write(
            `${format} ${basename(path)}: ${compared.errors.length} requests, median ${median(compared.errors).toFixed(3)}, missed in both ${both}, computed only ${computed}, recorded only ${recorded}\n`,
          );
        }
      }
      if (process.env.PARALLAX_EVIDENCE === '1')
        process.stdout.write(`${format}: ${errors.length} requests, median error ${median(errors).toFixed(4)}\n`);
      expect(errors.length).toBeGreaterThan(0);
      expect(median(errors)).toBeLessThan(most);
    },
    240_000,
  );
});
