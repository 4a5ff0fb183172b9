// What became of the tools from one request to the next. Pages of Anthropic's call them a set where thinking is checked, and
// count another order as a change where the cache is diagnosed: a new order is kept separate. Source: platform.claude.com,
// Preserved thinking and cache-diagnostics (September 2026).
import { canonicalJson } from '../util/json/index.ts';
import { isRecord } from '../util/unknown.ts';

/** `reordered` = the same definitions in another order; marks of the cache and the order of keys are not part of them. */
export type ToolChange = 'none' | 'reordered' | 'changed';

/** Compares two lists of definitions. */
export function toolChange(before: readonly unknown[], now: readonly unknown[]): ToolChange {
  const [a, b] = [before.map(definitionOf), now.map(definitionOf)];
  if (a.length !== b.length) return 'changed';
  if (a.every((text, at) => text === b[at])) return 'none';
  const [left, right] = [a.toSorted(), b.toSorted()];
  return left.every((text, at) => text === right[at]) ? 'reordered' : 'changed';
}

function definitionOf(tool: unknown): string {
  if (!isRecord(tool)) return JSON.stringify(tool);
  const { cache_control: _mark, ...definition } = tool;
  return canonicalJson(JSON.stringify(definition));
}
