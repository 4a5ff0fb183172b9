import { amount } from '../../view/amount.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../view/incremental.ts';
import { parseParams } from '../../view/parseParams.ts';
import { itemTokens } from '../../view/tokens.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type ParamSchema,
  type Pausing,
  type StageDefinition,
} from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { type Idle, NO_WINDOW_IDLE } from './support/conclude.ts';
import type { LiveEdit } from './support/editor.ts';
import { GrowingUses } from './support/growingUses.ts';
import { inspectLimit, THRESHOLD } from './support/inspectLimit.ts';
import {
  describeOver,
  EditTrack,
  editsOfUse,
  keptReasoning,
  keptUses,
  reasoningAt,
  reasoningTokens,
  reasoningWhy,
  savedByUse,
  whyOfUse,
} from './support/inspectPlan.ts';
import { EditSequence, LiveEdits, SharedWhy } from './support/liveEdits.ts';
import { EXCLUDED_TOOLS, formatTokenCount, WINDOW } from './support/options.ts';
import type { ToolUse } from './support/toolUses.ts';

const KEEP_THINKING = ['turns', 'all'] as const;

/** What inspect_ai puts in the place of a result. */
const REMOVED = '(Tool result removed)';

const PARAMS = {
  threshold: THRESHOLD,
  keepThinking: {
    name: 'keep_thinking',
    label: 'Reasoning to keep',
    type: 'choice',
    default: 'turns',
    choices: [
      { value: 'turns', help: 'The last turns keep their reasoning.' },
      { value: 'all', help: 'All reasoning stays.' },
    ],
    relax: { values: ['all'] },
    help: 'Which reasoning stays.',
  },
  keepThinkingTurns: {
    name: 'keep_thinking_turns',
    label: 'Turns that keep reasoning',
    ...amount('turns', 1, { to: 20 }),
    when: { param: 'keep_thinking', is: ['turns'] },
    help: 'How many of the latest messages of the assistant keep their reasoning: inspect_ai counts each as a turn.',
  },
  keepToolUses: {
    name: 'keep_tool_uses',
    label: 'Tool uses to keep',
    ...amount('tool uses', 3, { to: 50 }),
    help: 'How many of the latest tool uses stay. Those of excluded tools do not count.',
  },
  keepToolInputs: {
    name: 'keep_tool_inputs',
    label: 'Keep arguments',
    type: 'boolean',
    default: true,
    relax: { values: [true] },
    help: 'Keep the calls and clear their results alone. Off: both go, and a line of text says so.',
  },
  excludeTools: { ...EXCLUDED_TOOLS, help: 'Tools whose uses are never cleared.' },
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
 * messages are edited before a request that is larger than the threshold, and continue from there edited; until the next such
 * request the newer ones stay as they are. Left out: the memory tool's contents, citations, and tools that the provider runs
 * itself.
 */
export const inspectEdit: StageDefinition<InspectEditParams> = {
  kind: 'inspect_edit',
  title: 'Compaction by editing (inspect_ai)',
  aliases: [],
  family: 'vendors',
  traits: { clientTakes: 'results' },
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
  incremental: (params, context) => new InspectEdit(params, context),
};

// keep_thinking_turns: "all", as the library takes it.
function unwrap(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (options.keep_thinking_turns !== 'all') return options;
  const { keep_thinking_turns: _all, ...rest } = options;
  return { ...rest, keep_thinking: 'all' };
}

/** The request at the end is tried on a copy of the track. */
class InspectEdit extends LiveEdits {
  readonly #params: InspectEditParams;
  readonly #limit: ReturnType<typeof inspectLimit>;
  readonly #sequence = new EditSequence();
  readonly #thoughts = new EditSequence();
  #uses = new GrowingUses();
  #taken = 0;
  /** Uses that may be cleared, and those of the last turn behind them. */
  #clearable: ToolUse[] = [];
  #open: readonly ToolUse[] = [];
  #thinkers: number[] = [];
  #track = new EditTrack();
  #shown = new EditTrack();
  #tokens = 0;
  readonly #cleared = new SharedWhy(() => whyOfUse(this.#over(), this.#params));
  readonly #unthought = new SharedWhy(() => reasoningWhy(this.#over(), this.#params));

  constructor(params: InspectEditParams, given: IncrementalContext) {
    super(given, REMOVED);
    this.#params = params;
    this.#limit = inspectLimit(params, given);
  }

  protected override get isOff(): boolean {
    return this.#limit === null;
  }

  protected override idle(): Idle | null {
    if (this.#limit === null) return NO_WINDOW_IDLE;
    if (this.#shown.at !== null) return null;
    const highest = formatTokenCount(this.#shown.highest, this.context);
    return { rule: 'below_threshold', reason: `no request was larger than ${highest}: not > ${this.#limit.words}` };
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#thoughts.clear();
    this.#uses = new GrowingUses();
    this.#taken = 0;
    this.#clearable = [];
    this.#open = [];
    this.#thinkers = [];
    this.#track = new EditTrack();
    this.#tokens = 0;
  }

  protected override *pushAll(from: number): Pausing<void> {
    if (from > 0) return yield* super.pushAll(from);
    this.#uses.fill(this.reader, this.context);
    for (let position = 0; position < this.reader.length; position++) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      this.#take(position);
    }
  }

  protected push(position: number): void {
    this.#uses.push(position, this.reader.facts);
    this.#take(position);
  }

  #take(position: number): void {
    if (this.reader.facts(position).role === 'assistant') {
      this.#takeClosed(position);
      this.#request(this.#track, position, NO_USES);
      this.#addThinker(position);
    }
    this.#tokens += itemTokens(this.reader.item(position), this.context);
  }

  protected settle(): Pausing<void> {
    this.#cleared.change();
    this.#unthought.change();
    this.#takeClosed(this.reader.length);
    this.#open = this.#uses.open(this.reader.length, this.reader.facts).filter((use) => this.#mayClear(use));
    for (const use of this.#open) this.#addUse(use);
    this.#shown = this.#track.copy();
    this.#request(this.#shown, this.reader.length, this.#open);
    const add = (edit: LiveEdit) => this.add(edit);
    const take = (edit: LiveEdit) => this.take(edit);
    this.#sequence.doFirst(this.#shown.cleared, add, take);
    this.#thoughts.doFirst(this.#shown.unthought, add, take);
    return this.show();
  }

  // `open` = the uses of the last turn, behind those that are settled.
  #request(track: EditTrack, at: number, open: readonly ToolUse[]): void {
    if (this.#limit === null) return;
    track.request(at, this.#tokens, this.#limit.tokens, this.#params, {
      uses: this.#clearable.length + open.length,
      thinkers: this.#thinkers.length,
      savedByUse: (one) => this.#savedBy(this.#clearable[one] ?? open[one - this.#clearable.length]),
      savedByThinking: (one) => reasoningTokens(this.reader, this.#thinkers[one] ?? 0, this.context),
    });
  }

  #savedBy(use: ToolUse | undefined): number {
    return use === undefined ? 0 : savedByUse(use, this.#params, this.editor, this.reader);
  }

  #mayClear({ name }: ToolUse): boolean {
    return name === null || !this.#params.excludeTools.has(name);
  }

  // What was open is taken off the end, and what has closed since, before a position, is put there.
  #takeClosed(before: number): void {
    this.#sequence.truncate(this.#clearable.length, (edit) => this.take(edit));
    const { closed } = this.#uses;
    for (; this.#taken < closed.length; this.#taken++) {
      const use = closed[this.#taken];
      if (use === undefined || use.call.message >= before) break;
      if (!this.#mayClear(use)) continue;
      this.#clearable.push(use);
      this.#addUse(use);
    }
  }

  #addUse(use: ToolUse): void {
    const why = this.#cleared.get;
    this.#sequence.push(editsOfUse(use, this.#params).map((edit): LiveEdit => ({ ...edit, why })));
  }

  #addThinker(position: number): void {
    const why = this.#unthought.get;
    this.#thinkers.push(position);
    this.#thoughts.push(reasoningAt(this.reader, position).map((place): LiveEdit => ({ place, op: 'remove', why })));
  }

  #over(): string {
    return describeOver(this.#shown, this.#limit?.words ?? '', this.context);
  }

  protected details(): ReportDetails {
    const { tokens, chars } = this.savedByAll();
    const { at, cleared } = this.#shown;
    return {
      summary: this.isEditing ? `${countOf(cleared, 'tool use')} cleared` : `nothing to clear: ${this.#over()}`,
      reclaimedTokens: tokens,
      reclaimedChars: chars,
      meta: {
        cleared_tool_uses: cleared,
        edited_before: at === null || at === this.reader.length ? null : this.reader.indexOf(at),
      },
    };
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const over = this.#over();
    const recent = keptBecause(stage, 'recent_tool_use', `kept: among ${keptUses(this.#params)} when ${over}`);
    const since = `kept: it came after the last request that was too large (${over})`;
    const behind = keptBecause(stage, 'since_edit', since);
    const call = keptBecause(
      stage,
      'call_stays',
      'kept: the result of its call was cleared, the call stays (keep_tool_inputs)',
    );
    const thought = `kept: its reasoning is among ${keptReasoning(this.#params)} when ${over}`;
    const recentThought = keptBecause(stage, 'recent_thinking', thought);
    const excluded = keptBecause(stage, 'excluded_tool', 'kept: its tool is never cleared (exclude_tools)');
    const other = keptBecause(stage, NOT_CONCERNED, 'kept: it holds nothing that may be cleared');
    const fates = new Map<number, Fate>();
    const { cleared, unthought } = this.#shown;
    for (const use of [...this.#uses.closed, ...this.#open]) {
      if (!this.#mayClear(use)) for (const { message } of [use.call, ...use.results]) fates.set(message, excluded);
    }
    if (this.#params.keepThinkingTurns !== null) {
      for (const position of this.#thinkers.slice(unthought)) {
        if (reasoningAt(this.reader, position).length > 0) fates.set(position, recentThought);
      }
    }
    for (const [nth, { call: own, results }] of [...this.#clearable, ...this.#open].entries()) {
      if (nth < cleared) fates.set(own.message, call);
      else for (const { message } of [own, ...results]) fates.set(message, recent);
    }
    const at = this.#shown.at ?? 0;
    return (position) => (position >= at ? behind : (fates.get(position) ?? other));
  }
}

const NO_USES: readonly ToolUse[] = [];
