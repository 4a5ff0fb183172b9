import type { MessageFacts } from '../../model/message.ts';
import { ownAt } from '../../util/unknown.ts';
import { amount } from '../../view/amount.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../view/incremental.ts';
import { parseParams } from '../../view/parseParams.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, Pausing, StageDefinition, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import type { Idle } from './support/conclude.ts';
import { viewTotal } from './support/counting.ts';
import type { LiveEdit } from './support/editor.ts';
import { GrowingUses } from './support/growingUses.ts';
import { EditSequence, LiveEdits, SharedWhy } from './support/liveEdits.ts';
import {
  EXCLUDED_TOOLS,
  formatPrompt,
  formatTokenCount,
  overheadTokens,
  ROOM_HELP,
  unwrapTyped,
} from './support/options.ts';
import type { ToolUse } from './support/toolUses.ts';

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
    relax: { towards: 'more' },
    help: `Clearing begins once the prompt exceeds this. ${ROOM_HELP}`,
  },
  keep: {
    name: 'keep',
    label: 'Tool uses to keep',
    ...amount('tool uses', 3, { to: 50 }),
    help: 'How many of the latest tool uses keep their results. Tools that are never cleared count too.',
  },
  clearAtLeast: {
    name: 'clear_at_least',
    label: 'Clear at least',
    ...amount('tokens', 0, { to: 50_000 }),
    help: 'Nothing is cleared unless at least this much can be: clearing breaks the prompt cache. 0: any amount.',
  },
  excludeTools: { ...EXCLUDED_TOOLS, help: 'Tools whose uses and results are never cleared.' },
  clearToolInputs: {
    name: 'clear_tool_inputs',
    label: 'Clear arguments too',
    type: 'boolean',
    default: false,
    relax: { values: [false] },
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
 * each time; that a call without a result is not a tool use yet; that excluded tools count towards `keep`, and that of a tool
 * that is excluded nothing is cleared, whatever `clear_tool_inputs` lists (the list: types of @anthropic-ai/sdk 1.11.0).
 */
export const anthropicClearToolUses: StageDefinition<ClearToolUsesParams> = {
  kind: 'anthropic_clear_tool_uses',
  title: 'Clear tool uses (Anthropic)',
  aliases: ['clear_tool_uses_20250919'],
  family: 'vendors',
  traits: {
    providerTakes: 'results',
    edit: { prefix: 'clear_tool_uses_', figure: 'cleared_tool_uses', key: 'toolUses', unit: 'tool use', of: '' },
  },
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
  incremental: (params, context) => new ClearToolUses(params, context),
};

// `clear_tool_inputs: ["read"]`, as the API takes it; an empty list clears none.
function unwrapInputs(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = ownAt(options, 'clear_tool_inputs');
  if (!Array.isArray(given)) return options;
  return { ...options, clear_tool_inputs: given.length > 0, clear_inputs_of: given };
}

/** The uses are one sequence, of which a first part is cleared. */
class ClearToolUses extends LiveEdits {
  readonly #params: ClearToolUsesParams;
  readonly #sequence = new EditSequence();
  /** Tokens saved by clearing the first uses: one entry more than there are closed uses. */
  #saved: number[] = [0];
  #uses = new GrowingUses();
  #open: readonly ToolUse[] = [];
  #tokens = 0;
  /** How many uses are older than those that stay, and how much clearing them would save. */
  #old = 0;
  #clearable = 0;
  readonly #cleared = new SharedWhy(() => {
    const reason = `${this.#overTrigger()}; older than the last ${countOf(this.#params.keep, 'tool use')} (keep)`;
    return { rule: 'tool_use_cleared', reason };
  });

  constructor(params: ClearToolUsesParams, given: IncrementalContext) {
    super(given, CLEARED);
    this.#params = params;
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#saved = [0];
    this.#uses = new GrowingUses();
    this.#tokens = 0;
  }

  protected override *pushAll(from: number): Pausing<void> {
    if (from > 0) return yield* super.pushAll(from);
    this.#uses.fill(this.reader, this.context);
    this.#tokens = viewTotal(this.reader, this.context);
  }

  protected push(position: number): void {
    this.#uses.push(position, this.reader.facts);
    this.#tokens += itemTokens(this.reader.item(position), this.context);
  }

  // Thinking that an earlier stage takes out changes what a call's message holds, not that it is answered.
  protected override edited(position: number, before: ViewItem): boolean {
    const item = this.reader.item(position);
    const facts = this.editor.facts(item);
    if (this.#params.clearToolInputs || facts.parts.some(({ kind }) => kind === 'tool_result')) return false;
    if (callsIn(facts) !== callsIn(this.editor.facts(before))) return false;
    this.#tokens += itemTokens(item, this.context) - itemTokens(before, this.context);
    return true;
  }

  protected settle(): Pausing<void> {
    this.#cleared.change();
    const { closed } = this.#uses;
    const known = this.#saved.length - 1;
    const add = (edit: LiveEdit) => this.add(edit);
    const take = (edit: LiveEdit) => this.take(edit);
    this.#sequence.truncate(known, take);
    for (let at = known; at < closed.length; at++) {
      this.#saved.push((this.#saved[at] ?? 0) + this.#push(closed[at]));
    }
    this.#open = this.#uses.open(this.reader.length, this.reader.facts);
    const saved = [this.#saved.at(-1) ?? 0];
    for (const use of this.#open) saved.push((saved.at(-1) ?? 0) + this.#push(use));
    this.#old = Math.max(0, this.#count() - this.#params.keep);
    const inOpen = this.#old - closed.length;
    this.#clearable = (inOpen <= 0 ? this.#saved[this.#old] : saved[inOpen]) ?? 0;
    this.#sequence.doFirst(this.idle() === null ? this.#old : 0, add, take);
    return this.show();
  }

  // Puts a use behind the others; gives the tokens that clearing it saves.
  #push(use: ToolUse | undefined): number {
    if (use === undefined || this.#isExcluded(use)) {
      this.#sequence.push(NO_EDITS);
      return 0;
    }
    const why = this.#cleared.get;
    const edits = use.results.map((place): LiveEdit => ({ place, op: 'result', why }));
    if (this.#clearsInput(use)) edits.push({ place: use.call, op: 'input', why });
    this.#sequence.push(edits);
    // Only where something is asked for: of each use it costs a look at its tokens.
    if (this.#params.clearAtLeast === 0) return 0;
    return edits.reduce((sum, { place, op }) => {
      const item = this.reader.item(place.message);
      const { part } = place;
      return sum + (op === 'result' ? this.editor.savedByResult(item, part) : this.editor.savedByInput(item, part));
    }, 0);
  }

  /** True if the use's tool is never cleared. */
  #isExcluded({ name }: ToolUse): boolean {
    return name !== null && this.#params.excludeTools.has(name);
  }

  /** True if the arguments of a use that is cleared go too. */
  #clearsInput({ name }: ToolUse): boolean {
    const { clearToolInputs, inputsOf } = this.#params;
    return clearToolInputs && (inputsOf.size === 0 || (name !== null && inputsOf.has(name)));
  }

  #count(): number {
    return this.#uses.closed.length + this.#open.length;
  }

  #size(): number {
    return this.#params.triggerType === 'tool_uses' ? this.#count() : overheadTokens(this.context) + this.#tokens;
  }

  protected override idle(): Idle | null {
    const { trigger, clearAtLeast } = this.#params;
    if (this.#size() <= trigger) {
      const reason = `${this.#sizeWords()}, not more than ${grouped(trigger)} (trigger)`;
      return { rule: 'below_trigger', reason };
    }
    if (this.#clearable >= clearAtLeast) return null;
    const could = formatTokenCount(this.#clearable, this.context);
    const reason = `${this.#overTrigger()}, but only ${could} could be cleared: fewer than ${grouped(clearAtLeast)} (clear_at_least)`;
    return { rule: 'below_clear_at_least', reason };
  }

  #sizeWords(): string {
    const size = this.#size();
    return this.#params.triggerType === 'tool_uses' ? countOf(size, 'tool use') : formatPrompt(size, this.context);
  }

  #overTrigger(): string {
    return `${this.#sizeWords()} > ${grouped(this.#params.trigger)} (trigger)`;
  }

  protected details(): ReportDetails {
    const { tokens, chars } = this.savedByAll();
    const cleared = this.#eachUse().filter((use, at) => at < this.#old && !this.#isExcluded(use)).length;
    return {
      summary: cleared === 0 ? `nothing to clear: ${this.#overTrigger()}` : `${countOf(cleared, 'tool use')} cleared`,
      reclaimedTokens: tokens,
      reclaimedChars: chars,
      meta: { cleared_tool_uses: cleared, cleared_input_tokens: tokens },
    };
  }

  #eachUse(): readonly ToolUse[] {
    return [...this.#uses.closed, ...this.#open];
  }

  // Messages of uses that stay: the latest, or of an excluded tool.
  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const last = countOf(this.#params.keep, 'tool use');
    const recent = keptBecause(stage, 'recent_tool_use', `kept: among the last ${last} (keep)`);
    const excluded = keptBecause(stage, 'excluded_tool', 'kept: its tool is never cleared (exclude_tools)');
    const other = keptBecause(stage, NOT_CONCERNED, 'kept: it holds no result that may be cleared');
    const fates = new Map<number, Fate>();
    for (const [at, use] of this.#eachUse().entries()) {
      const fate = at >= this.#old ? recent : this.#isExcluded(use) ? excluded : null;
      if (fate === null) continue;
      for (const place of [use.call, ...use.results]) fates.set(place.message, fate);
    }
    return (position) => fates.get(position) ?? other;
  }
}

const NO_EDITS: readonly LiveEdit[] = [];

// What it says of tools, to know whether a message still calls and answers what it did.
function callsIn({ role, parts }: MessageFacts): string {
  const tools = parts.filter(({ kind }) => kind === 'tool_call' || kind === 'tool_result');
  return tools.length === 0
    ? role
    : JSON.stringify([role, ...tools.map(({ kind, callId, name }) => [kind, callId, name])]);
}
