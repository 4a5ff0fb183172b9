// Why a message stays that no rule touched. Most have one sentence in common; those that a limit was held against say
// with which value.

import type { Draft } from '../../../../core/stages/hygiene/draft.ts';
import type { ImageRef } from '../../../../core/stages/hygiene/images.ts';
import type { Profile } from '../../../../core/stages/hygiene/profiles.ts';
import { keptBecause, NOT_CONCERNED } from '../../../../core/view/fates.ts';
import type { Fate } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';

/** Explains by position in the view before the repairs. `how` = how the profile was found. */
export function explainKept(
  before: readonly Draft[],
  { rules, options }: Profile,
  how: string,
  stage: number,
): (position: number) => Fate {
  const hasLimit = options.historyLimit > 0 && rules.includes('history_limit');
  const limit = `among the last ${countOf(options.historyLimit, 'user turn')} (history_limit), and `;
  const none = `no rule of ${how} objects to it`;
  const plain = hasLimit
    ? keptBecause(stage, 'history_limit', `kept: ${limit}${none}`)
    : keptBecause(stage, NOT_CONCERNED, `kept: ${none}`);
  if (!rules.includes('images')) return () => plain;
  const most = `within ${grouped(options.imageMaxSide)} px (image_max_side) and ${grouped(options.imageMaxBytes)} bytes (image_max_bytes)`;
  return (position) => {
    const draft = before[position];
    // Only messages with an image in them are looked into.
    if (draft === undefined || !mayHoldImage(draft)) return plain;
    const [image] = draft.traits.images;
    if (image === undefined) return plain;
    const reason = `kept: ${hasLimit ? limit : ''}${none}; its image has ${sizeOf(image)}, ${most}`;
    return keptBecause(stage, 'images', reason);
  };
}

function mayHoldImage({ facts }: Draft): boolean {
  return facts.parts.some(({ kind }) => kind === 'image');
}

function sizeOf({ width, height, bytes }: ImageRef): string {
  const sides = width === null || height === null ? '' : `${grouped(width)} × ${grouped(height)} px and `;
  return `${sides}${countOf(bytes, 'byte')}`;
}
