// How the requests of a spec ask the provider to treat thinking blocks that are bound to another conversation:
// `"preserved_thinking": "auto" | "error" | "drop_block" | "off"`, or an object with the model and the account's date beside.
import { isRecord, ownAt } from '../../util/unknown.ts';
import { describeValue } from '../../view/optionReader.ts';
import { checksPrefix, readsThinkingOf } from './models.ts';
import { PRESERVED_THINKING, type PreservedThinking, type PreservedThinkingMode } from './modes.ts';
import type { BindingInputs, OnMismatch } from './types.ts';

export type { PreservedThinking, PreservedThinkingMode } from './modes.ts';
export { PRESERVED_THINKING } from './modes.ts';

const KEYS = ['mode', 'model', 'account_created'];

type Report = (path: string, text: string) => void;

/** Reads `preserved_thinking` of a spec: one of the words, or an object. Null = it says nothing. */
export function readPreservedThinking(given: unknown, error: Report, warn: Report): PreservedThinking | null {
  if (given === undefined || given === null) return null;
  const at = 'preserved_thinking';
  const fields = isRecord(given) ? given : { mode: given };
  for (const key of Object.keys(fields)) {
    if (!KEYS.includes(key))
      warn(`${at}.${key}`, `${key} is not known and has no effect; known are ${KEYS.join(', ')}.`);
  }
  const mode = modeOf(ownAt(fields, 'mode') ?? 'auto');
  if (mode === null) {
    const known = PRESERVED_THINKING.map(({ value }) => value).join(', ');
    error(at, `preserved_thinking must be one of ${known}; given: ${describeValue(ownAt(fields, 'mode'))}.`);
  }
  const model = ownAt(fields, 'model') ?? undefined;
  if (model !== undefined && typeof model !== 'string')
    error(`${at}.model`, `model must be a string; given: ${describeValue(model)}.`);
  const created = ownAt(fields, 'account_created') ?? undefined;
  const isDay = typeof created === 'string' && !Number.isNaN(Date.parse(created));
  if (created !== undefined && !isDay)
    error(
      `${at}.account_created`,
      `account_created must be a day such as 2026-09-15; given: ${describeValue(created)}.`,
    );
  if (mode === null) return null;
  return {
    mode,
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(isDay && { account_created: created }),
  };
}

/** The choice of that name; null if there is none. */
export function modeOf(value: unknown): PreservedThinkingMode | null {
  return PRESERVED_THINKING.find((each) => each.value === value)?.value ?? null;
}

/** From this moment on accounts are held to the check whatever the request says. */
const ENFORCED_FROM = '2026-08-31T00:00:00Z';

/** What is known of a transcript's requests. */
export interface BindingFacts {
  /** The model of the next request; null = not known. */
  readonly model: string | null;
  /** Models that made its messages. */
  readonly makers: readonly string[];
  makerOf(index: number): string | null;
  /** `prefix_mismatch_behavior` of the recorded request; absent = it says nothing, or is not recorded. */
  readonly recorded?: 'error' | 'drop_block' | undefined;
}

/** What the check gets, by setting and transcript; null = there is nothing to check. */
export function bindingOf(setting: PreservedThinking | undefined, facts: BindingFacts): BindingInputs | null {
  const mode = setting?.mode ?? 'auto';
  if (mode === 'off') return null;
  const reader = setting?.model ?? facts.model;
  const checks = checksPrefix(reader);
  const makers = new Set(facts.makers);
  const unread = new Set(
    reader === null ? [] : [...makers].filter((maker) => readsThinkingOf(reader, maker) === false),
  );
  if (!checks && unread.size === 0) return null;
  const asked = mode === 'auto' ? facts.recorded : mode;
  const enforced = asked !== undefined ? true : enforcedOn(setting?.account_created);
  const onMismatch = asked ?? whereNotAsked(enforced);
  const key = JSON.stringify([reader, checks, onMismatch, enforced, [...unread]]);
  return { reader, checks, onMismatch, enforced, unread, makerOf: (index) => facts.makerOf(index), key };
}

// Accounts that are not held to it let failing blocks through.
function whereNotAsked(enforced: boolean | null): OnMismatch {
  return enforced === false ? 'allowed' : 'error';
}

/** Whether an account is held to the check though the request does not ask; null = its date is not known. */
export function enforcedOn(created: string | undefined): boolean | null {
  return created === undefined ? null : Date.parse(created) >= Date.parse(ENFORCED_FROM);
}

/** A spec whose requests go to a model; '' or nothing = as it is. What the spec itself says goes first. */
export function specForModel<T extends { readonly preserved_thinking?: PreservedThinking }>(
  spec: T,
  model: string | undefined,
): T {
  const setting = spec.preserved_thinking;
  if (model === undefined || model === '' || setting?.model !== undefined) return spec;
  return { ...spec, preserved_thinking: { mode: 'auto', ...setting, model } };
}

/** True if requests of a spec are checked as those that were made: nothing is set, and the model is the recorded one. */
export function isCheckedAsMade({ preserved_thinking }: { readonly preserved_thinking?: PreservedThinking }): boolean {
  return preserved_thinking === undefined || (preserved_thinking.mode === 'auto' && !preserved_thinking.model);
}

/**
 * How a request is written, not read: dropped blocks stay in `messages`, and are dropped again at each request. Null = the
 * client sends all of them. A repaired request that would be refused leaves out what fails.
 */
export function sentInputs(inputs: BindingInputs | null, isRepaired: boolean): BindingInputs | null {
  if (inputs === null || !isRepaired || inputs.onMismatch !== 'error') return null;
  return { ...inputs, onMismatch: 'drop_block', unread: new Set(), key: `sent ${inputs.key}` };
}

/** What a request asks for by itself; undefined = nothing, or what the recorded one asks. */
export function askedBehaviour(setting: PreservedThinking | undefined): 'error' | 'drop_block' | undefined {
  return setting?.mode === 'error' || setting?.mode === 'drop_block' ? setting.mode : undefined;
}
