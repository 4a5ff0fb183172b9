// Whose model answered: signatures and encrypted reasoning are read by their own provider only.
import { isRecord, stringAt } from '../util/unknown.ts';
import type { WireTarget } from './types.ts';

/** Who makes the model; `other` = known, and none of these three. */
export type Vendor = 'anthropic' | 'openai' | 'google' | 'other';

const NAMES: readonly (readonly [Vendor, RegExp])[] = [
  ['anthropic', /claude|anthropic/i],
  ['google', /gemini|google|vertex/i],
  ['openai', /gpt-|^gpt|openai|codex|chatgpt|^o\d(-|$)/i],
];

/** The vendor that a model's, an API's or a provider's name shows; null if it shows none that is known. */
export function vendorNamed(name: string): Vendor | null {
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/**
 * The vendor of a message: by the model, API or provider beside it, else by the models of the transcript if they are all
 * of one; null if nothing shows it.
 */
export function vendorOf(message: unknown, models: readonly string[]): Vendor | null {
  for (const key of ['model', 'api', 'provider']) {
    const name = isRecord(message) ? stringAt(message, key) : undefined;
    if (name !== undefined && name !== '') return vendorNamed(name) ?? 'other';
  }
  const vendors = new Set(models.map((model) => vendorNamed(model) ?? 'other'));
  const [only] = vendors;
  return vendors.size === 1 && only !== undefined ? only : null;
}

/** The vendor that a target belongs to. */
export const VENDOR_OF: Readonly<Record<WireTarget, Vendor>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  responses: 'openai',
  gemini: 'google',
};
