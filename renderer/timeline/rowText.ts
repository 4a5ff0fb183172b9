import type { Cell, GoneFold, GoneInto, Row } from '../../core/protocol/types.ts';
import type { SignedPart } from '../parts/thinkingPart.ts';
import { FATE_WORD } from '../ui/fate.ts';
import { figureSign, formatCount, formatShort, formatTokens, plural } from '../ui/format.ts';

/** The index column: the source index on a message's first part, the span of a fold; a synthetic's text says its span. */
export function indexText(row: Row): string {
  if (row.kind === 'part') return row.firstOfMessage ? String(row.index) : '';
  return row.kind === 'fold' ? spanText(row) : '';
}

/** `0–95`, the source span a fold or synthetic stands for; a synthetic put in front of a message covers nothing. */
export function spanText(row: Row): string {
  const to = row.to ?? row.index;
  if (to <= row.index) return '';
  return to - row.index === 1 ? String(row.index) : `${row.index}–${to - 1}`;
}

/** What a synthetic's text begins with: which messages it stands for. */
export function standsFor(row: Row): string | null {
  const span = spanText(row);
  return row.kind === 'synthetic' && span !== '' ? `replaces #${span.replace('–', ' – #')}: ` : null;
}

/** True if a row says the same on both sides, figures included: shown once, it says all. */
export function isSameOnBothSides({ kind, fate, chip, gone, elsewhere, raw, projected }: Row): boolean {
  if (kind !== 'part' || fate !== 'kept' || chip !== null || gone || elsewhere !== undefined) return false;
  return raw !== null && projected !== null && raw.text === projected.text && tokenText(raw) === tokenText(projected);
}

/** True of thinking that the provider signed, or that only it can read. */
export function isSealed({ kind, category, badges }: Row): boolean {
  return kind === 'part' && category === 'thinking' && (badges.includes('signed') || badges.includes('opaque'));
}

/** What a chip has to know of such a row. */
export function sealedPart({ part, projected, badges }: Row): SignedPart {
  return { part, isEncrypted: badges.includes('opaque'), ...(projected === null && { sent: null }) };
}

/** True of an image, and of a result that holds one. */
export function holdsImage({ kind, partKind, badges }: Row): boolean {
  return kind === 'part' && (partKind === 'image' || badges.includes('image'));
}

/** Tokens column. */
export function tokenText(cell: Cell): string {
  return formatTokens(cell.tokens, cell.tokensProvenance);
}

/** `summary #271, 6.4k tok`: what is sent in place of a folded run. */
export function intoText({ tokens, tokensProvenance, ...into }: GoneInto): string {
  const name = into.kind === 'message' ? `summary #${into.index}` : 'summary';
  return `${name}, ${figureSign(tokensProvenance)}${formatShort(tokens)} tok`;
}

/** `270 messages → summary #271, 6.4k tok`. */
export function goneText({ messages, stage, into }: GoneFold): string {
  return `${plural(messages, 'message')} ${into === null ? `not sent: ${stage}` : `→ ${intoText(into)}`}`;
}

/** What becomes of a row in the request, in words; `isSent` = that request was made, and is not what a policy would send. */
export function stateText({ fate, chip, projected }: Row, isSent: boolean): string {
  const by = chip === null ? '' : ` (${chip})`;
  if (fate === 'future') return FATE_WORD[fate];
  const sent = isSent ? 'sent' : 'would be sent';
  if (fate === 'kept') return `${sent}${by}`;
  if (projected === null) return `${isSent ? 'not sent' : 'would not be sent'}: ${FATE_WORD[fate]}${by}`;
  return `${sent} ${FATE_WORD[fate]}${by}`;
}

/** The whole row in words, for screen readers. */
export function rowLabel(row: Row, isSent: boolean): string {
  if (row.gone) return `messages ${spanText(row)}, ${FATE_WORD[row.fate]}, folded: ${goneText(row.gone)}`;
  const where = row.kind === 'part' ? `message ${row.index}` : `messages ${spanText(row)}`;
  const raw = row.raw?.text ?? '';
  const sent = row.projected?.text ?? null;
  const fate = stateText(row, isSent);
  // Both sides where they differ: the eye sees them next to each other.
  const sides =
    sent === null || sent === raw ? raw.slice(0, 120) : `${raw.slice(0, 120)}; sent as: ${sent.slice(0, 120)}`;
  const origin = row.origin ? `, ${row.origin.label}` : '';
  return `${where}, ${row.label}${origin}, ${fate}: ${row.raw === null ? (sent ?? '').slice(0, 120) : sides}`;
}

/** Width of the index column in px: room for the largest index, or for the span of a fold. */
export function indexWidth(messages: number): number {
  const digits = String(Math.max(0, messages - 1)).length;
  return Math.max(38, Math.round(digits * 7.4) + 16);
}

/** `231 messages · 61,388 tok`-like figures with the estimate's sign. */
export function tokenFigure(total: number, provenance: Cell['tokensProvenance']): string {
  return `${figureSign(provenance)}${formatCount(total)} tok`;
}
