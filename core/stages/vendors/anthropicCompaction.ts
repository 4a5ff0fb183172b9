import { HOLDS_RESULT, outlineOf } from '../../view/outline.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { ParamSchema, StageContext, StageDefinition } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { type CompactionRules, runCompaction, thresholdWords } from './support/compactionRun.ts';
import { conclude } from './support/conclude.ts';
import { LiveCompaction } from './support/liveCompaction.ts';
import { ROOM_HELP, unwrapTyped } from './support/options.ts';

const NAME = { kind: 'anthropic_compaction', title: 'Compaction (Anthropic)' };

/** What the documentation's example of pausing keeps: the exchange before, and the user's message. */
const KEPT_AFTER_PAUSE = 3;

const PARAMS = {
  trigger: {
    name: 'trigger',
    label: 'Compact above',
    type: 'integer',
    default: 150_000,
    min: 50_000,
    softMax: 1_000_000,
    unit: 'tokens',
    help: `A request that reaches this is compacted; the API takes 50,000 or more. ${ROOM_HELP}`,
  },
  pause: {
    name: 'pause_after_compaction',
    label: 'Pause after compaction',
    type: 'boolean',
    default: false,
    help: 'The API stops after the summary, so that the client can put messages behind it: as in the documentation’s example, the last three before the request stay word for word.',
  },
  instructions: {
    name: 'instructions',
    label: 'Summary instructions',
    type: 'text',
    default: null,
    help: 'The prompt for the summary, in place of the API’s own. It changes what a model writes, and nothing here: a summary is never made up.',
  },
} satisfies Record<string, ParamSchema>;

/** Parameters of anthropic_compaction. */
export interface AnthropicCompactionParams {
  readonly trigger: number;
  readonly pauseAfterCompaction: boolean;
  readonly instructions: string | null;
}

/**
 * Anthropic's `compact_20260112`: a request that reaches the trigger is summarised as a whole, and the conversation goes on
 * from a `compaction` block, before which everything is dropped. Source: platform.claude.com/docs/en/build-with-claude/
 * compaction-threshold and /compaction (November 2026). Its own JSON is accepted. Chosen here: the block is an assistant
 * message of its own (a text in Gemini's shape); leading system messages stay, as the API's system prompt does; a pause
 * keeps no result without its call. What the summary says only a model can write: recorded, written by you, or a placeholder.
 */
export const anthropicCompaction: StageDefinition<AnthropicCompactionParams> = {
  ...NAME,
  aliases: ['compact_20260112'],
  family: 'vendors',
  keepsThinking: () => 'provider',
  help: 'Replaces the whole conversation by a summary whenever a request reaches a threshold, as Anthropic’s API does with compact_20260112.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), unwrapTyped(options, { trigger: null }), (reader) => ({
      trigger: reader.count(PARAMS.trigger),
      pauseAfterCompaction: reader.flag(PARAMS.pause),
      instructions: reader.text(PARAMS.instructions),
    })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    const reader = readView(view, context.source, context.memo);
    return conclude(NAME, view, context, runCompaction(reader, context, rulesOf(params, reader, context)));
  },
  incremental: (params, context) => new LiveCompaction(context, (reader, at) => rulesOf(params, reader, at)),
};

function rulesOf(params: AnthropicCompactionParams, reader: ViewReader, context: StageContext): CompactionRules {
  const { trigger, pauseAfterCompaction } = params;
  const outline = outlineOf(reader, context);
  const holdsResult = (position: number): boolean =>
    position < reader.length && (outline(position) & HOLDS_RESULT) !== 0;
  return {
    threshold: thresholdWords(trigger, 'trigger'),
    relation: '≥',
    isOfPrompt: true,
    rule: 'compacted',
    isOver: (tokens) => tokens >= trigger,
    cutAt(from, at) {
      let cut = pauseAfterCompaction ? Math.max(from, at - KEPT_AFTER_PAUSE) : at;
      if (pauseAfterCompaction) while (cut > from && holdsResult(cut)) cut--;
      return cut;
    },
    render: (content) => compactionBlock(content, reader),
    keptWords: `among the last ${countOf(KEPT_AFTER_PAUSE, 'message')} before the pause (pause_after_compaction)`,
  };
}

// Gemini's messages hold parts, and know no such block.
function compactionBlock(content: string, reader: ViewReader): string {
  const plain = textMessage('assistant', content, reader);
  if (plain.startsWith('{"role":"model"')) return plain;
  return JSON.stringify({ role: 'assistant', content: [{ type: 'compaction', content }] });
}
