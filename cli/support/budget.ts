import { CATEGORIES } from '../../core/model/category.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { availableBudget } from '../../core/projection/availableBudget.ts';
import { LoadedTools } from '../../core/projection/loadedTools.ts';
import type { StageStep } from '../../core/projection/project.ts';
import { savingsOf } from '../../core/projection/savings.ts';
import type { Projection } from '../../core/projection/types.ts';
import { type Budget, type BudgetState, TIER_LABEL } from '../../core/tokens/budget.ts';
import { budgetWith, withLoaded } from '../../core/tokens/loaded.ts';
import { type CountedOverhead, NO_OVERHEAD } from '../../core/tokens/overhead.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemFacts } from '../../core/view/reader.ts';
import { itemPartTokens } from '../../core/view/tokens.ts';
import type { StageTokens, ViewItem } from '../../core/view/types.ts';
import { grouped, oneLine } from './output.ts';
import type { TokenReport } from './tokens.ts';

/** What a projection takes of its budget, and what each stage saved. */
export interface BudgetReport {
  /** The overhead. */
  readonly beside: CountedOverhead;
  /** Null = no window is known. */
  readonly budget: BudgetState | null;
  /** Tokens by position of the stage; negative = it added some; null = it is off. */
  readonly saved: readonly (number | null)[] | null;
}

/** Counts with the tokens that stages are given. `steps` = those of the projection. */
export function budgetReport(
  source: TranscriptSource,
  projection: Projection,
  steps: readonly StageStep[],
  {
    tokens,
    budget,
    beside = NO_OVERHEAD,
    toolsJson,
    counted,
  }: {
    readonly tokens: StageTokens;
    readonly budget: Budget | null;
    readonly beside: CountedOverhead | undefined;
    /** The definitions of tools that the transcript records. */
    readonly toolsJson: string | undefined;
    readonly counted: TokenReport;
  },
): BudgetReport {
  const context = { source, tokens, memo: createMemo() };
  const loads = new LoadedTools(toolsJson, (text) => tokens.text(text)).read(source);
  const loaded = loads.inView(projection.view.items);
  const countsOf = (item: ViewItem): readonly number[] => {
    const counts = CATEGORIES.map(() => 0);
    const own = itemPartTokens(item, context);
    for (const [at, part] of itemFacts(item, source, context.memo).parts.entries()) {
      counts[CATEGORIES.indexOf(part.category)]! += own[at] ?? 0;
    }
    return counts;
  };
  const saved = savingsOf(source, projection, steps, { tokens, toolsJson });
  const byCategory = CATEGORIES.map((category) => counted.projected.byCategory[category]);
  const held =
    budget === null ? null : availableBudget(budgetWith(budget, loaded), byCategory, projection, source, countsOf);
  return { beside: withLoaded(beside, loaded), budget: held, saved };
}

/** The budget as lines of the report: the overhead, total and reserves, overflow, tiers with a cap. `sign` = how it is counted. */
export function budgetLines({ beside, budget }: BudgetReport, sign: string): string[][] {
  return [...overheadLine(beside, sign), ...(budget === null ? [] : heldLines(budget, sign))];
}

function overheadLine({ system, tools, overhead, loaded, total }: CountedOverhead, sign: string): string[][] {
  if (total === 0) return [];
  const parts = [
    ...(system > 0 ? [`system prompt ${grouped(system)}`] : []),
    ...(tools > 0 ? [`tools ${grouped(tools)}`] : []),
    ...(loaded === undefined
      ? []
      : [`${grouped(loaded.tokens)} of tools loaded later (${oneLine(loaded.names.join(', '), 80)})`]),
    ...(overhead > 0 ? [`not recorded ${grouped(overhead)}`] : []),
  ];
  return [['beside', `${sign}${grouped(total)} overhead: ${parts.join(', ')}`]];
}

function heldLines(budget: BudgetState, sign: string): string[][] {
  const { used, total, reserveOutput, injectionReserve, injected, tiers, overflow } = budget;
  const reserves = [
    ...(reserveOutput > 0 ? [`${grouped(reserveOutput)} kept for the answer`] : []),
    ...(injectionReserve > 0 || injected > 0 ? [`${grouped(injected)} of ${grouped(injectionReserve)} injected`] : []),
  ];
  const share = total === 0 ? '' : ` (${((100 * used) / total).toFixed(1)}%)`;
  const capped = tiers.filter(({ cap }) => cap !== null);
  const from = overflow?.fromIndex == null ? '' : `, from message #${overflow.fromIndex} on`;
  return [
    ['budget', [`${sign}${grouped(used)} of ${grouped(total)}${share}`, ...reserves].join(', ')],
    ...(overflow === null && !budget.fits ? [['', describeMargin(budget)]] : []),
    ...(overflow === null ? [] : [['', `OVER by ${sign}${grouped(overflow.tokens)} tokens${from}`]]),
    ...capped.flatMap(({ tier, tokens, cap, over, note }) => {
      const beyond = over > 0 ? `, OVER by ${grouped(over)}` : '';
      const line = ['', `${TIER_LABEL[tier]} ${grouped(tokens)} of ${grouped(cap ?? 0)}${beyond}`];
      return note === undefined
        ? [line]
        : [line, ['', `  ${note.text}${note.add === undefined ? '' : ` (${note.add})`}`]];
    }),
  ];
}

function describeMargin({ margin }: BudgetState): string {
  return `may not fit: counts are not the provider's, and with a margin of ${Math.round(margin * 100)}% they are over (budget.margin)`;
}
