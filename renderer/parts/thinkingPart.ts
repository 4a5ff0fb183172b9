// What becomes of a signed or encrypted thinking block in the request, in a word and in a sentence.
import type { BlockPlace, ThinkingOutcome } from '../../core/projection/binding/types.ts';
import type { DetailPart, Row } from '../../core/protocol/types.ts';

/** The chip on a part. `isBroken`: it is not in the request, or the provider refuses it, drops it, or lets it through as it is. */
export interface ThinkingWord {
  /** null = nothing is known beyond what the part says of itself: of what is encrypted, that it is. */
  readonly word: string | null;
  readonly title: string;
  readonly isBroken: boolean;
}

/** A block of thinking that the provider signed. */
export interface SignedPart extends Pick<DetailPart, 'part' | 'sent'> {
  /** Nobody but the provider can read it. */
  readonly isEncrypted: boolean;
}

/** What became of it. */
export interface PartOutcome {
  readonly kind: Row['fate'];
  readonly reason: string;
}

/**
 * `outcome` = the request on screen, `fate` = what became of the part in it. A part that is not in it says why; one that is not
 * checked is signed, or encrypted, and no more. The text of an encrypted part says that it is: the word does not repeat it.
 */
export function thinkingPart(
  outcome: ThinkingOutcome | null,
  index: number,
  part: SignedPart,
  fate: PartOutcome,
): ThinkingWord {
  const worded = (state: string) => (part.isEncrypted ? state : `signed, ${state}`);
  if (part.sent === null && fate.kind !== 'future') return goneWord(worded, fate);
  const run = outcome?.runs.find(({ from, to }) => isWithin({ index, part: part.part }, from, to));
  if (outcome?.checks !== true || run === undefined || part.sent === null) {
    const title = part.isEncrypted
      ? 'Encrypted: only the provider can read it.'
      : 'Signed by the provider: an edit would make it invalid.';
    return { word: part.isEncrypted ? null : 'signed', title, isBroken: false };
  }
  const model = outcome.reader ?? 'the model';
  if (!run.fails) {
    const title = `${part.isEncrypted ? 'Encrypted' : 'Signed'}, and bound to what comes before it: that is unchanged in this request, so ${model} accepts it.`;
    return { word: worded('bound'), title, isBroken: false };
  }
  return { word: worded('no longer valid'), title: brokenTitle(outcome, model), isBroken: true };
}

/** What the provider drops is in the request, and the model does not see it; what a stage drops is not in it. */
function goneWord(worded: (state: string) => string, { kind, reason }: PartOutcome): ThinkingWord {
  if (/dropped by the provider|the provider drops it/.test(reason)) {
    const title = `In the request, and not seen: ${reason}`;
    return { word: worded('dropped by provider'), title, isBroken: true };
  }
  const word = worded(kind === 'dropped' ? 'dropped' : 'not sent');
  return { word, title: `Not in this request: ${reason}`, isBroken: true };
}

function brokenTitle({ onMismatch, enforced, first }: ThinkingOutcome, model: string): string {
  const why = `What comes before it has changed since it was made${first === null ? '' : ` (first broken at #${first.index}: ${first.cause.reason})`}: `;
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
