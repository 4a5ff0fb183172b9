import { type Command, Option } from 'commander';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { CacheFollower } from '../../core/insight/cache.ts';
import { CACHE_POINTS_MODES, type CachePointsMode, cachePointsOf } from '../../core/insight/cachePoints.ts';
import { cacheRuleOf } from '../../core/insight/cacheRules.ts';
import { billedInputs, recordedInput, type SessionCost, SessionSums } from '../../core/insight/money.ts';
import { turnAt } from '../../core/insight/places.ts';
import { PRICES, priceOf } from '../../core/insight/prices.ts';
import { requestTime } from '../../core/insight/requestTime.ts';
import { includesCache, promptOf } from '../../core/insight/usage/input.ts';
import { CATEGORIES } from '../../core/model/category.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import {
  type CallPointFigures,
  CallPointSums,
  followCallPoints,
  naiveStages,
  type TallyItem,
} from '../../core/projection/allCallPoints.ts';
import { talliedParts } from '../../core/projection/callPointSums.ts';
import { LoadedTools } from '../../core/projection/loadedTools.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { categoryIndex } from '../../core/tokens/categories.ts';
import { bareModelId, modelFacts } from '../../core/tokens/models.ts';
import {
  type CountedOverhead,
  countOverhead,
  knownOverhead,
  overheadOf,
  QUICK_COUNT,
} from '../../core/tokens/overhead.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemFacts } from '../../core/view/reader.ts';
import { estimatedTokens, isUnrendered, itemPartTokens } from '../../core/view/tokens.ts';
import type { StageAnswer, StageMemo, StageTokens } from '../../core/view/types.ts';
import { countOf } from '../../core/view/words.ts';
import { type CliCounting, countingOf } from '../support/counting.ts';
import { modelOf, readTranscript } from '../support/input.ts';
import { aboutOf, stageInputs } from '../support/inputs.ts';
import { grouped, note, writeJson } from '../support/output.ts';
import { withProjector } from '../support/projecting.ts';
import { ChangeFollower, type RequestChanges } from '../support/requestChanges.ts';
import { type SpecOptions, specOf, specToldFor } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface SweepOptions extends SpecOptions {
  readonly tokens: boolean;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly cachePoints: CachePointsMode;
}

/** `parallax sweep`. */
export function addSweep(program: Command): void {
  withThinkingOptions(
    program
      .command('sweep')
      .description(
        'what every request of a session would hold under a policy, and what the cache keeps: a line of JSON each',
      )
      .argument('<FILE>', 'a transcript of any known format; - = stdin')
      .option('--policy <name>', 'a policy or preset by name')
      .option('--spec <file-or-json>', 'a spec, or a bare Harn option: a name, JSON, or a file with it')
      .option('--transcript <key-or-n>', 'which transcript of a file that holds several')
      .option('--mapping <file>', 'read FILE by this mapping of its fields')
      .addOption(
        new Option('--cache-points <where>', "where requests have the cache's breakpoints")
          .choices([...CACHE_POINTS_MODES])
          .default('auto'),
      )
      .option('--no-tokens', 'estimates instead of counted tokens: faster'),
  )
    .addHelpText('after', '\nExit codes: 0 done; 2 wrong usage; 3 unreadable.')
    .action(sweepFile);
}

async function sweepFile(file: string, options: SweepOptions): Promise<void> {
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specToldFor(chosen, options, source);
  const naive = naiveStages(parsed.stages);
  if (naive.length > 0) note(`${naive.join(', ')} must run again at every call point: this takes longer`);
  const model = modelOf(transcript) ?? null;
  const price = model === null ? null : priceOf(PRICES, bareModelId(model));
  const points = cachePointsOf(options.cachePoints, evidenceOf(transcript, source));
  // As figures are counted where nobody names a tokenizer: a spec's own is for its stages.
  const counting = options.tokens ? await countingOf(source, {}, aboutOf(transcript)) : null;
  const beside = overheadOfRequests(transcript, parsed, counting);
  const follower = new CacheFollower(cacheRuleOf(model), price, beside.total, points);
  const starts = turnStarts(source);
  const provenance = counting?.provenance ?? 'estimated';
  const includes = includesCache(transcript.messages.flatMap(({ meta }) => meta.usage ?? []));
  const sums = new SessionSums(price);
  const totals = { points: 0, breaks: 0, cost: 0, lost: 0, lostCost: 0 };
  let before: number | null = null;
  await eachPoint(source, parsed, transcript, counting, async (figures, changes) => {
    const { at, loaded } = figures;
    const metaAt = (index: number) => transcript.messages[index]?.meta;
    const cache = follower.next(
      figures,
      requestTime(before, at, (index) => metaAt(index)?.timestamp),
    );
    before = at;
    totals.points++;
    if (cache?.brokenBy) totals.breaks++;
    totals.cost += cache?.cost ?? 0;
    if (cache?.loss?.why === 'time') totals.lost++;
    totals.lostCost += cache?.loss?.cost ?? 0;
    const { usage = {}, cacheDiagnosis: diagnosis = null, apiError } = metaAt(at) ?? {};
    const charged = apiError === true ? null : recordedInput(usage, includes);
    if (at < source.length) sums.add(apiError === true ? null : billedInputs(usage, includes), follower.spent);
    const { cacheRead = null, cacheWrite = null } = promptOf(usage);
    const recorded = { input: charged?.total ?? null, cacheRead, cacheWrite, diagnosis };
    await writeJson({
      ...lineOf(figures, turnAt(starts, at), cache),
      provenance,
      cost: price && follower.spent,
      beside,
      ...(loaded && { loadedTools: loaded }),
      ...changes,
      recorded,
    });
  });
  const dollars = (sum: number) => (price === null ? '' : `, which costs $${sum.toFixed(2)} more`);
  const lost = totals.lost === 0 ? '' : `; its time was over at ${grouped(totals.lost)}${dollars(totals.lostCost)}`;
  note(
    `${countOf(totals.points, 'request')}; the cache broke at ${grouped(totals.breaks)} of them${dollars(totals.cost)}${lost}`,
  );
  if (price !== null) note(describeCost(sums.cost, price.model));
}

