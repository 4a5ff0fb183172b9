// What rules ask of a message first. One parse gives all answers; they are kept, so that rules parse again only what
// they are about to change.
import type { MessageFacts } from '../../model/message.ts';
import { partExactText } from '../../model/partText.ts';
import { arrayAt, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { callFault } from './callFault.ts';
import { type ImageRef, imagesIn } from './images.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Answers about one message. */
export interface Traits {
  /** Parts (positions in facts.parts) of kind text without anything but white space. */
  readonly blankTexts: readonly number[];
  /** The message has `details`. */
  readonly details: boolean;
  /** Another session wrote it: `provenance.kind` is `inter_session`. */
  readonly interSession: boolean;
  /** Some block has `thought_signature` or `thoughtSignature`. */
  readonly thoughtSignatures: boolean;
  /** The turn ended in an error, or was aborted. */
  readonly stop: 'error' | 'aborted' | null;
  /** Content is an empty list, an empty or blank string, null or missing, with nothing beside it. */
  readonly empty: boolean;
  readonly images: readonly ImageRef[];
  /** No call of it lacks a name, an id or arguments. */
  readonly wholeCalls: boolean;
}

/** Reads the traits of a parsed message. */
export function inspectMessage(message: Readonly<Record<string, unknown>>, facts: MessageFacts): Traits {
  const stop = stringAt(message, 'stopReason');
  const provenance = recordAt(message, 'provenance');
  const blankTexts: number[] = [];
  for (const [at, part] of facts.parts.entries()) {
    if (part.kind === 'text' && partExactText(message, part).trim() === '' && !hasSignature(message, part.path)) {
      blankTexts.push(at);
    }
  }
  const isEmpty = facts.parts.length === 0 || (facts.parts.length === blankTexts.length && !('tool_calls' in message));
  return {
    blankTexts,
    details: Object.hasOwn(message, 'details'),
    interSession: provenance !== undefined && stringAt(provenance, 'kind') === 'inter_session',
    thoughtSignatures: blocksOf(message).some((block) => hasThoughtSignature(block)),
    stop: stop === 'error' || stop === 'aborted' ? stop : null,
    empty: isEmpty,
    images: facts.parts.some((part) => part.kind === 'image' || part.kind === 'tool_result') ? imagesIn(message) : [],
    wholeCalls: facts.parts.every((part) => part.kind !== 'tool_call' || callFault(message, part) === null),
  };
}

/**
 * The traits of a message of results that holds nothing else they ask for, found out without reading it; null = it may. Most
 * of what a transcript holds is results, and most of them are only text.
 */
export function plainResults(text: string, { parts }: MessageFacts): Traits | null {
  const isResults = parts.length > 0 && parts.every(({ kind }) => kind === 'tool_result');
  return isResults && !MAY_HOLD_TRAIT.test(text) ? NO_TRAITS : null;
}

// A key may be escaped.
const MAY_HOLD_TRAIT =
  /"(?:details|provenance|stopReason|thought_signature|thoughtSignature|inlineData|inline_data|image|image_url|input_image)"|\\u/;

const NO_TRAITS: Traits = {
  blankTexts: [],
  details: false,
  interSession: false,
  thoughtSignatures: false,
  stop: null,
  empty: false,
  images: [],
  wholeCalls: true,
};

function hasSignature(message: Readonly<Record<string, unknown>>, path: readonly (string | number)[]): boolean {
  const [list, at] = path;
  if (typeof list !== 'string' || typeof at !== 'number') return false;
  const block = arrayAt(message, list)?.[at];
  return list === 'parts' && isRecord(block) && hasThoughtSignature(block);
}

function hasThoughtSignature(block: unknown): boolean {
  if (!isRecord(block)) return false;
  return Object.hasOwn(block, 'thought_signature') || Object.hasOwn(block, 'thoughtSignature');
}

/** True if some block of a message's content is a provider's summary (Anthropic's `compaction`): it goes back as it came. */
export function holdsCompaction({ text, value }: { readonly text: string; readonly value: Fields }): boolean {
  return text.includes('"compaction"') && blocksOf(value).some(isCompaction);
}

/** True for Anthropic's block of a compaction. */
export function isCompaction(block: unknown): boolean {
  return isRecord(block) && stringAt(block, 'type') === 'compaction';
}

/** The blocks of a message: the elements of its content or parts. */
export function blocksOf(message: Readonly<Record<string, unknown>>): readonly unknown[] {
  const content = ownAt(message, 'content');
  if (Array.isArray(content)) return content;
  return content === undefined ? (arrayAt(message, 'parts') ?? []) : [];
}
