// browser-safe
// What the Claude API did to the thinking in a request before its model read it, as the answer reports in
// `input_transformations`. Source: platform.claude.com, Preserved thinking; types of @anthropic-ai/sdk 1.11.0 (September 2026).
import { arrayAt, isRecord, stringAt } from '../util/unknown.ts';

/** One block that was dropped, or let through although it does not belong to the conversation. */
export interface InputTransformation {
  /** The provider's word: `thinking_dropped`, `thinking_mismatch_allowed`. */
  readonly type: string;
  /** Where the block was in the request that was sent: `messages.3.content.0`. Empty = not given. */
  readonly path: string;
  /** The provider's word: `prefix_binding_mismatch`. Empty = not given. */
  readonly reason: string;
}

/** Reads `input_transformations` of an answer; empty = nothing was done, undefined = the answer does not say. */
export function inputTransformations(answer: unknown): readonly InputTransformation[] | undefined {
  const list = isRecord(answer) ? arrayAt(answer, 'input_transformations') : undefined;
  return list?.filter(isRecord).map((each) => ({
    type: stringAt(each, 'type') ?? '',
    path: stringAt(each, 'path') ?? '',
    reason: stringAt(each, 'reason') ?? '',
  }));
}

/** True for a block that the model did not read. */
export function isDropped({ type }: InputTransformation): boolean {
  return type === 'thinking_dropped';
}

/** True for a block that does not belong to the conversation and was read all the same. */
export function isLetThrough({ type }: InputTransformation): boolean {
  return type === 'thinking_mismatch_allowed';
}

const TYPES: Readonly<Record<string, string>> = {
  thinking_dropped: 'thinking dropped',
  thinking_mismatch_allowed: 'thinking let through',
};

const REASONS: Readonly<Record<string, string>> = {
  organization_binding_mismatch: 'made for another organization',
  end_user_binding_mismatch: 'made for another end user',
  model_binding_mismatch: 'made by a model that this one does not read',
  prefix_binding_mismatch: 'made in another conversation',
};

/** Why, in words; a word that is not known here stays as it is. */
export function describeReason(reason: string): string {
  return (Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined) ?? reason;
}

/** `thinking dropped at messages.3.content.0: made in another conversation`. */
export function describeTransformation({ type, path, reason }: InputTransformation): string {
  const what = (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? type;
  const why = reason === '' ? '' : `: ${describeReason(reason)}`;
  return `${what}${path === '' ? '' : ` at ${path}`}${why}`;
}
