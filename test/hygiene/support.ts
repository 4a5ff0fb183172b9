import { memorySource } from '../../core/model/memorySource.ts';
import { DEFAULT_OPTIONS, type Draft, openDrafts, type RuleContext } from '../../core/stages/hygiene/index.ts';
import { sha256Hex } from '../../core/util/hash.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import type { ResizeAnswer } from '../../core/view/types.ts';

/** Messages as the rules see them. */
export function draftsOf(messages: readonly unknown[]): readonly Draft[] {
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  const memo = createMemo();
  return openDrafts(rawView(source, source.length, memo), source, memo);
}

/** A context with these options, else the defaults. */
export function contextWith(
  options: Partial<RuleContext['options']> = {},
  resized: ReadonlyMap<string, ResizeAnswer> = new Map(),
): RuleContext {
  return { options: { ...DEFAULT_OPTIONS, ...options }, sha256: sha256Hex, resized };
}
