// System prompt and tools as the check of thinking blocks compares them.
import { arrayAt, isRecord, ownAt, stringAt } from '../../util/unknown.ts';
import { sameValue } from './places.ts';

/** A request, as far as it is looked at here. */
export type RequestFields = Readonly<Record<string, unknown>>;

/**
 * What of a request's own is another than it was: the system prompt, or the set of tools. The order of tools is not
 * looked at (no page says), marks of the cache are not, and a tool that is loaded later counts once it is referred to.
 */
export function envelopeChange(before: RequestFields, now: RequestFields): 'system' | 'tools' | null {
  if (!sameValue(systemOf(before), systemOf(now))) return 'system';
  return sameTools(toolsOf(before), toolsOf(now)) ? null : 'tools';
}

function systemOf(request: RequestFields): unknown {
  const system = ownAt(request, 'system');
  if (system === undefined || system === null || system === '') return [];
  return (Array.isArray(system) ? system : [system]).map((block: unknown) =>
    typeof block === 'string' ? { type: 'text', text: block } : unmarked(block),
  );
}

function toolsOf(request: RequestFields): readonly unknown[] {
  const referred = new Set<string>();
  noteReferences(ownAt(request, 'messages'), referred);
  const tools = arrayAt(request, 'tools') ?? [];
  return tools.filter((tool) => !isDeferred(tool) || referred.has(nameOf(tool))).map(unmarked);
}

function isDeferred(tool: unknown): boolean {
  return isRecord(tool) && ownAt(tool, 'defer_loading') === true;
}

function nameOf(tool: unknown): string {
  return (isRecord(tool) ? stringAt(tool, 'name') : undefined) ?? '';
}

function noteReferences(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const each of value) noteReferences(each, names);
    return;
  }
  if (!isRecord(value)) return;
  if (stringAt(value, 'type') === 'tool_reference') {
    const name = stringAt(value, 'tool_name') ?? stringAt(value, 'name');
    if (name !== undefined) names.add(name);
  }
  // A call's arguments refer to nothing.
  for (const [key, inner] of Object.entries(value)) if (key !== 'input') noteReferences(inner, names);
}

function unmarked(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { cache_control: _mark, ...rest } = block;
  return rest;
}

function sameTools(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  const left = [...b];
  return a.every((tool) => {
    const at = left.findIndex((other) => sameValue(tool, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
