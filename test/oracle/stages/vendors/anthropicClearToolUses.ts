import { ownAt } from '../../../../core/util/unknown.ts';
import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView } from '../../../../core/view/reader.ts';
import type { Fate, ParamSchema, Pausing, StageContext, View } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, savedTokens, untouched } from './support/conclude.ts';
import { viewTotal } from './support/counting.ts';
import { Edits, type Why } from './support/edits.ts';
import { overheadTokens, promptInWords, ROOM_HELP, tokensInWords, unwrapTyped } from './support/options.ts';
import { type ToolUse, toolUsesOf } from './support/toolUses.ts';

const NAME = { kind: 'anthropic_clear_tool_uses', title: 'Clear tool uses (Anthropic)' };

/** Stands for a cleared result. The API's own words are not documented. */
export const CLEARED = '[tool result cleared]';

const TRIGGER_TYPES = ['input_tokens', 'tool_uses'] as const;

const PARAMS = {
  triggerType: {
    name: 'trigger_type',
    label: 'Trigger counts',
    type: 'choice',
    default: 'input_tokens',
    choices: [
      { value: 'input_tokens', help: 'Tokens of the prompt.' },
      { value: 'tool_uses', help: 'Answered tool calls in the prompt.' },
    ],
    help: 'What the trigger counts.',
  },
  trigger: {
    name: 'trigger',
    label: 'Clear above',
    type: 'integer',
    default: 100_000,
    min: 0,
    softMax: 200_000,
    unitBy: { param: 'trigger_type', units: { input_tokens: 'tokens', tool_uses: 'tool uses' } },
    help: `Clearing begins once the prompt exceeds this. ${ROOM_HELP}`,
  },
  keep: {
    name: 'keep',
    label: 'Tool uses to keep',
    type: 'integer',
    default: 3,
    min: 0,
    softMax: 50,
    unit: 'tool uses',
    help: 'How many of the latest tool uses keep their results. Tools that are never cleared count too.',
  },
  clearAtLeast: {
    name: 'clear_at_least',
    label: 'Clear at least',
    type: 'integer',
    default: 0,
    min: 0,
    softMax: 50_000,
    unit: 'tokens',
    help: 'Nothing is cleared unless at least this much can be: clearing breaks the prompt cache. 0: any amount.',
  },
  excludeTools: {
    name: 'exclude_tools',
    label: 'Tools never cleared',
    type: 'list',
    offers: 'tools',
    default: [],
    help: 'Tools whose uses and results are never cleared.',
  },
  clearToolInputs: {
    name: 'clear_tool_inputs',
    label: 'Clear arguments too',
    type: 'boolean',
    default: false,
    help: 'Clear the arguments of the calls too, not their results alone.',
  },
  inputsOf: {
    name: 'clear_inputs_of',
    label: 'Only of these tools',
    type: 'list',
    offers: 'tools',
    default: [],
    empty: 'all tools',
    when: { param: 'clear_tool_inputs', is: [true] },
    help: 'Tools whose arguments are cleared, of the uses whose results are. Empty: all tools. In the API’s JSON clear_tool_inputs itself is the list.',
  },
} satisfies Record<string, ParamSchema>;

/** Parameters of anthropic_clear_tool_uses. */
export interface ClearToolUsesParams {
  readonly triggerType: (typeof TRIGGER_TYPES)[number];
  readonly trigger: number;
  readonly keep: number;
  readonly clearAtLeast: number;
  readonly excludeTools: ReadonlySet<string>;
  readonly clearToolInputs: boolean;
  /** Tools whose arguments are cleared, if any are; empty = all. */
  readonly inputsOf: ReadonlySet<string>;
}

/**
 * Anthropic's context edit `clear_tool_uses_20250919`. Source: platform.claude.com/docs/en/build-with-claude/context-editing,
 * "Configuration options for tool result clearing" (November 2026). Its own JSON is accepted as options. Not documented, and
 * chosen here: the placeholder's words; that the edit looks at each request by itself, as the client sends all history
 * each time; that a call without a result is no tool use yet; that excluded tools count towards `keep`, and that of a tool
 * that is excluded nothing is cleared, whatever `clear_tool_inputs` lists (the list: types of @anthropic-ai/sdk 1.11.0).
 */
export const anthropicClearToolUses: PlainStage<ClearToolUsesParams> = {
  ...NAME,
  aliases: ['clear_tool_uses_20250919'],
  family: 'vendors',
  keepsThinking: () => 'provider',
  help: 'Replaces the oldest tool results by a placeholder once the prompt exceeds a threshold, as Anthropic’s API does with clear_tool_uses_20250919.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse(options) {
    const flat = unwrapTyped(unwrapInputs(options), { trigger: 'trigger_type', keep: null, clear_at_least: null });
    return parseParams(Object.values(PARAMS), flat, (reader) => ({
      triggerType: reader.choice(PARAMS.triggerType, TRIGGER_TYPES),
      trigger: reader.count(PARAMS.trigger),
      keep: reader.count(PARAMS.keep),
      clearAtLeast: reader.count(PARAMS.clearAtLeast),
      excludeTools: new Set(reader.list(PARAMS.excludeTools)),
      clearToolInputs: reader.flag(PARAMS.clearToolInputs),
      inputsOf: new Set(reader.list(PARAMS.inputsOf)),
    }));
  },
  *run(view, params, context) {
    return conclude(NAME, view, context, yield* decide(view, params, context));
  },
};

