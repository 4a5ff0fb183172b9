import type {
  ReviewDecision,
  ReviewFinished,
  ReviewInfo,
  ReviewKind,
  ReviewPlace,
} from '../../core/protocol/reviewTypes.ts';
import { formatCount, plural } from '../ui/format.ts';

/** What a decision is called on its button. */
export const DECISION_TITLE: Readonly<Record<ReviewDecision, string>> = {
  mask: 'Mask',
  keep: 'Keep',
  take_out: 'Take out',
};

/** What can be done with findings of a group. */
export function decisionsFor(
  group: ReviewKind['group'],
): readonly { readonly value: string; readonly title: string }[] {
  const all: readonly ReviewDecision[] = group === 'unreadable' ? ['keep', 'take_out'] : ['mask', 'keep', 'take_out'];
  return all.map((value) => ({ value, title: DECISION_TITLE[value] }));
}

export function isDecision(word: string): word is ReviewDecision {
  return Object.hasOwn(DECISION_TITLE, word);
}

/** Names a kind among others: the same kind may be there for sure and as a guess. */
export function kindKey({ kind, tier }: Pick<ReviewKind, 'kind' | 'tier'>): string {
  return `${tier} ${kind}`;
}

/** Under a kind's name: values and messages. */
export function kindLine({ values, messages, undecided }: ReviewKind): string {
  const where = messages === 0 ? 'apart from the messages' : plural(messages, 'message');
  const open = undecided === 0 ? '' : `, ${formatCount(undecided)} undecided`;
  return `${plural(values, 'value')}, ${where}${open}`;
}

/** What became of all that was found. */
export function statusLine({ found, masked, undecided, kinds }: ReviewInfo): string {
  if (found === 0) return 'Nothing found';
  const sum = (of: (kind: ReviewKind) => number) => kinds.reduce((all, kind) => all + of(kind), 0);
  const taken = sum((one) => (one.decision === 'take_out' ? one.masked : 0));
  const isMixed = kinds.some(({ decision }) => decision === 'mixed');
  const words = [
    `${formatCount(found)} found`,
    `${formatCount(masked - taken)} ${isMixed ? 'masked or taken out' : 'masked'}`,
    ...(taken > 0 ? [`${formatCount(taken)} taken out`] : []),
  ];
  if (undecided === 0) return [...words, `${formatCount(found - masked)} kept`].join(', ');
  const waiting = sum((one) => (one.undecided > 0 ? one.count - one.masked : 0));
  return [...words, `${plural(undecided, 'value')} undecided in ${plural(waiting, 'place')}`].join(', ');
}

/** Where a place is. */
export function placeName({ index }: Pick<ReviewPlace, 'index'>): string {
  return index === null ? 'Front' : `#${index}`;
}

/** What a slice leaves out; before there is one, what it would be. */
export function sliceWords(slice: ReviewFinished['slice'] | undefined): string {
  if (slice === undefined) return 'Each step takes words away and projects again.';
  if (slice === null)
    return 'Messages without which request, outcomes and pointers are the same go out without their words.';
  if (slice.emptied === 0) return 'The result needs the words of every message.';
  const rest = slice.minimal ? '' : ' The search was ended: more could go.';
  return `${plural(slice.emptied, 'message')} without words: request, outcomes and pointers are the same, projected again.${rest}`;
}