function describeCost({ requests, recordedRequests, recorded, policy }: SessionCost, model: string): string {
  const own = policy === null ? [] : [`about $${policy.toFixed(2)} under this policy`];
  const of = recordedRequests === requests ? '' : ` (${grouped(recordedRequests)} of them)`;
  const made = recorded === null ? [] : [`$${recorded.toFixed(2)} as recorded${of}`];
  return `input of ${countOf(requests, 'request')}, answers not counted: ${[...made, ...own].join(', ')} (prices of ${model})`;
}

function evidenceOf(transcript: ImportedTranscript, source: TranscriptSource) {
  const parts = transcript.messages.flatMap((_, index) => source.facts(index).parts);
  const ttls = parts.flatMap(({ cacheMark }) => (cacheMark === undefined ? [] : [cacheMark]));
  const hourWritten = transcript.messages.some(({ meta }) => (meta.usage?.cacheWrite1h ?? 0) > 0);
  return { beside: transcript.meta, ttls, hourWritten };
}

// The same in every request: what a transcript records of it, it records once.
function overheadOfRequests(
  transcript: ImportedTranscript,
  { spec }: ParsedSpec,
  counting: CliCounting | null,
): CountedOverhead {
  const { images } = modelFacts(modelOf(transcript));
  const recorded = countOverhead(transcript.meta, counting?.counter ?? QUICK_COUNT, images);
  const { beside, unrecorded } = knownOverhead(recorded, counting?.calibration ?? null);
  return overheadOf(beside, spec.budget?.overhead ?? unrecorded);
}

function lineOf(figures: CallPointFigures, turn: number | null, cache: ReturnType<CacheFollower['next']>) {
  const { at, items, byCategory, counts, blocked, thinking } = figures;
  const tokens = Object.fromEntries(CATEGORIES.map((category, slot) => [category, byCategory[slot] ?? 0]));
  const total = byCategory.reduce((sum, each) => sum + each, 0);
  return { at, turn, items, tokens: { total, ...tokens }, fates: counts, blocked, thinking, cache };
}

async function eachPoint(
  source: TranscriptSource,
  parsed: ParsedSpec,
  transcript: ImportedTranscript,
  counting: CliCounting | null,
  told: (figures: CallPointFigures, changes: RequestChanges) => Promise<void>,
): Promise<void> {
  const inputs = await stageInputs(source, parsed, aboutOf(transcript));
  const counted = counting === null ? estimatedTokens(source) : countedTokens(source, counting);
  const loads = new LoadedTools(transcript.meta.toolsJson, (text) => counted.text(text)).read(source);
  const memo = createMemo();
  const options = { ...inputs, memo, sha256: nodeSha256 };
  const points = callPoints(source);
  const tally = tallyBy(counted, source, memo);
  let figures: CallPointSums | null = null;
  const follower = new ChangeFollower();
  const run = followCallPoints({ source, stages: parsed.stages, points, options }, (point) => {
    figures ??= new CallPointSums(source, point, tally, loads);
    return { figures: figures.take(point), changes: follower.take(point) };
  });
  await withProjector(async (projector) => {
    let answer: StageAnswer | null = null;
    for (let step = run.next(answer); step.done !== true; step = run.next(answer)) {
      answer = step.value.kind === 'effect' ? await projector.answer(step.value.effect) : null;
      if (step.value.kind !== 'point') continue;
      const { figures: reached, changes } = step.value.figures;
      await told(reached, changes);
    }
  });
}

function tallyBy(tokens: StageTokens, source: TranscriptSource, memo: StageMemo): TallyItem {
  return (item, out) => {
    if (isUnrendered(item)) return { blocks: 0, marks: [] };
    const { parts } = itemFacts(item, source, memo);
    const counts = itemPartTokens(item, { source, tokens, memo });
    for (const [at, part] of parts.entries()) out[categoryIndex(part.category)]! += counts[at] ?? 0;
    return talliedParts(parts, counts);
  };
}
