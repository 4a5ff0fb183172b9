import { claudeModel, isFrom } from '../../../../core/model/claudeModel.ts';
import type { MessageFacts } from '../../../../core/model/message.ts';
import { isRecord, ownAt } from '../../../../core/util/unknown.ts';
import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, ParamSchema, Pausing, StageContext, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { turnsOf } from '../plainReading.ts';
import { conclude, type Decision, savedTokens, untouched } from './support/conclude.ts';
import { Edits, type Why } from './support/edits.ts';
import { unwrapTyped } from './support/options.ts';

const NAME = { kind: 'anthropic_clear_thinking', title: 'Clear thinking (Anthropic)' };
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
    help: 'Which thinking stays. By itself the API keeps all of it for Opus 4.5 and later, Sonnet 4.6 and later, Fable and Mythos; for earlier Opus and Sonnet, and for Haiku up to 4.5, that of the last turn.',
  },
  turns: {
    name: 'turns',
    label: 'Turns that keep thinking',
    type: 'integer',
    default: 1,
    min: 1,
    softMax: 20,
    unit: 'turns',
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
export const anthropicClearThinking: PlainStage<ClearThinkingParams> = {
  ...NAME,
  aliases: ['clear_thinking_20251015'],
  family: 'vendors',
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
  *run(view, params, context) {
    return conclude(NAME, view, context, yield* decide(view, params, context));
  },
};

/** Models that keep all thinking by themselves. Source: the page, "Default behavior" (September 2026). */
const KEEPS_ALL_FROM = { opus: 405, sonnet: 406, haiku: 500, fable: 0, mythos: 0 };

/** How many turns keep their thinking, null = all: as asked, else as the model of the requests has it. */
export function turnsFor(turns: ClearThinkingParams['turns'], { budget }: Pick<StageContext, 'budget'>): number | null {
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

function* decide(view: View, params: ClearThinkingParams, context: StageContext): Pausing<Decision> {
  const turns = turnsFor(params.turns, context);
  if (turns === null) return untouched(context, 'keep_all', `all thinking stays (${keepWords(params, context)})`);
  const reader = readView(view, context.source, context.memo);
  const starts = thinkingTurns(reader, context);
  const from = starts.length > turns ? (starts.at(-turns) ?? 0) : 0;
  const edits = new Edits(reader, context);
  const why = clearedThinkingWhy(turns);
  for (let position = 0; position < from; position++) {
    for (const part of thinkingOf(reader.facts(position))) edits.remove({ message: position, part }, why);
  }
  const edited = yield* edits.apply();
  const cleared = Math.max(0, starts.length - turns);
  return {
    ...edited,
    summary:
      cleared === 0
        ? `nothing to do: ${countOf(starts.length, 'turn')} with thinking, ${turns} to keep`
        : `thinking of ${countOf(cleared, 'turn')} cleared · ${savedTokens(edited.reclaimedTokens)}`,
    explain: explainer(reader, from, turns, context.stage),
    meta: { cleared_thinking_turns: cleared, cleared_input_tokens: edited.reclaimedTokens },
  };
}

function keepWords({ turns }: ClearThinkingParams, { budget }: StageContext): string {
  return turns === 'model' ? `as ${budget?.model ?? 'the model'} has it by itself` : 'keep: all';
}

/** Why thinking is cleared. */
export function clearedThinkingWhy(turns: number): Why {
  const reason = `older than the last ${countOf(turns, 'assistant turn')} with thinking (keep)`;
  return { rule: 'thinking_cleared', reason };
}

/** Positions of the thinking among a message's parts; only the assistant thinks. */
export function thinkingOf({ role, parts }: MessageFacts): readonly number[] {
  if (role !== 'assistant') return [];
  return parts.flatMap((part, at) => (part.category === 'thinking' ? [at] : []));
}

// Where the turns with thinking begin, ascending.
function thinkingTurns(reader: ViewReader, context: StageContext): readonly number[] {
  const starts = [0, ...turnsOf(reader, context)];
  const withThinking: number[] = [];
  let turn = 0;
  for (let position = 0; position < reader.length; position++) {
    while ((starts[turn + 1] ?? Number.POSITIVE_INFINITY) <= position) turn++;
    const start = starts[turn] ?? 0;
    if (withThinking.at(-1) !== start && thinkingOf(reader.facts(position)).length > 0) withThinking.push(start);
  }
  return withThinking;
}

function explainer(reader: ViewReader, from: number, turns: number, stage: number) {
  const recent: Fate = {
    kind: 'kept',
    stage,
    rule: 'recent_thinking',
    reason: `kept: its turn is among the last ${countOf(turns, 'assistant turn')} with thinking (keep)`,
  };
  const none: Fate = { kind: 'kept', stage, rule: 'not_concerned', reason: 'kept: it holds no thinking' };
  return (position: number): Fate =>
    position >= from && thinkingOf(reader.facts(position)).length > 0 ? recent : none;
}
