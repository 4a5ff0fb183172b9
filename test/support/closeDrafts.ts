// A view of drafts, put together in one go.
import { type Draft, toItem } from '../../core/stages/hygiene/draft.ts';
import type { SyntheticItem, View, ViewItem } from '../../core/view/types.ts';

/**
 * The view of these drafts; the same view if nothing changed. A moved message is a synthetic one that covers its
 * source: so source messages never stand out of order, and their coordinates hold.
 */
export function closeDrafts(
  view: View,
  drafts: readonly Draft[],
  stage: number,
  at: number,
  whyOf: (draft: Draft) => SyntheticItem['made'] = () => undefined,
): View {
  const unchanged = drafts.length === view.items.length && drafts.every((draft, i) => isItem(draft, view.items[i]));
  if (unchanged) return view;
  const items: ViewItem[] = new Array<ViewItem>(drafts.length);
  let next = at;
  for (let i = drafts.length - 1; i >= 0; i--) {
    const draft = drafts[i];
    if (draft === undefined) continue;
    const item = toItem(draft, stage, next, whyOf);
    if (item.kind === 'source') next = item.index;
    items[i] = item;
  }
  return { items };
}

function isItem(draft: Draft, item: ViewItem | undefined): boolean {
  return draft.item === item && !draft.isEdited && !draft.moved;
}
