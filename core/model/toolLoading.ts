// Tools that are not in the prompt from the start: a definition with `defer_loading` costs nothing until something in the
// conversation refers to it, and from there on it is at the place of the reference. Sources: platform.claude.com,
// build-with-claude/tool-search-tool and /mid-conversation-system-messages (read in September 2026).
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../util/unknown.ts';

/** A reference to a tool: its name, and the block of the message's content that it is in. */
export interface ToolReference {
  readonly name: string;
  readonly block: number;
  /** `addition`: a system message gives the tool; `removal`: it takes it away; `reference`: a result names it. */
  readonly how: 'reference' | 'addition' | 'removal';
  /** The definition that an addition brings with it; null = it refers to one of `tools`. */
  readonly definition: Readonly<Record<string, unknown>> | null;
}

/** The references in a message's content, in order. Toolsets of an MCP server, which name no tool, are passed over. */
export function toolReferences(message: unknown): readonly ToolReference[] {
  const content = isRecord(message) ? (arrayAt(message, 'content') ?? []) : [];
  return content.flatMap((value, block) => (isRecord(value) ? referencesOf(value, block) : []));
}

/** What names a tool of the request; the tools of an MCP server are not in its list. */
const NAMED: ReadonlySet<string> = new Set(['tool_reference', 'tool_definition']);

function referencesOf(value: Fields, block: number): readonly ToolReference[] {
  const type = stringAt(value, 'type');
  if (type === 'tool_result') return namedIn(arrayAt(value, 'content') ?? [], block);
  if (type === 'tool_search_tool_result') {
    const found = recordAt(value, 'content');
    return namedIn((found && arrayAt(found, 'tool_references')) ?? [], block);
  }
  if (type !== 'tool_addition' && type !== 'tool_removal') return [];
  const tool = recordAt(value, 'tool') ?? {};
  if (!NAMED.has(stringAt(tool, 'type') ?? '')) return [];
  const definition = recordAt(tool, 'definition') ?? null;
  const name = nameOf(definition ?? tool);
  const how = type === 'tool_addition' ? 'addition' : 'removal';
  return name === undefined ? [] : [{ name, block, how, definition }];
}

function namedIn(list: readonly unknown[], block: number): readonly ToolReference[] {
  return list.flatMap((inner): ToolReference[] => {
    if (!isRecord(inner) || stringAt(inner, 'type') !== 'tool_reference') return [];
    const name = nameOf(inner);
    return name === undefined ? [] : [{ name, block, how: 'reference', definition: null }];
  });
}

function nameOf(tool: Fields): string | undefined {
  return stringAt(tool, 'tool_name') ?? stringAt(tool, 'name');
}

/** A tool definition's name; '' if it has none: one that the provider runs goes by its type. */
export function toolName(tool: unknown): string {
  return isRecord(tool) ? (stringAt(tool, 'name') ?? stringAt(tool, 'type') ?? '') : '';
}

/** Whether a definition stays out of the prompt until something refers to it. */
export function isDeferred(tool: unknown): boolean {
  return isRecord(tool) && ownAt(tool, 'defer_loading') === true;
}

/** A tool that came into the prompt on the way: its name, and the message that brought it. */
export interface LoadedTool {
  readonly name: string;
  readonly message: number;
}

/**
 * The tools that a request holds: those that are not deferred, and those that messages load, each at the first that does.
 * A tool that is removed again still stands where it was added (not documented: it is text of the prompt).
 */
export function toolsInPrompt(
  tools: readonly unknown[],
  messages: readonly unknown[],
): { readonly fixed: readonly string[]; readonly loaded: readonly LoadedTool[] } {
  const deferred = new Set(tools.filter(isDeferred).map(toolName));
  const loaded = new Map<string, LoadedTool>();
  for (const [message, each] of messages.entries()) {
    for (const { name, how, definition } of toolReferences(each)) {
      const isNew = how !== 'removal' && !loaded.has(name) && (definition !== null || deferred.has(name));
      if (isNew) loaded.set(name, { name, message });
    }
  }
  return { fixed: tools.filter((tool) => !isDeferred(tool)).map(toolName), loaded: [...loaded.values()] };
}
