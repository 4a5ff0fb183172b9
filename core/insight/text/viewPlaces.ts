// The places in a request that say a text.
import type { LiveView } from '../../view/liveView.ts';
import { originOf } from '../../view/origins.ts';
import type { ViewItem } from '../../view/types.ts';
import type { TextFollower } from './follow.ts';
import type { PlaceLabels } from './labels.ts';
import { type FrontHits, frontPlaces } from './places.ts';
import type { ViewPlace } from './types.ts';

/** The places in the order of the request, the first `most`, and how many there are. */
export function viewPlaces(
  view: LiveView,
  follower: TextFollower,
  front: FrontHits,
  labels: PlaceLabels,
  most: number,
): { readonly places: readonly ViewPlace[]; readonly total: number } {
  const places: ViewPlace[] = [...frontPlaces(front)];
  let total = front.places.reduce((sum, { count }) => sum + count, 0);
  const saying = follower.saying(view);
  const ordinals = saying.some(({ kind }) => kind === 'synthetic') ? syntheticOrdinals(view) : NO_ORDINALS;
  for (const item of saying) {
    for (const { part, spans, count } of follower.hits(item).parts) {
      total += count;
      if (places.length >= most) continue;
      const index = item.kind === 'source' ? item.index : null;
      const place = {
        index,
        synthetic: ordinals.get(item) ?? null,
        front: null,
        part,
        label: labels.viewPart(item, part),
      };
      for (const span of spans) places.push({ ...place, ...span });
    }
  }
  return { places: places.slice(0, most), total };
}

/** The parts of the transcript that say the text and are in the request, as `index.part`: where they were, or moved to. */
export function presentParts(view: LiveView, follower: TextFollower): ReadonlySet<string> {
  const present = new Set<string>();
  for (const item of follower.saying(view)) {
    for (const { part } of follower.hits(item).parts) {
      for (const raw of originOf(item, part)) present.add(`${raw.message}.${raw.part}`);
    }
  }
  return present;
}

const NO_ORDINALS: ReadonlyMap<ViewItem, number> = new Map();

function syntheticOrdinals(view: LiveView): ReadonlyMap<ViewItem, number> {
  const ordinals = new Map<ViewItem, number>();
  for (const item of view.toView().items) if (item.kind === 'synthetic') ordinals.set(item, ordinals.size);
  return ordinals;
}
