// The drawer's sentences. One place, so that screen and tests agree.
import type { DetailFate, DetailPart, MessageDetail, Provenance, StageWord } from '../../core/protocol/types.ts';
import { NOT_CONCERNED } from '../../core/view/fates.ts';
import { FATE_WORD } from '../ui/fate.ts';
import { formatBytes, formatTokens } from '../ui/format.ts';

type Decided = Pick<DetailFate, 'kind' | 'stage' | 'stageTitle' | 'rule'>;

/** `Cleared by stage 3, Reachability GC`; `Kept`; `Not yet seen`. */
export function fateHead(fate: Decided): string {
  const stage = decidedBy(fate);
  return stage === null ? fateWord(fate) : `${fateWord(fate)} by ${stage}`;
}

/** `Cleared` */
export function fateWord({ kind }: Pick<DetailFate, 'kind'>): string {
  const word = FATE_WORD[kind];
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `stage 3, Reachability GC`; null = no stage had a say. */
export function decidedBy({ stage, stageTitle, rule }: Decided): string | null {
  if (stage === null || rule === NOT_CONCERNED) return null;
  return `stage ${stage + 1}${stageTitle === null ? '' : `, ${stageTitle}`}`;
}

/** The reason as the end of a sentence; the fate's own word in front of it (`kept: …`) is not said twice. */
export function fateReason(fate: Pick<DetailFate, 'kind' | 'reason'>): string {
  const prefix = `${FATE_WORD[fate.kind]}:`;
  const reason = fate.reason.startsWith(prefix) ? fate.reason.slice(prefix.length).trimStart() : fate.reason;
  if (reason === '' || /[.!?…]$/.test(reason)) return reason;
  return `${reason}.`;
}

/** `#214 result · read_file`: what is selected. */
export function selectionTitle(detail: MessageDetail, part: number): string {
  const one = detail.parts.find((found) => found.part === part) ?? detail.parts[0];
  const words = [one?.label ?? detail.role, one?.name ?? null].filter((word) => word !== null);
  return `#${detail.index} ${words.join(' · ')}`;
}

/** `1.2 MB`, for a button that shows all of a text. One character counts as one byte here: a size, not a measurement. */
export function wholeSize(chars: number): string {
  return formatBytes(chars);
}

/** `4,812 tok`, `~4,812 tok` if estimated, `not counted`. */
export function partTokens(part: Pick<DetailPart, 'tokens'>, provenance: Provenance): string {
  return part.tokens === null ? 'not counted' : `${formatTokens(part.tokens, provenance)} tok`;
}

/** Where a message is sent that is not sent in its own place; null = it is, or not at all. */
export function describeSentIn({ sentIn }: Pick<MessageDetail, 'sentIn'>): string | null {
  if (sentIn === undefined) return null;
  return sentIn.index === null ? 'Sent in a message that a stage made.' : `Sent as a part of #${sentIn.index}.`;
}

/** How raw and projected stand to each other, where there is nothing to compare. */
export function describeDiff(detail: MessageDetail): string | null {
  if (detail.fate.kind === 'future') return 'After the call point: not said yet.';
  if (detail.projectedJson === null) {
    const how = detail.fate.kind === 'dropped' ? 'Dropped entirely' : `${fateHead(detail.fate)}: nothing of it is left`;
    return `${how}. ${fateReason(detail.fate)}`;
  }
  if (detail.projectedJson === detail.rawJson) return 'Unchanged in the request.';
  return null;
}

/** What one stage said of a message: `dropped: older than …`; where it had no say, why. */
export function stageWord({ enabled, fate }: StageWord): string {
  if (fate === null) return enabled ? 'gone before it' : 'off';
  const reason = fateReason(fate);
  return fate.kind === 'kept' ? reason : `${FATE_WORD[fate.kind]}: ${reason}`;
}
