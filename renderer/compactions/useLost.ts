import type { SurvivalClass } from '../../core/protocol/autopsyTypes.ts';

/** What of the lost items is listed. */
export interface LostFilter {
  /** null = of all classes. */
  readonly class: SurvivalClass | null;
  /** Only what was used later. */
  readonly used: boolean;
}
