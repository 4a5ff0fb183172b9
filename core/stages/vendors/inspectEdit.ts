import { IS_ASSISTANT, outlineOf } from '../../view/outline.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition, View } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { conclude, type Decision, noWindow, savedTokens } from './support/conclude.ts';
import { partTokens, prefixTokens } from './support/counting.ts';
import { Edits } from './support/edits.ts';
import { inspectLimit, THRESHOLD } from './support/inspectLimit.ts';
import { tokensInWords, WINDOW } from './support/options.ts';
import { type ToolUse, toolUsesOf } from './support/toolUses.ts';

const NAME = { kind: 'inspect_edit', title: 'Compaction by editing (inspect_ai)' };
const KEEP_THINKING = ['turns', 'all'] as const;

/** What inspect_ai puts in the place of a result. */
export const REMOVED = '(Tool result removed)';

const PARAMS = {
  threshold: THRESHOLD,
  keepThinking: {
    name: 'keep_thinking',
    type: 'choice',
    default: 'turns',
    choices: [
      { value: 'turns', help: 'The last turns keep their reasoning.' },
      { value: 'all', help: 'All reasoning stays.' },
    ],
    help: 'Which reasoning stays.',
  },
  keepThinkingTurns: {
    name: 'keep_thinking_turns',
    type: 'integer',
    default: 1,
    min: 0,
    softMax: 20,
    unit: 'turns',
    when: { param: 'keep_thinking', is: ['turns'] },
    help: 'How many of the latest messages of the assistant keep their reasoning: inspect_ai counts each as a turn.',
  },
  keepToolUses: {
    name: 'keep_tool_uses',
    type: 'integer',
    default: 3,
    min: 0,
    softMax: 50,
    unit: 'tool uses',
    help: 'How many of the latest tool uses stay. Those of excluded tools do not count.',
  },
  keepToolInputs: {
    name: 'keep_tool_inputs',
    type: 'boolean',
    default: true,
    help: 'Keep the calls and clear their results alone. Off: both go, and a line of text says so.',
  },
  excludeTools: {
    name: 'exclude_tools',
    type: 'list',
    default: [],
    help: 'Tools whose uses are never cleared.',
  },
  window: WINDOW,
} satisfies Record<string, ParamSchema>;

/** Parameters of inspect_edit; keepThinkingTurns null = all. `threshold`: tokens, or a share of the window below 1. */
export interface InspectEditParams {
  readonly threshold: number;
  readonly keepThinkingTurns: number | null;
  readonly keepToolUses: number;
  readonly keepToolInputs: boolean;
  readonly excludeTools: ReadonlySet<string>;
  readonly window: number;
}

/**
 * inspect_ai's CompactionEdit. Source: inspect.aisi.org.uk/compaction.html and model/_compaction/edit.py (2026). The
 * messages are edited before a request that is larger than the threshold, and go on from there edited; until the next such
 * request the newer ones stay as they are. Left out: the memory tool's contents, citations, and tools that the provider runs
 * itself.
 */
export const inspectEdit: StageDefinition<InspectEditParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Clears old tool results and reasoning whenever a request is larger than a threshold, as CompactionEdit of inspect_ai does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), unwrap(options), (reader) => {
      const keepThinking = reader.choice(PARAMS.keepThinking, KEEP_THINKING);
      const turns = reader.count(PARAMS.keepThinkingTurns);
      return {
        threshold: reader.number(PARAMS.threshold),
        keepThinkingTurns: keepThinking === 'all' ? null : turns,
        keepToolUses: reader.count(PARAMS.keepToolUses),
        keepToolInputs: reader.flag(PARAMS.keepToolInputs),
        excludeTools: new Set(reader.list(PARAMS.excludeTools)),
        window: reader.count(PARAMS.window),
      };
    }),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(NAME, view, context, decide(view, params, context));
  },
};

// keep_thinking_turns: "all", as the library takes it.
function unwrap(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (options.keep_thinking_turns !== 'all') return options;
  const { keep_thinking_turns: _all, ...rest } = options;
  return { ...rest, keep_thinking: 'all' };
}

function decide(view: View, params: InspectEditParams, context: StageContext): Decision {
  const limit = inspectLimit(params, context);
  if (limit === null) return noWindow(context);
  const reader = readView(view, context.source, context.memo);
  const plan = new EditPlan(reader, params, context);
  const last = plan.lastEdit(limit.tokens);
  if (last.at === null) {
    const reason = `kept: no request was larger than ${tokensInWords(last.highest, context)}: not > ${limit.words}`;
    const fate: Fate = { kind: 'kept', stage: context.stage, rule: 'below_threshold', reason };
    return { items: null, fates: new Map(), summary: `nothing to do: ${reason}`, explain: () => fate };
  }
  return plan.apply(last.at, `${tokensInWords(last.tokens, context)} > ${limit.words}`);
}

/** Where the messages were edited last: before the request at position `at`, which held `tokens`; null = nowhere. */
interface LastEdit {
  readonly at: number | null;
  readonly tokens: number;
  readonly highest: number;
}

class EditPlan {
  readonly #reader: ViewReader;
  readonly #params: InspectEditParams;
  readonly #context: StageContext;
  readonly #edits: Edits;
  /** Tool uses that may be cleared, by where their last result stands. */
  readonly #uses: readonly ToolUse[];

