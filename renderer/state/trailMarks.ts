// The trail of the selected message as marks: what it relied on, and what relied on it.
import type { TrailPlace, UseOutcome } from '../../core/protocol/types.ts';
import type { TrailState } from './types.ts';

export interface TrailMark extends Omit<TrailPlace, 'outcome'> {
  /** `source` = the message relied on it; `user` = it relied on the message. */
  readonly side: 'source' | 'user';
  /** null = under the policy on screen it is not known yet. */
  readonly outcome: UseOutcome | null;
}

const made = new WeakMap<TrailState, readonly TrailMark[]>();
const byPlace = new WeakMap<TrailState, ReadonlyMap<string, TrailMark>>();

/** All marks of a trail, ascending. */
export function trailMarks(trail: TrailState): readonly TrailMark[] {
  const known = made.get(trail);
  if (known !== undefined) return known;
  const on = (side: TrailMark['side'], places: readonly TrailPlace[] = []): readonly TrailMark[] =>
    places.map((place) => ({ ...place, side, outcome: trail.state === 'known' ? place.outcome : null }));
  const marks = [...on('source', trail.found?.sources), ...on('user', trail.found?.users)];
  made.set(trail, marks);
  return marks;
}

/** The mark of a row; undefined = it is not on the trail. */
export function trailMarkAt(trail: TrailState, index: number, part: number): TrailMark | undefined {
  if (trail.found === null) return undefined;
  let all = byPlace.get(trail);
  if (all === undefined) {
    all = new Map(trailMarks(trail).map((mark) => [`${mark.index}.${mark.part}`, mark]));
    byPlace.set(trail, all);
  }
  return all.get(`${index}.${part}`);
}
