// Whose rules a transcript's requests go by, as it was recorded: one choice for the lint and for the request that is written.
import type { Home, ProfileName } from '../stages/hygiene/index.ts';
import { detect } from '../stages/hygiene/index.ts';
import { TARGETS, WIRE_TARGETS, type WireTarget } from './types.ts';
import { vendorNamed } from './vendor.ts';

/** What is known of the recording; absent = not known. */
export interface RecordedBy {
  /** Registered format id: of one from a bundle that of the transcript it was made of. */
  readonly format?: string | undefined;
  /** The last model that answered. */
  readonly model?: string | undefined;
}

/** The profile of each target. */
const PROFILES: Readonly<Record<WireTarget, ProfileName>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  responses: 'openai-responses',
  gemini: 'google',
};

/**
 * By the format, where it is one of a provider; else by the family of the model. Of OpenAI's two APIs the shape of the answers
 * decides; where it shows neither, it is Responses. Null = neither says it.
 */
export function homeOf({ format, model }: RecordedBy, shape: ProfileName): Home | null {
  const own = WIRE_TARGETS.find((target) => format !== undefined && TARGETS[target].formats.includes(format));
  if (own !== undefined) return { profile: PROFILES[own], by: 'by the format of the transcript' };
  const profile = model === undefined ? null : familyOf(model, shape);
  return profile === null ? null : { profile, by: `by the model ${model}` };
}

function familyOf(model: string, shape: ProfileName): ProfileName | null {
  switch (vendorNamed(model)) {
    case 'anthropic':
      return 'anthropic';
    case 'google':
      return 'google';
    case 'openai':
      return shape === 'openai' ? 'openai' : 'openai-responses';
    default:
      return detect({ provider: '', modelApi: '', modelId: model }).mistral ? 'mistral' : null;
  }
}
