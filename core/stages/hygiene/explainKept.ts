// Why a message stays that no rule touched. Most have one sentence in common; those that a limit was held against say
// with which value.
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { Fate } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import type { Draft } from './draft.ts';
import type { ImageRef } from './images.ts';
import type { Profile } from './profiles.ts';

/** Explains a message as it was before the repairs; null = one without images. `how` = how the profile was found. */
export interface KeptSentences {
  /** True if the sentence depends on the message: otherwise all get the same one. */
  readonly looksAtImages: boolean;
  explain(draft: Draft | null): Fate;
}

/** The sentences of a profile. */
export function keptSentences({ rules, options }: Profile, how: string, stage: number): KeptSentences {
  const hasLimit = options.historyLimit > 0 && rules.includes('history_limit');
  const limit = `within the limit of ${countOf(options.historyLimit, 'user turn')} (history_limit), and `;
  const none = `no rule objects to it (${how})`;
  const plain = hasLimit
    ? keptBecause(stage, 'history_limit', `kept: ${limit}${none}`)
    : keptBecause(stage, NOT_CONCERNED, `kept: ${none}`);
  const most = `within ${grouped(options.imageMaxSide)} px (image_max_side) and ${grouped(options.imageMaxBytes)} bytes (image_max_bytes)`;
  return {
    looksAtImages: rules.includes('images'),
    explain(draft) {
      // Only messages with an image in them are looked into.
      if (draft === null || !mayHoldImage(draft)) return plain;
      const { images } = draft.traits;
      const [image] = images;
      if (image === undefined) return plain;
      const size = images.length === 1 ? `its image has ${sizeOf(image)}` : `its ${images.length} images are`;
      const reason = `kept: ${hasLimit ? limit : ''}${none}; ${size}${images.length === 1 ? ',' : ''} ${most}`;
      return keptBecause(stage, 'images', reason);
    },
  };
}

function mayHoldImage({ facts }: Draft): boolean {
  return facts.parts.some(({ kind }) => kind === 'image');
}

function sizeOf({ width, height, bytes }: ImageRef): string {
  const sides = width === null || height === null ? '' : `${grouped(width)} × ${grouped(height)} px and `;
  return `${sides}${countOf(bytes, 'byte')}`;
}
