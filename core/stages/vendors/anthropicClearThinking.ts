import { claudeModel, isFrom } from '../../model/claudeModel.ts';
import type { MessageFacts } from '../../model/message.ts';
import { isRecord, ownAt } from '../../util/unknown.ts';
import { amount } from '../../view/amount.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../view/incremental.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { Fate, ParamSchema, Pausing, StageContext, StageDefinition, ViewItem } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import type { Idle } from './support/conclude.ts';
import type { LiveEdit } from './support/editor.ts';
import { EditSequence, LiveEdits, SharedWhy } from './support/liveEdits.ts';
import { unwrapTyped } from './support/options.ts';

const KEEPS = ['model', 'thinking_turns', 'all'] as const;

const PARAMS = {
  keep: {
    name: 'keep',
    label: 'Thinking to keep',
    type: 'choice',
    default: 'model',
    choices: [
      { value: 'model', help: 'As the API does for the model of the requests where no edit asks for anything else.' },
      { value: 'thinking_turns', help: 'The last turns keep their thinking.' },
      { value: 'all', help: 'All thinking stays: best for the prompt cache.' },
    ],
    relax: { values: ['all'] },
    help: 'Which thinking stays. By itself the API keeps all of it for Opus 4.5 and later, Sonnet 4.6 and later, Fable and Mythos; for earlier Opus and Sonnet, and for Haiku up to 4.5, that of the last turn.',
  },
  turns: {
    name: 'turns',
    label: 'Turns that keep thinking',
    ...amount('turns', 1, { from: 1, to: 20 }),
    when: { param: 'keep', is: ['thinking_turns'] },
    help: 'How many of the latest assistant turns with thinking keep it. A turn is everything the assistant says and does between two messages of a person.',
  },
} satisfies Record<string, ParamSchema>;

/** Parameters of anthropic_clear_thinking; turns null = all, `model` = as the model of the requests has it. */
export interface ClearThinkingParams {
  readonly turns: number | 'model' | null;
}

/**
 * Anthropic's context edit `clear_thinking_20251015`. Source: platform.claude.com/docs/en/build-with-claude/context-editing,
 * "Thinking block clearing usage" (November 2026). Its own JSON is accepted as options (`"all"`, `{type: "thinking_turns",
 * value}`). Without `keep` it does what the API does by itself for the model of the budget, else of the transcript; for one
 * that is not known, or not Anthropic's, that is the last turn. Not documented, and chosen here: Haiku after 4.5 keeps all;
 * a message that holds nothing but cleared thinking goes; reasoning of other providers is treated alike. Signatures do not hinder it: the API edits on its
 * side, and what it keeps stays valid.
 */
export const anthropicClearThinking: StageDefinition<ClearThinkingParams> = {
  kind: 'anthropic_clear_thinking',
  title: 'Clear thinking (Anthropic)',
  aliases: ['clear_thinking_20251015'],
  family: 'vendors',
  traits: {
    edit: {
      prefix: 'clear_thinking_',
      figure: 'cleared_thinking_turns',
      key: 'thinkingTurns',
      unit: 'turn',
      of: 'thinking of ',
      isFirst: true,
    },
  },
  keepsThinking: () => 'provider',
  help: 'Takes the thinking out of all but the latest assistant turns, as Anthropic’s API does with clear_thinking_20251015.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), unwrapKeep(options), (reader) => {
      const keep = reader.choice(PARAMS.keep, KEEPS);
      const turns = reader.count(PARAMS.turns);
      return { turns: keep === 'all' ? null : keep === 'model' ? keep : turns };
    }),
  incremental: (params, context) => new ClearThinking(params, context),
};

/** Models that keep all thinking by themselves. Source: the page, "Default behavior" (September 2026). */
const KEEPS_ALL_FROM = { opus: 405, sonnet: 406, haiku: 500, fable: 0, mythos: 0 };

/** How many turns keep their thinking, null = all: as asked, else as the model of the requests has it. */
function turnsFor(turns: ClearThinkingParams['turns'], { budget }: Pick<StageContext, 'budget'>): number | null {
  if (turns !== 'model') return turns;
  const model = claudeModel(budget?.model ?? '');
  return model !== null && isFrom(model, KEEPS_ALL_FROM) ? null : 1;
}

