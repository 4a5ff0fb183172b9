import { type Command, Option } from 'commander';
import type { SessionRequests } from '../../core/engine/requests/index.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { CACHE_POINTS_MODES, type CachePointsMode } from '../../core/insight/cachePoints.ts';
import { billedInputs, recordedInput, type SessionCost, SessionSums } from '../../core/insight/money.ts';
import { turnAt } from '../../core/insight/places.ts';
import type { CachePoint } from '../../core/insight/types.ts';
import { includesCache, promptOf } from '../../core/insight/usage/input.ts';
import { CATEGORIES } from '../../core/model/category.ts';
import { turnStarts } from '../../core/model/turns.ts';
import { type CallPointFigures, followCallPoints, naiveStages } from '../../core/projection/allCallPoints.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { coverWords, pricesWords, sessionCover } from '../../core/view/costCover.ts';
import type { StageAnswer } from '../../core/view/types.ts';
import { countOf } from '../../core/view/words.ts';
import { type Filtered, filterOf, messageTester } from '../support/filtering.ts';
import { readTranscript } from '../support/input.ts';
import { grouped, note, writeJson } from '../support/output.ts';
import { withProjector } from '../support/projecting.ts';
import { ChangeFollower, type RequestChanges } from '../support/requestChanges.ts';
import { openRequests } from '../support/requests.ts';
import { FILE, MAPPING, NO_TOKENS, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface SweepOptions extends SpecOptions {
  readonly tokens: boolean;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly filter?: string;
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
      .argument(...FILE)
      .option(...POLICY)
      .option(...SPEC)
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--filter <expr>', 'only requests answered by a message with a row that fits (docs/filter.md)')
      .addOption(
        new Option('--cache-points <where>', "where requests have the cache's breakpoints")
          .choices([...CACHE_POINTS_MODES])
          .default('auto'),
      )
      .option(...NO_TOKENS),
  )
    .addHelpText('after', '\nExit codes: 0 done; 2 wrong usage; 3 unreadable.')
    .action(sweepFile);
}

async function sweepFile(file: string, options: SweepOptions): Promise<void> {
  const chosen = specOf(options);
  if (options.filter !== undefined) filterOf(options.filter);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const naive = naiveStages(parsed.stages);
  if (naive.length > 0) note(`${naive.join(', ')} must run again at every call point: this takes longer`);
  const fits = await fittingRequests({ transcript, source, parsed, tokens: options.tokens }, options.filter);
  const requests = await openRequests(transcript, source, options);
  const { pricing } = requests;
  const beside = requests.overhead(parsed);
  const charge = requests.charges(beside.total);
  const starts = turnStarts(source);
  const provenance = requests.counting?.provenance ?? 'estimated';
  const includes = includesCache(transcript.messages.flatMap(({ meta }) => meta.usage ?? []));
  const sums = new SessionSums(pricing);
  const totals = { points: 0, listed: 0 };
  const [broken, late, changed] = [new LossSum(), new LossSum(), new LossSum()];
  await eachPoint(requests, parsed, async (figures, changes) => {
    const { at, loaded } = figures;
    const { cache, cost } = charge(figures);
    totals.points++;
    if (cache?.brokenBy) broken.add(cache.cost);
    if (cache?.loss?.why === 'time') late.add(cache.loss.cost);
    if (cache?.loss?.why === 'model') changed.add(cache.loss.cost);
    const { usage = {}, cacheDiagnosis: diagnosis = null, apiError } = transcript.messages[at]?.meta ?? {};
    const charged = apiError === true ? null : recordedInput(usage, includes);
    if (at < source.length) sums.add(at, apiError === true ? null : billedInputs(usage, includes), cost);
    const { cacheRead = null, cacheWrite = null } = promptOf(usage);
    const recorded = { input: charged?.total ?? null, cacheRead, cacheWrite, diagnosis };
    if (!fits(at)) return;
    totals.listed++;
    await writeJson({
      ...lineOf(figures, turnAt(starts, at), cache),
      model: pricing.at(at).model,
      provenance,
      cost,
      beside,
      ...(loaded && { loadedTools: loaded }),
      ...changes,
      recorded,
    });
  });
  const lost = [
    `the cache broke at ${grouped(broken.count)} of them${broken.words(pricing.isPriced)}`,
    ...(late.count === 0 ? [] : [`it expired at ${grouped(late.count)}${late.words(pricing.isPriced)}`]),
    ...(changed.count === 0
      ? []
      : [`it was lost to a change of model at ${grouped(changed.count)}${changed.words(pricing.isPriced)}`]),
  ];
  note([countOf(totals.points, 'request'), ...lost].join('; '));
  if (sums.cost.policy !== null) note(describeCost(sums.cost, pricing.rows));
  if (options.filter !== undefined) note(`${countOf(totals.listed, 'request')} listed: those that fit the filter`);
}