  constructor(reader: ViewReader, params: InspectEditParams, context: StageContext) {
    this.#reader = reader;
    this.#params = params;
    this.#context = context;
    this.#edits = new Edits(reader, context, { placeholder: REMOVED });
    this.#uses = toolUsesOf(reader, context).filter(({ name }) => name === null || !params.excludeTools.has(name));
  }

  // What is edited at one request is edited at all later ones, and more: so two marks that only move forward.
  lastEdit(limit: number): LastEdit {
    const sums = prefixTokens(this.#reader, this.#context);
    const outline = outlineOf(this.#reader, this.#context);
    const thinkers: number[] = [];
    const last = { at: null as number | null, tokens: 0, highest: 0 };
    let seen = 0;
    let cleared = 0;
    let unthought = 0;
    let saved = 0;
    for (let at = 0; at <= this.#reader.length; at++) {
      const isRequest = at === this.#reader.length || (outline(at) & IS_ASSISTANT) !== 0;
      if (isRequest) {
        const tokens = (sums[at] ?? 0) - saved;
        last.highest = Math.max(last.highest, tokens);
        if (tokens > limit) {
          last.at = at;
          last.tokens = tokens;
          while (seen < this.#uses.length && (this.#uses[seen]?.results.at(-1)?.message ?? at) < at) seen++;
          for (; cleared < seen - this.#params.keepToolUses; cleared++) saved += this.#savedByUse(this.#uses[cleared]);
          const turns = this.#params.keepThinkingTurns;
          const old = turns === null ? 0 : thinkers.length - turns;
          for (; unthought < old; unthought++) saved += this.#savedByThinking(thinkers[unthought] ?? 0);
        }
      }
      if (at < this.#reader.length && (outline(at) & IS_ASSISTANT) !== 0) thinkers.push(at);
    }
    return last;
  }

  apply(at: number, why: string): Decision {
    const uses = this.#uses.filter(({ results }) => (results.at(-1)?.message ?? at) < at);
    const clearable = uses.slice(0, Math.max(0, uses.length - this.#params.keepToolUses));
    const keepWords = `the last ${countOf(this.#params.keepToolUses, 'tool use')} (keep_tool_uses)`;
    for (const use of clearable) this.#clear(use, `${why}; older than ${keepWords}`);
    const thinkers = this.#thinkersBefore(at);
    for (const position of thinkers) this.#clearThinking(position, why);
    const edited = this.#edits.apply();
    return {
      ...edited,
      summary:
        edited.items === null
          ? `nothing to clear: ${why}`
          : `${countOf(clearable.length, 'tool use')} cleared · ${savedTokens(edited.reclaimedTokens)}`,
      explain: this.#explainer(at, keepWords, why),
      meta: {
        cleared_tool_uses: clearable.length,
        edited_before: this.#reader.length === at ? null : this.#reader.indexOf(at),
      },
    };
  }

  #clear(use: ToolUse, reason: string): void {
    const why = { rule: 'tool_use_cleared', reason };
    if (this.#params.keepToolInputs) {
      for (const place of use.results) this.#edits.clearResult(place, why);
      return;
    }
    this.#edits.remove(use.call, why);
    for (const place of use.results) this.#edits.remove(place, why);
    this.#edits.append(use.call.message, `[Tool call: ${use.name} (parameters and results removed from history)]`);
  }

  #thinkersBefore(at: number): readonly number[] {
    const { keepThinkingTurns: turns } = this.#params;
    if (turns === null) return [];
    const outline = outlineOf(this.#reader, this.#context);
    const assistants: number[] = [];
    for (let position = 0; position < at; position++) {
      if ((outline(position) & IS_ASSISTANT) !== 0) assistants.push(position);
    }
    return assistants.slice(0, Math.max(0, assistants.length - turns));
  }

  #clearThinking(position: number, why: string): void {
    const turns = countOf(this.#params.keepThinkingTurns ?? 0, 'message');
    const reason = `${why}; older than the assistant’s last ${turns} (keep_thinking_turns)`;
    for (const part of this.#thinkingAt(position)) {
      this.#edits.remove({ message: position, part }, { rule: 'thinking_cleared', reason });
    }
  }

  #thinkingAt(position: number): readonly number[] {
    return this.#reader.facts(position).parts.flatMap(({ category }, at) => (category === 'thinking' ? [at] : []));
  }

  #savedByThinking(position: number): number {
    const parts = this.#thinkingAt(position);
    return parts.reduce((sum, part) => sum + partTokens(this.#reader, position, part, this.#context), 0);
  }

  #savedByUse(use: ToolUse | undefined): number {
    if (use === undefined) return 0;
    if (this.#params.keepToolInputs)
      return use.results.reduce((sum, place) => sum + this.#edits.savedByResult(place), 0);
    const all = [use.call, ...use.results];
    const text = this.#context.tokens.text(`[Tool call: ${use.name} (parameters and results removed from history)]`);
    return all.reduce((sum, { message, part }) => sum + partTokens(this.#reader, message, part, this.#context), -text);
  }

  #explainer(at: number, keepWords: string, why: string): Decision['explain'] {
    const { stage } = this.#context;
    const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
    const recent = kept('recent_tool_use', `kept: among ${keepWords} when ${why}`);
    const since = kept('since_edit', `kept: it came after the last request that was too large (${why})`);
    const other = kept('not_concerned', 'kept: it holds nothing that may be cleared');
    const fates = new Map<number, Fate>();
    for (const { call, results } of this.#uses)
      for (const place of [call, ...results]) fates.set(place.message, recent);
    return (position) => (position >= at ? since : (fates.get(position) ?? other));
  }
}
