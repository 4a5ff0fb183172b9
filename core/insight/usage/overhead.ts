import type { OverheadCounts } from '../../model/overheadCounts.ts';
import { POOR_SHARE } from './findings.ts';
import type { RecordedOverhead, UsageFit } from './types.ts';

/**
 * The part of a model's recorded inputs that is in no message and is not recorded beside them either: the fit's base
 * without what is `recorded` there. Null: no fit, a poor one, or nothing is left. `model` = the one asked about; else the
 * one with most requests.
 */
export function recordedOverhead(
  fits: readonly UsageFit[],
  recorded: OverheadCounts,
  model: string | null,
): RecordedOverhead | null {
  const good = fits.filter(({ residual }) => residual <= POOR_SHARE);
  const most = good.toSorted((a, b) => b.requests - a.requests)[0];
  const fit = good.find((one) => one.model === model) ?? most;
  if (fit === undefined) return null;
  // The provider counts what is recorded by its own tokenizer, as it does the history.
  const tokens = Math.round(fit.base - fit.factor * (recorded.system + recorded.tools));
  const spread = Math.round(fit.spread);
  return tokens <= spread ? null : { tokens, spread, requests: fit.requests, model: fit.model };
}
