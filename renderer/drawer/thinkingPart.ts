// What becomes of a signed thinking block in the request, in a word and in a sentence.
import type { BlockPlace, ThinkingOutcome } from '../../core/projection/binding/types.ts';
import type { DetailFate, DetailPart } from '../../core/protocol/types.ts';

/** The chip on a part. `isBroken`: the provider refuses it, drops it, or lets it through as it is. */
export interface ThinkingWord {
  readonly word: string;
  readonly title: string;
  readonly isBroken: boolean;
}

/**
 * `outcome` = the request on screen, `fate` = what became of the part in it. A part that is not in it says why; one that is not
 * checked is signed and no more.
 */
export function thinkingPart(
  outcome: ThinkingOutcome | null,
  index: number,
  part: Pick<DetailPart, 'part' | 'sent'>,
  fate: Pick<DetailFate, 'kind' | 'reason'>,
): ThinkingWord {
  // What the provider drops is not in the view either: its fate says by which rule.
  if (part.sent === null && fate.kind !== 'future') {
    const word = fate.kind === 'dropped' ? 'signed, dropped' : 'signed, not sent';
    return { word, title: `Not in this request: ${fate.reason}`, isBroken: true };
  }
  const run = outcome?.runs.find(({ from, to }) => isWithin({ index, part: part.part }, from, to));
  if (outcome?.checks !== true || run === undefined || part.sent === null) {
    return { word: 'signed', title: 'Signed by the provider: an edit would make it invalid.', isBroken: false };
  }
  const model = outcome.reader ?? 'the model';
  if (!run.fails) {
    const title = `Signed, and bound to what comes before it: that is unchanged in this request, so ${model} accepts it.`;
    return { word: 'signed, bound', title, isBroken: false };
  }
  return { word: 'signed, no longer valid', title: brokenTitle(outcome, model), isBroken: true };
}

function brokenTitle({ onMismatch, enforced, first }: ThinkingOutcome, model: string): string {
  const why = `What comes before it is not what it was made behind${first === null ? '' : ` (first broken at #${first.index}: ${first.cause.reason})`}: `;
  switch (onMismatch) {
    case 'drop_block':
      return `${why}the provider drops it.`;
    case 'allowed':
      return `${why}let through on this account.`;
    case 'error':
      return `${why}${model} refuses the request (400)${enforced === true ? '' : ' on accounts made from 2026-08-31 on'}.`;
  }
}

function isWithin(place: BlockPlace, from: BlockPlace, to: BlockPlace): boolean {
  return !isBefore(place, from) && !isBefore(to, place);
}

function isBefore(one: BlockPlace, other: BlockPlace): boolean {
  return one.index < other.index || (one.index === other.index && one.part < other.part);
}
