import { recordedFormat, type TranscriptMeta } from '../model/transcript.ts';
import { TARGETS, WIRE_TARGETS, type WireTarget } from '../wire/types.ts';
import { vendorNamed } from '../wire/vendor.ts';

/** Where a transcript's requests go: to the wire it was recorded on, else to the vendor of its last model, else to Anthropic. */
export function defaultTarget(meta: Pick<TranscriptMeta, 'format' | 'bundle' | 'models'>): WireTarget {
  const format = recordedFormat(meta);
  const own = WIRE_TARGETS.find((target) => TARGETS[target].formats.includes(format));
  if (own !== undefined) return own;
  const model = meta.models?.at(-1);
  switch (model === undefined ? null : vendorNamed(model)) {
    case 'openai':
      return 'responses';
    case 'google':
      return 'gemini';
    default:
      return 'anthropic';
  }
}
