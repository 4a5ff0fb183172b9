// Findings and repairs in words, and a repair as two texts to compare: message after message, each under a line that says
// which it is and why.
import type { LintRepairInfo, MessageRepairInfo } from '../../core/protocol/types.ts';
import { formatCount, plural } from '../ui/format.ts';
import { prettyJson } from '../ui/prettyJson.ts';

/** What is said of a message; of a single one the words stand elsewhere. */
type Change = Pick<MessageRepairInfo, 'before' | 'after' | 'cut'> &
  Partial<Pick<MessageRepairInfo, 'index' | 'kind' | 'reason'>>;

/** The messages that a repair touches, before and after. A message that is put in or leaves stands on one side only. */
export function repairTexts(changes: readonly Change[]): { readonly before: string; readonly after: string } {
  return { before: changes.map(sideOf('before')).join('\n\n'), after: changes.map(sideOf('after')).join('\n\n') };
}

function sideOf(side: 'before' | 'after') {
  return (change: Change): string => {
    const text = change[side];
    const body = text === null ? [] : [prettyJson(text), ...(change.cut ? ['// … cut'] : [])];
    return [...headOf(change), ...body].join('\n');
  };
}

const KIND_WORD: Readonly<Record<MessageRepairInfo['kind'], string>> = {
  rewritten: 'rewritten',
  dropped: 'dropped',
  merged: 'merged into its neighbour',
  inserted: 'put in',
  moved: 'moved',
};

function headOf({ index, kind, reason }: Change): readonly string[] {
  if (kind === undefined || reason === undefined) return [];
  const place = index === null || index === undefined ? 'new message' : `#${index}`;
  return [`// ${place} ${KIND_WORD[kind]} · ${reason}`];
}

/** `The call of edit has no result`: the wire's name stands above the list already. */
export function describeFinding(text: string, wire: string): string {
  const own = text.startsWith(`${wire}: `) ? text.slice(wire.length + 2) : text;
  return own.charAt(0).toUpperCase() + own.slice(1);
}

/** What applying it comes to: `773 messages touched, no finding left.` */
export function describeOutcome({ total, changes, left }: LintRepairInfo, help = ''): string {
  if (total === 0) return 'It would change nothing.';
  const shown = changes.length < total ? ` (the first ${formatCount(changes.length)} below)` : '';
  const rest = left === 0 ? 'no finding left' : `${plural(left, 'finding')} left`;
  return `${plural(total, 'message')} touched${shown}, ${rest}. ${help}`.trimEnd();
}