// `clear_tool_inputs: ["read"]`, as the API takes it; an empty list clears none.
function unwrapInputs(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = ownAt(options, 'clear_tool_inputs');
  if (!Array.isArray(given)) return options;
  return { ...options, clear_tool_inputs: given.length > 0, clear_inputs_of: given };
}

function* decide(view: View, params: ClearToolUsesParams, context: StageContext): Pausing<Decision> {
  const reader = readView(view, context.source, context.memo);
  const uses = toolUsesOf(reader, context);
  const { trigger, triggerType } = params;
  const size = triggerType === 'tool_uses' ? uses.length : overheadTokens(context) + viewTotal(reader, context);
  if (size <= trigger) {
    return untouched(
      context,
      'below_trigger',
      `${sizeWords(size, params, context)}, not more than ${grouped(trigger)} (trigger)`,
    );
  }
  const why = triggerWords(size, params, context);
  const edits = new Edits(reader, context, { placeholder: CLEARED });
  const clearable = uses.slice(0, Math.max(0, uses.length - params.keep)).filter((use) => !isExcluded(use, params));
  const saved = clearable.reduce((sum, use) => sum + savedBy(use, edits, params), 0);
  if (saved < params.clearAtLeast) {
    const text = `${why}, but only ${tokensInWords(saved, context)} could be cleared: fewer than ${grouped(params.clearAtLeast)} (clear_at_least)`;
    return untouched(context, 'below_clear_at_least', text);
  }
  clear(clearable, edits, params, why);
  const edited = yield* edits.apply();
  return {
    ...edited,
    summary:
      clearable.length === 0
        ? `nothing to clear: ${why}`
        : `${countOf(clearable.length, 'tool use')} cleared · ${savedTokens(edited.reclaimedTokens)}`,
    explain: explainer(uses, params, context),
    meta: { cleared_tool_uses: clearable.length, cleared_input_tokens: edited.reclaimedTokens },
  };
}

/** True if the use's tool is never cleared. */
export function isExcluded({ name }: ToolUse, { excludeTools }: ClearToolUsesParams): boolean {
  return name !== null && excludeTools.has(name);
}

/** True if the arguments of a use that is cleared go too. */
export function clearsInput({ name }: ToolUse, { clearToolInputs, inputsOf }: ClearToolUsesParams): boolean {
  return clearToolInputs && (inputsOf.size === 0 || (name !== null && inputsOf.has(name)));
}

function savedBy(use: ToolUse, edits: Edits, params: ClearToolUsesParams): number {
  const results = use.results.reduce((sum, place) => sum + edits.savedByResult(place), 0);
  return results + (clearsInput(use, params) ? edits.savedByInput(use.call) : 0);
}

function sizeWords(size: number, { triggerType }: ClearToolUsesParams, context: StageContext): string {
  return triggerType === 'tool_uses' ? countOf(size, 'tool use') : promptInWords(size, context);
}

/** The trigger that was exceeded, with what exceeded it. */
export function triggerWords(size: number, params: ClearToolUsesParams, context: StageContext): string {
  return `${sizeWords(size, params, context)} > ${grouped(params.trigger)} (trigger)`;
}

/** Why a use is cleared; `trigger` = triggerWords. */
export function clearedWhy(trigger: string, keep: number): Why {
  return { rule: 'tool_use_cleared', reason: `${trigger}; older than the last ${countOf(keep, 'tool use')} (keep)` };
}

function clear(uses: readonly ToolUse[], edits: Edits, params: ClearToolUsesParams, why: string): void {
  const cleared = clearedWhy(why, params.keep);
  for (const use of uses) {
    for (const place of use.results) edits.clearResult(place, cleared);
    if (clearsInput(use, params)) edits.clearInput(use.call, cleared);
  }
}

// Messages of uses that stay: the latest, or of an excluded tool.
function explainer(uses: readonly ToolUse[], params: ClearToolUsesParams, context: StageContext) {
  const { stage } = context;
  const fates = new Map<number, Fate>();
  const latest = Math.max(0, uses.length - params.keep);
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const recent = kept('recent_tool_use', `kept: among the last ${countOf(params.keep, 'tool use')} (keep)`);
  const excluded = kept('excluded_tool', 'kept: its tool is never cleared (exclude_tools)');
  for (const [at, use] of uses.entries()) {
    const fate = at >= latest ? recent : isExcluded(use, params) ? excluded : null;
    if (fate === null) continue;
    for (const place of [use.call, ...use.results]) fates.set(place.message, fate);
  }
  const other = kept('not_concerned', 'kept: it holds no result that may be cleared');
  return (position: number): Fate => fates.get(position) ?? other;
}
