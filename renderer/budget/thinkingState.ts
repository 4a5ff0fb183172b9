// What becomes of the signed thinking of a request, in a line and in a cell.
import { keptWord, type ThinkingCounts, type ThinkingOutcome } from '../../core/projection/binding/types.ts';
import { formatCount, plural } from '../ui/format.ts';

/** A line below the budget. `index` = the first message concerned. */
export interface ThinkingState {
  readonly text: string;
  readonly tone: 'fits' | 'close' | 'over';
  readonly title: string;
  readonly index: number | null;
}

export function thinkingState(thinking: ThinkingOutcome): ThinkingState {
  const { sent, failing, foreign, first, firstForeign, reader } = thinking;
  const model = reader ?? 'The model';
  const title = first?.cause.reason ?? '';
  const unread = foreign === 0 ? '' : ` ${model} does not read ${plural(foreign, 'block')} of other models.`;
  const index = first?.index ?? firstForeign?.index ?? null;
  if (failing === 0) {
    const kept = sent === 0 ? '' : `${plural(sent, 'thinking block')} kept.`;
    return { text: `${kept}${unread}`.trim(), tone: foreign > 0 ? 'close' : 'fits', title, index };
  }
  const what = `${formatCount(failing)} of ${plural(sent, 'thinking block')}`;
  return { text: `${what} ${consequence(thinking, model)}${unread}`, tone: toneOf(thinking), title, index };
}

function consequence({ onMismatch, enforced }: ThinkingOutcome, model: string): string {
  switch (onMismatch) {
    case 'drop_block':
      return 'dropped by the provider.';
    case 'allowed':
      return 'no longer valid, let through on this account.';
    case 'error':
      return enforced === true
        ? `no longer valid: ${model} refuses the request (400).`
        : `no longer valid: ${model} refuses the request (400) on accounts made from 2026-08-31 on.`;
  }
}

function toneOf({ onMismatch, enforced }: ThinkingOutcome): ThinkingState['tone'] {
  if (onMismatch === 'allowed') return 'fits';
  return onMismatch === 'error' && enforced === true ? 'over' : 'close';
}

/** `yes`, `drops 3`, `400: 3`; null = nothing is checked. */
export function keptCell(counts: ThinkingCounts | null): { readonly text: string; readonly title: string } | null {
  if (counts === null) return null;
  const { failing, dropped, sent, foreign } = counts;
  const all = plural(sent + foreign, 'signed thinking block');
  switch (keptWord(counts)) {
    case 'kept':
      return { text: 'yes', title: failing > 0 ? `${formatCount(failing)} of ${all} let through` : `${all} kept` };
    case 'drops':
      return {
        text: `drops ${formatCount(dropped)}`,
        title: `${formatCount(dropped)} of ${all} dropped by the provider`,
      };
    case 'refused':
      return {
        text: `400: ${formatCount(failing)}`,
        title: `${formatCount(failing)} of ${all} no longer valid: the provider refuses the request (400)`,
      };
  }
}