// {type: "all"} or {type: "thinking_turns", value: 2}, as the API takes it; a number of turns alone asks for turns.
function unwrapKeep(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keep = ownAt(options, 'keep');
  const flat = unwrapTyped(options, {});
  if (keep === undefined && (ownAt(options, 'turns') ?? null) !== null) return { ...flat, keep: 'thinking_turns' };
  if (!isRecord(keep)) return flat;
  const value = ownAt(keep, 'value');
  return { ...flat, keep: ownAt(keep, 'type'), ...(value !== undefined && { turns: value }) };
}

/** The turns with thinking are one sequence, all but the last cleared. */
class ClearThinking extends LiveEdits {
  readonly #params: ClearThinkingParams;
  /** Turns that keep it; null = nothing is ever cleared. */
  readonly #turns: number | null;
  readonly #sequence = new EditSequence();
  /** Where the turns with thinking begin, and the edits of the last. */
  #starts: number[] = [];
  #last: LiveEdit[] = [];
  #start = 0;
  readonly #cleared = new SharedWhy(() => {
    const reason = `older than the last ${countOf(this.#turns ?? 0, 'assistant turn')} with thinking (keep)`;
    return { rule: 'thinking_cleared', reason };
  });

  constructor(params: ClearThinkingParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
    this.#turns = turnsFor(params.turns, given);
  }

  protected override get isOff(): boolean {
    return this.#turns === null;
  }

  protected override idle(): Idle | null {
    if (this.#turns !== null) return null;
    const keeps =
      this.#params.turns === 'model' ? `as ${this.context.budget?.model ?? 'the model'} has it by itself` : 'keep: all';
    return { rule: 'keep_all', reason: `all thinking stays (${keeps})` };
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#starts = [];
    this.#last = [];
    this.#start = 0;
  }

  protected push(position: number): void {
    const facts = this.reader.facts(position);
    if (facts.beginsTurn) this.#start = position;
    const parts = thinkingOf(facts);
    if (parts.length === 0) return;
    if (this.#starts.at(-1) !== this.#start) {
      this.#starts.push(this.#start);
      this.#last = [];
      this.#sequence.push(this.#last);
    }
    const why = this.#cleared.get;
    for (const part of parts) this.#last.push({ place: { message: position, part }, op: 'remove', why });
  }

  // What is in the way of thinking matters: its parts must be where they were.
  protected override edited(position: number, before: ViewItem): boolean {
    const parts = thinkingOf(this.reader.facts(position)).join();
    if (parts !== thinkingOf(this.editor.facts(before)).join()) return false;
    this.reword(position);
    return true;
  }

  protected settle(): Pausing<void> {
    this.#sequence.doFirst(
      this.#clearedTurns(),
      (edit) => this.add(edit),
      (edit) => this.take(edit),
    );
    return this.show();
  }

  #clearedTurns(): number {
    return Math.max(0, this.#starts.length - (this.#turns ?? 0));
  }

  protected details(): ReportDetails {
    const { tokens, chars } = this.savedByAll();
    const cleared = this.#clearedTurns();
    return {
      summary:
        cleared === 0
          ? `nothing to do: ${countOf(this.#starts.length, 'turn')} with thinking, ${this.#turns} to keep`
          : `thinking of ${countOf(cleared, 'turn')} cleared`,
      reclaimedTokens: tokens,
      reclaimedChars: chars,
      meta: { cleared_thinking_turns: cleared, cleared_input_tokens: tokens },
    };
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const last = countOf(this.#turns ?? 0, 'assistant turn');
    const among = `kept: its turn is among the last ${last} with thinking (keep)`;
    const recent = keptBecause(stage, 'recent_thinking', among);
    const none = keptBecause(stage, NOT_CONCERNED, 'kept: it holds no thinking');
    const from = this.#starts[this.#clearedTurns()] ?? 0;
    return (position) => (position >= from && thinkingOf(this.reader.facts(position)).length > 0 ? recent : none);
  }
}

// Positions of the thinking among a message's parts; only the assistant thinks.
function thinkingOf({ role, parts }: MessageFacts): readonly number[] {
  if (role !== 'assistant' || !parts.some(({ category }) => category === 'thinking')) return NO_PARTS;
  return parts.flatMap((part, at) => (part.category === 'thinking' ? [at] : []));
}

const NO_PARTS: readonly number[] = [];
