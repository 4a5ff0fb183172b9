import type { RecordedOverhead } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';

/** What recorded usage offers for the field of what is not recorded. */
export interface OverheadOffer {
  readonly tokens: number;
  /** It stands in the field already. */
  readonly isUsed: boolean;
  readonly text: string;
  /** How it is known. */
  readonly title: string;
}

/** `use 21,340 ± 310 as recorded usage says`; null where usage says nothing. `given` = what stands in the field. */
export function overheadOffer(recorded: RecordedOverhead | null, given: number): OverheadOffer | null {
  if (recorded === null) return null;
  const { tokens, spread, requests, model } = recorded;
  const isUsed = tokens === given;
  const figure = `${formatCount(tokens)} ± ${formatCount(spread)}`;
  const of = model === null ? '' : ` to ${model}`;
  return {
    tokens,
    isUsed,
    text: isUsed ? `as recorded usage says, ± ${formatCount(spread)}` : `use ${figure} as recorded usage says`,
    title: `Probably ${figure} tokens: so much more than all that is recorded here the provider counted, typically, in each of ${formatCount(requests)} requests${of}.`,
  };
}
