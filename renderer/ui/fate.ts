import type { Row } from '../../core/protocol/types.ts';
import type { FateKind } from '../../core/view/types.ts';

type ShownFate = Row['fate'];

/** The sign of a fate. Colour never stands without it. */
export const FATE_GLYPH: Readonly<Record<ShownFate, string>> = {
  kept: '·',
  redacted: '◐',
  rewritten: '✎',
  dropped: '✕',
  summarised: 'Σ',
  merged: '⋃',
  synthetic: '✦',
  future: ' ',
};

/** The word of a fate, for labels and tooltips. */
export const FATE_WORD: Readonly<Record<ShownFate, string>> = {
  kept: 'kept',
  redacted: 'cleared',
  rewritten: 'rewritten',
  dropped: 'dropped',
  summarised: 'summarised',
  merged: 'merged',
  synthetic: 'synthetic',
  future: 'not yet seen',
};

/** CSS colour of a fate. */
export function fateColor(fate: ShownFate): string {
  return fate === 'kept' || fate === 'future' ? 'var(--faint)' : `var(--fate-${fate})`;
}

/** Fates that changed something, in the order of the pane header. */
export const CHANGING_FATES: readonly Exclude<FateKind, 'kept'>[] = [
  'redacted',
  'dropped',
  'summarised',
  'rewritten',
  'merged',
];
