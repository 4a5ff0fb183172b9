// What of a message a cap on its tier can take away without a model's help: images, thinking, the arguments of calls. And
// what must stay, with the reason: a provider refuses a turn whose signed reasoning was touched.
import type { MessageFacts, Part } from '../../model/message.ts';
import { valueAt } from '../../model/partText.ts';
import type { Tier } from '../../tokens/budget.ts';
import { evictedImageLabel } from '../../view/evictedImage.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { madeOnce } from '../../view/madeOnce.ts';
import { itemText } from '../../view/reader.ts';
import { itemPartTokens } from '../../view/tokens.ts';
import type { ViewItem } from '../../view/types.ts';

/** Tiers whose parts can go one by one. Results have retention, whole turns the window; the others need a person. */
export const EVICTED_TIERS = ['image', 'thinking', 'tool_call'] as const satisfies readonly Tier[];

/** A tier whose parts can go one by one. */
export type EvictedTier = (typeof EVICTED_TIERS)[number];

/** The options of the stage. */
export interface TierCapsParams {
  /** So many of the newest of each tier stay. */
  readonly keep: number;
  /** Tools whose calls keep their arguments. */
  readonly neverEvict: ReadonlySet<string>;
  readonly signedThinking: boolean;
  /** So many go at a time. */
  readonly every: number;
}

/** Why parts stay whatever the cap. */
export type Lock = 'signed' | 'beside_signed' | 'never_evict' | 'asked_back' | 'small';

/** Parts that go together: an image, a call's arguments, all thinking of a message. Positions in the facts' parts. */
export interface Unit {
  readonly tier: EvictedTier;
  readonly parts: readonly number[];
  readonly tokens: number;
  /** Tokens that leave the tier with it: an image's line of text is none of the images. */
  readonly frees: number;
  /** Tokens that the request is shorter by: without what is in its place. */
  readonly saves: number;
  readonly lock: Lock | null;
  /** Signed_thinking lets it go once its turn is not the last. */
  readonly maySigned?: boolean;
}

/** A message's tokens of one tier, and the units they are in. */
export interface TierParts {
  readonly tokens: number;
  readonly units: readonly Unit[];
}

const NOTHING: TierParts = { tokens: 0, units: [] };

type Context = Pick<IncrementalContext, 'source' | 'tokens' | 'memo'>;

/** Reads one tier of a view's message. `isOpen`: it is in the last turn, where providers want reasoning back. */
export function tierParts(
  tier: EvictedTier,
  item: ViewItem,
  facts: MessageFacts,
  isOpen: boolean,
  params: TierCapsParams,
  context: Context,
): TierParts {
  if (!facts.parts.some(({ category }) => category === tier)) return NOTHING;
  const counts = itemPartTokens(item, context);
  const held = facts.parts.reduce((sum, part, at) => sum + (part.category === tier ? (counts[at] ?? 0) : 0), 0);
  if (item.kind !== 'source') return { tokens: held, units: [] };
  const units = tier === 'thinking' ? thinkingUnits(facts, counts, isOpen, params) : [];
  for (const [at, part] of facts.parts.entries()) {
    const tokens = counts[at] ?? 0;
    if (tier === 'image' && part.kind === 'image') units.push(imageUnit(item, facts, at, tokens, context));
    if (tier === 'tool_call' && part.kind === 'tool_call')
      units.push(callUnit(facts, part, at, tokens, params, context));
  }
  return { tokens: held, units };
}

function imageUnit(item: ViewItem, facts: MessageFacts, at: number, tokens: number, context: Context): Unit {
  const saves = tokens - context.tokens.text(imageLabels(item, facts, context)[at] ?? '');
  const lock: Lock | null = facts.signed ? 'signed' : saves > 0 ? null : 'small';
  return { tier: 'image', parts: [at], tokens, frees: tokens, saves, lock };
}

function callUnit(
  facts: MessageFacts,
  part: Part,
  at: number,
  tokens: number,
  { neverEvict }: TierCapsParams,
  context: Context,
): Unit {
  const name = part.name ?? '';
  const saves = tokens - context.tokens.text(name) - context.tokens.text('{}');
  const lock: Lock | null = facts.signed
    ? 'signed'
    : neverEvict.has(name)
      ? 'never_evict'
      : saves > 0 && part.chars > 2
        ? null
        : 'small';
  return { tier: 'tool_call', parts: [at], tokens, frees: saves, saves, lock };
}

// All thinking of a message or none: what is left of a sequence of blocks would not be what the model wrote.
function thinkingUnits(
  facts: MessageFacts,
  counts: readonly number[],
  isOpen: boolean,
  { signedThinking }: TierCapsParams,
): Unit[] {
  const parts = facts.parts.flatMap(({ category }, at) => (category === 'thinking' ? [at] : []));
  const tokens = parts.reduce((sum, at) => sum + (counts[at] ?? 0), 0);
  if (tokens === 0 || !parts.every((at) => isRemovable(facts.parts[at]))) return [];
  const maySigned = !facts.parts.some(({ kind, signed }) => kind === 'tool_call' && signed);
  const mayTakeAll = signedThinking && !isOpen && maySigned;
  const isSigned = parts.some((at) => facts.parts[at]?.signed === true);
  const locked: Lock | null = facts.signed ? (isSigned ? 'signed' : 'beside_signed') : null;
  const lock: Lock | null = mayTakeAll ? null : (locked ?? (isAskedBack(facts) ? 'asked_back' : null));
  return [{ tier: 'thinking', parts, tokens, frees: tokens, saves: tokens, lock, maySigned }];
}

// An element of a list, or a field beside the content.
function isRemovable(part: Part | undefined): boolean {
  if (part === undefined) return false;
  const [key, place] = part.path;
  const isElement = (key === 'content' || key === 'parts') && typeof place === 'number' && part.path.length === 2;
  return isElement || (part.path.length === 1 && (key === 'reasoning_content' || key === 'reasoning'));
}

// DeepSeek refuses a request in which an answer that calls tools lacks its reasoning_content, in whichever turn
// (api-docs.deepseek.com/guides/thinking_mode, "Tool calls").
function isAskedBack({ parts }: MessageFacts): boolean {
  return parts.some(({ path }) => path[0] === 'reasoning_content') && parts.some(({ kind }) => kind === 'tool_call');
}

/** What is in place of each image of a message, by part. Made once: it depends on the message alone. */
export function imageLabels(
  item: ViewItem,
  facts: MessageFacts,
  { source, memo }: Pick<Context, 'source' | 'memo'>,
): readonly (string | undefined)[] {
  return madeOnce('reducers.imageLabels', item, '', memo, () => {
    const message: unknown = JSON.parse(itemText(item, source));
    return facts.parts.map((part) =>
      part.kind === 'image' ? evictedImageLabel(valueAt(message, part.path)) : undefined,
    );
  });
}
