import type { TranscriptSource } from '../../model/transcript.ts';
import type { Projection } from '../../projection/types.ts';
import { canonicalJson } from '../../util/json/index.ts';
import { itemText } from '../../view/reader.ts';
import type { Fate } from '../../view/types.ts';

/** A projection, and what it was made of. */
export interface ProjectedSource {
  readonly projection: Projection;
  readonly source: TranscriptSource;
}

/**
 * True if two projections decide the same: the same messages in the same order as canonical JSON, of each source message the
 * same outcome by the same rule, the same pointers. Sentences may name other figures.
 */
export function isSameResult(a: ProjectedSource, b: ProjectedSource): boolean {
  return hasSameFates(a.projection, b.projection) && hasSamePointers(a.projection, b.projection) && hasSameTexts(a, b);
}

function hasSameFates({ fates: a }: Projection, { fates: b }: Projection): boolean {
  return a.length === b.length && a.every((fate, index) => decided(fate) === decided(b[index]));
}

function decided(fate: Fate | undefined): string {
  if (fate === undefined) return '';
  const { kind, stage, rule, because, parts = [] } = fate;
  return JSON.stringify([kind, stage, rule, because ?? null, parts.map((part) => [part.part, part.kind])]);
}

function hasSamePointers({ pointers: a }: Projection, { pointers: b }: Projection): boolean {
  return a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
}

function hasSameTexts(a: ProjectedSource, b: ProjectedSource): boolean {
  const { items } = a.projection.view;
  const others = b.projection.view.items;
  if (items.length !== others.length) return false;
  return items.every((item, position) => {
    const other = others[position];
    if (other === undefined || item.kind !== other.kind) return false;
    const [mine, theirs] = [itemText(item, a.source), itemText(other, b.source)];
    return mine === theirs || canonicalJson(mine) === canonicalJson(theirs);
  });
}
