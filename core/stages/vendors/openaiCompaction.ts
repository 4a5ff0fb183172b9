import { isRecord, ownAt } from '../../util/unknown.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { ParamSchema, StageDefinition } from '../../view/types.ts';
import { type CompactionRules, runCompaction, thresholdWords } from './support/compactionRun.ts';
import { conclude } from './support/conclude.ts';
import { LiveCompaction } from './support/liveCompaction.ts';
import { ROOM_HELP, unwrapTyped } from './support/options.ts';

const NAME = { kind: 'openai_compaction', title: 'Compaction (OpenAI Responses)' };

const THRESHOLD: ParamSchema = {
  name: 'compact_threshold',
  label: 'Compact above',
  type: 'integer',
  default: 200_000,
  min: 1,
  softMax: 400_000,
  unit: 'tokens',
  help: `A request that crosses this is compacted. The documentation names no default; 200,000 is that of its example. ${ROOM_HELP}`,
};

/** Parameters of openai_compaction. */
export interface OpenAiCompactionParams {
  readonly compactThreshold: number;
}

/**
 * Server-side compaction of OpenAI's Responses API (`context_management: [{type: "compaction", compact_threshold}]`).
 * Source: developers.openai.com/api/docs/guides/compaction and the SDK's ResponseCreateParams (November 2026). The
 * compaction item is encrypted and carries everything before it; so a summary that was recorded or written, or a labelled
 * placeholder, stands for it here, as an assistant's message. Chosen here: leading system and developer messages stay.
 */
export const openaiCompaction: StageDefinition<OpenAiCompactionParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Replaces everything before by one opaque item whenever a request crosses a threshold, as OpenAI’s Responses API does with context_management.',
  params: [THRESHOLD],
  usesTokens: true,
  parse: (options) =>
    parseParams([THRESHOLD], unwrapManagement(options), (reader) => ({ compactThreshold: reader.count(THRESHOLD) })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    const reader = readView(view, context.source, context.memo);
    return conclude(NAME, view, context, runCompaction(reader, context, rulesOf(params, reader)));
  },
  incremental: (params, context) => new LiveCompaction(context, (reader) => rulesOf(params, reader)),
};

function rulesOf({ compactThreshold }: OpenAiCompactionParams, reader: ViewReader): CompactionRules {
  return {
    threshold: thresholdWords(compactThreshold, 'compact_threshold'),
    relation: '≥',
    isOfPrompt: true,
    rule: 'compacted',
    isOver: (tokens) => tokens >= compactThreshold,
    cutAt: (_from, at) => at,
    render: (content) => textMessage('assistant', content, reader),
    keptWords: 'nothing is kept beside the compaction item',
  };
}

// {context_management: [{type: "compaction", compact_threshold}]}, as the API takes it.
function unwrapManagement(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const list = ownAt(options, 'context_management');
  const [entry] = Array.isArray(list) ? list : [];
  if (!isRecord(entry)) return unwrapTyped(options, {});
  const { context_management: _list, ...rest } = options;
  return unwrapTyped({ ...rest, ...entry }, {});
}
