// browser-safe
import type { FateKind } from '../../view/types.ts';

/** What becomes of a block whose conversation has changed: the request is refused, it is dropped, or it is let through. */
export type OnMismatch = 'error' | 'drop_block' | 'allowed';

/** What the check of thinking blocks gets of the request; made by {@link bindingOf} from setting and transcript. */
export interface BindingInputs {
  /** The model that the request goes to; null = not known. */
  readonly reader: string | null;
  /** True if that model may hold blocks against the conversation they were made in. */
  readonly checks: boolean;
  readonly onMismatch: OnMismatch;
  /** Whether the account is held to it; null = not known: accounts made from 2026-08-31 on are, others if the field is set. */
  readonly enforced: boolean | null;
  /** Models in the transcript whose thinking the reader does not read. */
  readonly unread: ReadonlySet<string>;
  /** The model that made a message; null = not recorded. */
  makerOf(index: number): string | null;
  /** What of the request itself is another than in the requests that made the blocks; absent = neither is. */
  readonly envelope?: 'system' | 'tools';
  /** Names all of it: the same key, the same outcome. */
  readonly key: string;
}

/** What broke the conversation that a block was made in: the first change before it. */
export interface BindingCause {
  /**
   * `stage` = a stage changed a message; `gap` = thinking before it was taken out, with thinking before that left;
   * `recorded` = a recorded compaction lies between the two histories; `cut` = a compaction block keeps turns, but cuts
   * between messages of one role; `system`, `tools` = the request's own.
   */
  readonly kind: 'stage' | 'gap' | 'recorded' | 'cut' | 'system' | 'tools';
  /** Position of the stage in the spec, and its title; null = no stage did it. */
  readonly stage: number | null;
  readonly title: string | null;
  /** Source index of the changed message; null = no one's. */
  readonly index: number | null;
  readonly fate: FateKind | null;
  readonly rule: string | null;
  /** A clause: `Clear tool results (LangChain) edited #12`. */
  readonly reason: string;
}

/** A block that fails. */
export interface FailingBlock {
  readonly index: number;
  readonly part: number;
  readonly cause: BindingCause;
}

/** Where a block is. */
export interface BlockPlace {
  readonly index: number;
  readonly part: number;
}

/**
 * Sent blocks in order, `to` included, of which the provider makes the same. Blocks that are not sent, and those of other
 * models, may lie between them: whoever looks a block up must know that it is sent.
 */
export interface BlockRun {
  readonly from: BlockPlace;
  readonly to: BlockPlace;
  /** They are no longer behind what they were made behind. */
  readonly fails: boolean;
}

/** The thinking in a request in numbers. */
export interface ThinkingCounts {
  readonly onMismatch: OnMismatch;
  /** Signed blocks that the client sends, and the reader reads. */
  readonly sent: number;
  /** Of those the blocks that are no longer behind what they were made behind. */
  readonly failing: number;
  /** Blocks that the client sends and the reader does not read: dropped without a word. */
  readonly foreign: number;
  /** Blocks that the model does not see: foreign ones, and with `drop_block` failing ones. */
  readonly dropped: number;
}

/** What the provider makes of the thinking in a request. */
export interface ThinkingOutcome extends ThinkingCounts {
  readonly reader: string | null;
  readonly checks: boolean;
  readonly enforced: boolean | null;
  /** The first of them; null = none fails. */
  readonly first: FailingBlock | null;
  readonly firstForeign: { readonly index: number; readonly part: number; readonly maker: string } | null;
  /** The blocks that are sent and read, in order. */
  readonly runs: readonly BlockRun[];
}

/** A request's outcome in one word: what the presets table says. */
export type ThinkingKept = 'kept' | 'drops' | 'refused';

/** In one word, as far as failing blocks go. */
export function keptWord({ failing, dropped, onMismatch }: ThinkingCounts): ThinkingKept {
  if (failing > 0 && onMismatch === 'error') return 'refused';
  return dropped > 0 ? 'drops' : 'kept';
}

/** The numbers of an outcome. */
export function countsIn({ onMismatch, sent, failing, foreign, dropped }: ThinkingCounts): ThinkingCounts {
  return { onMismatch, sent, failing, foreign, dropped };
}
