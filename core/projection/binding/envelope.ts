// System prompt and tools as the check of thinking blocks compares them.
import { toolChange } from '../../model/toolChange.ts';
import { arrayAt, isRecord, ownAt, sameValue, stringAt } from '../../util/unknown.ts';

/** A request, as far as it is looked at here. */
export type RequestFields = Readonly<Record<string, unknown>>;

/**
 * What of a request's own is another than it was: the system prompt, or the set of tools. Another order
 * of the tools is not said to fail (no page says; whoever reads a log of requests says that it may), marks of the cache do
 * not count, and a tool that is loaded later counts once it is referred to.
 */
export function envelopeChange(before: RequestFields, now: RequestFields): 'system' | 'tools' | null {
  if (!sameValue(systemOf(before), systemOf(now))) return 'system';
  return toolChange(toolsOf(before), toolsOf(now)) === 'changed' ? 'tools' : null;
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
  return tools.filter((tool) => !isDeferred(tool) || referred.has(nameOf(tool)));
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
