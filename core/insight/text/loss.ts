// Why a place ceased to say a text, and what is there instead.
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import type { Fate, ViewItem } from '../../view/types.ts';
import { fateAt } from '../fateAt.ts';
import type { PlaceLabels } from './labels.ts';
import type { TextLoss } from './types.ts';

const REPLACED_CHARS = 2000;

/** What is said of a loss; the turn is added where turns are known. */
export type Loss = Omit<TextLoss, 'turn'>;

/** Reads what an item says, for people; null = all of its parts. */
export type ReadItem = (item: ViewItem, part: number | null) => string;

/** At the call point reached: why this item, which was in the request before, does not say the text any more. */
export function lossOf(point: ReachedPoint, item: ViewItem, labels: PlaceLabels, read: ReadItem): Loss {
  const place = labels.item(item);
  if (item.kind === 'source') return sourceLoss(point, item.index, place, read);
  const { from, to } = item.covers;
  if (to > from) return { ...sourceLoss(point, from, place, read), place };
  const stage = stageAt(point, item.stage);
  const reason = `${stage?.title ?? 'the stage that put it in'} does not put it in here`;
  const by = { stage: item.stage, stageTitle: stage?.title ?? null, rule: item.made?.rule ?? null };
  return { at: point.at, place, fate: 'dropped', ...by, reason, replacedBy: null };
}

/** As {@link lossOf}, of a message. */
export function sourceLoss(point: ReachedPoint, index: number, place: string, read: ReadItem): Loss {
  const fate = fateAt(point.stages, index);
  return {
    at: point.at,
    place,
    fate: fate.kind,
    stage: fate.stage,
    stageTitle: fate.stage === null ? null : (stageAt(point, fate.stage)?.title ?? null),
    rule: fate.rule,
    reason: fate.reason,
    replacedBy: insteadOf(point, index, fate, read),
  };
}

function stageAt({ stages }: ReachedPoint, position: number) {
  return stages.find(({ stage }) => stage.position === position)?.stage;
}

// The message as it was edited, the summary that covers it, or the one that its fate points to.
function insteadOf(point: ReachedPoint, index: number, { because, kind }: Fate, read: ReadItem): string | null {
  const own = point.view.source(index);
  const covering = own === null ? coveringItem(point, index) : null;
  const named = kind === 'summarised' || kind === 'merged' ? because : undefined;
  const found = own ?? covering ?? (named === undefined ? null : point.view.source(named));
  return found === null ? null : cutText(read(found, null), REPLACED_CHARS);
}

function coveringItem({ view }: ReachedPoint, index: number): ViewItem | null {
  let found: ViewItem | null = null;
  for (const item of view.toView().items) {
    if (item.kind === 'synthetic' && item.covers.from <= index && index < item.covers.to) found = item;
  }
  return found;
}

/** The beginning of a text, not ended within a character. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
