// The compaction block of Anthropic's API, by where it comes from: made on request it is signed, made at a threshold not.
import { ownAt, stringAt } from '../../util/unknown.ts';

type Block = Readonly<Record<string, unknown>>;

/** The members that a compaction block may have (types of @anthropic-ai/sdk, BetaCompactionBlockParam). */
export const COMPACTION_KEYS: ReadonlySet<string> = new Set([
  'type',
  'content',
  'encrypted_content',
  'signature',
  'tool_changes',
  'cache_control',
]);

/** True for a block of `compaction: {type: "summarize"}`: it is signed. */
export function isOnDemand(block: Block): boolean {
  return stringAt(block, 'signature') !== undefined;
}

/** True for a block of a compaction that failed: it stands for nothing. */
export function isFailed(block: Block): boolean {
  return (ownAt(block, 'content') ?? null) === null;
}
