import type { ParamSchema, StageContext } from '../../../view/types.ts';
import { grouped } from '../../../view/words.ts';
import { TOKENS_HELP, windowOf } from './options.ts';

/** The threshold of inspect_ai's compactions: a share of the window, or tokens. */
export const THRESHOLD: ParamSchema = {
  name: 'threshold',
  label: 'Compact above',
  type: 'number',
  default: 0.9,
  min: 0,
  softMax: 1,
  relax: { towards: 'more', step: 0.01, upTo: 1 },
  help: `A request larger than this is compacted: up to 1 a share of the context window, above it tokens. ${TOKENS_HELP}`,
};

/** The threshold in tokens and in words; null = it is a share of a window that is not known. */
export function inspectLimit(
  { threshold, window }: { readonly threshold: number; readonly window: number },
  context: Pick<StageContext, 'budget'>,
): { readonly tokens: number; readonly words: string } | null {
  if (threshold > 1) return { tokens: threshold, words: `${grouped(threshold)} (threshold)` };
  const known = windowOf(window, context);
  if (known === null) return null;
  const tokens = Math.floor(known * threshold);
  return { tokens, words: `${grouped(tokens)} (threshold ${threshold} of ${grouped(known)})` };
}
