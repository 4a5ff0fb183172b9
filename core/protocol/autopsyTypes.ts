// What compactions lost, as the mode Compactions shows it.
import type {
  Aftermath,
  Autopsy,
  CompactionTrigger,
  LostItem,
  RepeatedCall,
  Survival,
  SurvivalClass,
} from '../insight/autopsy/types.ts';
import type { Provenance } from './types.ts';

export type { RepeatedCall, SurvivalClass } from '../insight/autopsy/types.ts';

/** What of one class survived, in figures. */
export interface SurvivalInfo extends Omit<Survival, 'lost'> {
  readonly lost: number;
  /** Of `lost`: those that a later message relied on. */
  readonly usedLater: number;
}

/** One compaction without its lists. */
export interface CompactionInfo
  extends CompactionTrigger,
    Pick<Autopsy, 'index' | 'at' | 'recordedAt' | 'summaryIndex' | 'stage' | 'placeholder' | 'opaque' | 'incomplete'> {
  /** Of a stage its title; null = recorded. */
  readonly stageTitle: string | null;
  /** Messages that it covers, with the first and the last of them. */
  readonly covered: { readonly messages: number; readonly from: number | null; readonly to: number | null };
  /** null = opaque. */
  readonly survival: Readonly<Record<SurvivalClass, SurvivalInfo>> | null;
  readonly after: Omit<Aftermath, 'rereads' | 'repeatedFailures' | 'filesReadAgain'> & {
    /** Calls that were made again, at most 50: the same result first, then failures. */
    readonly again: readonly (RepeatedCall & { readonly kind: 'reread' | 'repeated_failure' })[];
    readonly rereads: number;
    readonly rereadTokens: number;
    readonly rereadCost: number | null;
    readonly repeatedFailures: number;
    readonly filesReadAgain: number;
  };
}

/** All compactions of a session under a policy. */
export interface SessionAutopsies {
  readonly compactions: readonly CompactionInfo[];
  /** Summaries that stages put in place beyond the first 100. */
  readonly more: number;
  /** How tokens behind compactions are counted. */
  readonly provenance: Provenance;
}

/** Something that did not survive. */
export interface LostLine extends Omit<LostItem, 'usedLater'> {
  readonly class: SurvivalClass;
  /** The text is cut. */
  readonly cut: boolean;
  /** Assistant messages that relied on it, ascending, at most 20. */
  readonly usedLater: readonly number[];
  readonly users: number;
}

/** A page of what did not survive: what was used later first. */
export interface LostPage {
  readonly from: number;
  readonly total: number;
  readonly lost: readonly LostLine[];
}
