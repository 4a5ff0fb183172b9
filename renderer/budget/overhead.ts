import type { Calibration, OverheadFigure, RecordedOverhead } from '../../core/protocol/types.ts';
import { formatCount, plural } from '../ui/format.ts';

/** What recorded usage offers for the field of what is not recorded. */
export interface OverheadOffer {
  /** What to write into the policy; null = nothing, so that recorded usage decides. */
  readonly tokens: number | null;
  /** It is in the field already. */
  readonly isUsed: boolean;
  readonly text: string;
  /** How it is known. */
  readonly title: string;
}

/**
 * `Set to 65,897 (± 3,572), estimated from recorded usage`; null where usage says nothing. Where counts are calibrated it
 * is there by itself, unless the policy says another number.
 */
export function overheadOffer(
  recorded: RecordedOverhead | null,
  { given, unrecorded, overhead }: OverheadFigure,
  calibration: Calibration | null,
): OverheadOffer | null {
  if (calibration !== null && unrecorded !== null) {
    const { spread, requests, model } = calibration;
    const isUsed = given === null || given === unrecorded;
    return offerOf({ tokens: unrecorded, spread, requests, model }, isUsed, null);
  }
  if (recorded === null) return null;
  return offerOf(recorded, recorded.tokens === overhead, recorded.tokens);
}

function offerOf(recorded: RecordedOverhead, isUsed: boolean, tokens: number | null): OverheadOffer {
  const { spread, requests, model } = recorded;
  const figure = `${formatCount(recorded.tokens)} (± ${formatCount(spread)})`;
  const of = model === null ? '' : ` to ${model}`;
  return {
    tokens,
    isUsed,
    text: isUsed
      ? `± ${formatCount(spread)}, estimated from recorded usage`
      : `Set to ${figure}, estimated from recorded usage`,
    title: `Probably ${figure} tokens: the provider counted so many more than the transcript accounts for, typically, in ${plural(requests, 'request')}${of}.`,
  };
}
