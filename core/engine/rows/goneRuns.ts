// Long runs of messages that one compaction, summary or window took out of the request. On screen each is one row; what
// the run went into is said there.
import type { MessageFates } from '../../projection/types.ts';
import { standsInView } from '../../view/fates.ts';
import type { Fate, FateKind, SyntheticItem } from '../../view/types.ts';
import type { Span } from './layout.ts';

/** What is in the request in place of a run: a message of the transcript, or the synthetic with an ordinal. */
export type RunReplacement =
  | { readonly kind: 'message'; readonly index: number }
  | { readonly kind: 'synthetic'; readonly ordinal: number };

/** Runs shorter than this stay as they are: one row instead of eight says less than the eight. */
const RUN_MIN = 9;

const NOWHERE: ReadonlySet<number> = new Set();

/**
 * The runs of more than eight messages in a row, of the messages [0, at), that left the request for one cause. A merged
 * message is still sent, in another's place, and ends a run; so does one that is sent `elsewhere`.
 */
export function goneRuns(
  at: number,
  said: Pick<MessageFates, 'kindOf' | 'areOfOneCause'>,
  elsewhere: Pick<ReadonlySet<number>, 'has' | 'size'> = NOWHERE,
): readonly Span[] {
  const runs: Span[] = [];
  for (const { from, to } of runsOfKind(at, said, elsewhere)) {
    let first = from;
    for (let index = from + 1; index <= to; index++) {
      if (index < to && said.areOfOneCause(index - 1, index)) continue;
      if (index - first >= RUN_MIN) runs.push({ from: first, to: index });
      first = index;
    }
  }
  return runs;
}

// What a run may be part of: long, of one kind, and gone. Of nothing else is the cause asked.
function runsOfKind(
  at: number,
  said: Pick<MessageFates, 'kindOf'>,
  elsewhere: Pick<ReadonlySet<number>, 'has' | 'size'>,
): readonly Span[] {
  const runs: Span[] = [];
  const kindOf = (index: number): FateKind =>
    elsewhere.size > 0 && elsewhere.has(index) ? 'merged' : said.kindOf(index);
  let from = 0;
  let kind = at === 0 ? null : kindOf(0);
  for (let index = 1; index <= at && kind !== null; index++) {
    const next = index === at ? null : kindOf(index);
    if (next === kind) continue;
    if (index - from >= RUN_MIN && isGone(kind)) runs.push({ from, to: index });
    from = index;
    kind = next;
  }
  return runs;
}

/** The runs to fold: those in which no span is to stay open. Both ascending lists may be long, `open` is short. */
export function foldedGoneRuns(runs: readonly Span[], open: readonly Span[]): readonly Span[] {
  if (open.length === 0) return runs;
  return runs.filter(({ from, to }) => !open.some((span) => span.from < to && from < span.to));
}

/** True if the message left the request and nothing of it is sent in another place. */
export function isGone(kind: FateKind): boolean {
  return !standsInView(kind) && kind !== 'merged';
}

/** What is in place of a run, if its stage put something there; of several synthetics the first that covers it. */
export function replacementOf(
  run: Span,
  fate: Fate,
  synthetics: readonly { readonly item: Pick<SyntheticItem, 'stage' | 'covers'> }[],
): RunReplacement | null {
  if (fate.kind !== 'summarised') return null;
  if (fate.because !== undefined) return { kind: 'message', index: fate.because };
  const ordinal = synthetics.findIndex(
    ({ item: { stage, covers } }) => stage === fate.stage && covers.from <= run.from && run.to <= covers.to,
  );
  return ordinal === -1 ? null : { kind: 'synthetic', ordinal };
}