/** Requests that had to write something again, and what that costs. */
class LossSum {
  count = 0;
  #cost = 0;
  #unpriced = 0;

  add(cost: number | null): void {
    this.count++;
    this.#cost += cost ?? 0;
    if (cost === null) this.#unpriced++;
  }

  words(isPriced: boolean): string {
    if (!isPriced) return '';
    const without = this.#unpriced === 0 ? '' : ` (${grouped(this.#unpriced)} of these without a price)`;
    return `, which costs ${dollarsText(this.#cost)} more${without}`;
  }
}

/** Which requests are listed, by the call point. The next request has no answer yet: a filter leaves it out. */
function fittingRequests(
  session: Omit<Filtered, 'projection'>,
  filter: string | undefined,
): Promise<(at: number) => boolean> {
  if (filter === undefined) return Promise.resolve(() => true);
  return withProjector((projector) => messageTester(projector, filter, session));
}

function describeCost(cost: SessionCost, prices: readonly { readonly model: string }[]): string {
  const { requests, unpriced, recordedRequests, recorded, policy } = cost;
  const own = policy === null ? [] : [`about ${dollarsText(policy)} under this policy`];
  const of = recordedRequests + unpriced === requests ? '' : ` (${grouped(recordedRequests)} of them)`;
  const made = recorded === null ? [] : [`${dollarsText(recorded)} as recorded${of}`];
  const covers = coverWords(sessionCover(cost));
  const by = pricesWords(prices.map(({ model }) => model));
  return `${countOf(requests, 'request')}, ${covers}: ${[...made, ...own].join(', ')} (${by})`;
}

function lineOf(figures: CallPointFigures, turn: number | null, cache: CachePoint | null) {
  const { at, items, byCategory, counts, blocked, thinking } = figures;
  const tokens = Object.fromEntries(CATEGORIES.map((category, slot) => [category, byCategory[slot] ?? 0]));
  const total = byCategory.reduce((sum, each) => sum + each, 0);
  return { at, turn, items, tokens: { total, ...tokens }, fates: counts, blocked, thinking, cache };
}

async function eachPoint(
  requests: SessionRequests,
  parsed: ParsedSpec,
  write: (figures: CallPointFigures, changes: RequestChanges) => Promise<void>,
): Promise<void> {
  const { source, points } = requests;
  const options = await requests.inputs(parsed);
  const figuresAt = requests.figures();
  const follower = new ChangeFollower();
  const run = followCallPoints({ source, stages: parsed.stages, points, options }, (point) => ({
    figures: figuresAt(point),
    changes: follower.take(point),
  }));
  await withProjector(async (projector) => {
    let answer: StageAnswer | null = null;
    for (let step = run.next(answer); step.done !== true; step = run.next(answer)) {
      answer = step.value.kind === 'effect' ? await projector.answer(step.value.effect) : null;
      if (step.value.kind !== 'point') continue;
      const { figures: reached, changes } = step.value.figures;
      await write(reached, changes);
    }
  });
}
