// Tools that are deferred, added and removed at Anthropic. Sources: platform.claude.com, build-with-claude/tool-search-tool,
// /mid-conversation-system-messages (read in September 2026); codes of the refusals: types of @anthropic-ai/sdk 1.11.0.

import { isDeferred, type ToolReference, toolName, toolReferences } from '../../model/toolLoading.ts';
import { countOf, grouped } from '../../util/counts.ts';
import { isRecord, ownAt, stringAt } from '../../util/unknown.ts';
import { blocksOf, typeOf } from './reading.ts';
import type { ProviderRequest, RequestFinding, RequestRule } from './types.ts';

/** Tools that may be deferred, and defined in messages; all definitions together, in bytes. */
const MOST_DEFERRED = 10_000;
const MOST_DEFINED = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

function toolsOf({ settings }: ProviderRequest): readonly unknown[] {
  const tools = ownAt(settings, 'tools');
  return Array.isArray(tools) ? tools : [];
}

interface PlacedReference extends ToolReference {
  readonly message: number;
}

function referencesOf({ messages }: ProviderRequest): readonly PlacedReference[] {
  return messages.flatMap((each, message) => toolReferences(each).map((found) => ({ ...found, message })));
}

function* allDeferred(request: ProviderRequest): Generator<RequestFinding> {
  const tools = toolsOf(request);
  if (tools.length === 0 || !tools.every(isDeferred)) return;
  const text = 'every tool is deferred: at least one must be in the prompt from the start';
  yield { rule: 'tools_all_deferred', severity: 'error', text };
}

function* references(request: ProviderRequest): Generator<RequestFinding> {
  const known = new Set(toolsOf(request).map(toolName));
  // Where no tools are recorded at all, these are not the only ones that the request lacks.
  const isRecorded = ownAt(request.settings, 'tools') !== undefined;
  for (const { name, definition, message, block } of referencesOf(request)) {
    if (definition === null && !known.has(name)) {
      yield {
        rule: 'tool_reference_unresolved',
        severity: isRecorded ? 'error' : 'info',
        message,
        block,
        errorCode: 'tool_reference_unresolved',
        text: `a reference to the tool "${name}", which is not given${isRecorded ? '' : ': no definitions are recorded'}`,
      };
    } else if (definition !== null && known.has(name)) {
      yield {
        rule: 'tool_name_conflict',
        severity: 'error',
        message,
        block,
        errorCode: 'tool_name_conflict',
        text: `a second definition of the tool "${name}"`,
      };
    }
    known.add(name);
  }
}

function* limits(request: ProviderRequest): Generator<RequestFinding> {
  const tools = toolsOf(request);
  const deferred = tools.filter(isDeferred).length;
  const defined = referencesOf(request).filter(({ definition }) => definition !== null);
  const bytes = [...tools, ...defined.map(({ definition }) => definition)].reduce<number>(
    (sum, tool) => sum + JSON.stringify(tool).length,
    0,
  );
  const isOver = deferred > MOST_DEFERRED || defined.length > MOST_DEFINED || bytes > MOST_BYTES;
  if (!isOver) return;
  const text = `${countOf(deferred, 'deferred tool')}, ${grouped(defined.length)} defined in messages, ${countOf(bytes, 'byte')}: at most ${grouped(MOST_DEFERRED)}, ${grouped(MOST_DEFINED)} and 4 MB`;
  yield {
    rule: 'available_tools_limit_exceeded',
    severity: 'error',
    errorCode: 'available_tools_limit_exceeded',
    text,
  };
}

// Not refused, but a call of a tool that nothing visible gives: a policy took the message out that loaded it.
function* notLoaded(request: ProviderRequest): Generator<RequestFinding> {
  const missing = new Set(toolsOf(request).filter(isDeferred).map(toolName));
  if (missing.size === 0 && !referencesOf(request).some(({ how }) => how === 'removal')) return;
  for (const [message, each] of request.messages.entries()) {
    for (const [block, value] of blocksOf(each).entries()) {
      const name = isRecord(value) && typeOf(value) === 'tool_use' ? (stringAt(value, 'name') ?? '') : '';
      if (!missing.has(name)) continue;
      const text = `a call of the tool "${name}", which no message before it loads: the model is not shown its definition`;
      yield { rule: 'tool_not_loaded', severity: 'info', message, block, text };
    }
    for (const { name, how } of toolReferences(each)) {
      if (how === 'removal') missing.add(name);
      else missing.delete(name);
    }
  }
}

/** The rules of tools that come and go. */
export const TOOL_RULES: readonly RequestRule[] = [allDeferred, references, limits, notLoaded];
