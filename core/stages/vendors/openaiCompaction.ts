import { isRecord, ownAt } from '../../util/unknown.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { ParamSchema, StageDefinition } from '../../view/types.ts';
import { runCompaction, thresholdWords } from './support/compactionRun.ts';
import { conclude } from './support/conclude.ts';
import { TOKENS_HELP, unwrapTyped } from './support/options.ts';

const NAME = { kind: 'openai_compaction', title: 'Compaction (OpenAI Responses)' };

const THRESHOLD: ParamSchema = {
  name: 'compact_threshold',
  type: 'integer',
  default: 200_000,
  min: 1,
  softMax: 400_000,
  unit: 'tokens',
  help: `A request that crosses this is compacted. The documentation names no default; 200,000 is that of its example. ${TOKENS_HELP}`,
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
  *run(view, { compactThreshold }, context) {
    const reader = readView(view, context.source, context.memo);
    const decision = runCompaction(reader, context, {
      threshold: thresholdWords(compactThreshold, 'compact_threshold'),
      relation: '≥',
      rule: 'compacted',
      isOver: (tokens) => tokens >= compactThreshold,
      cutAt: (_from, at) => at,
      render: (content) => textMessage('assistant', content, reader),
      keptWords: 'nothing is kept beside the compaction item',
    });
    return conclude(NAME, view, context, decision);
  },
};

// {context_management: [{type: "compaction", compact_threshold}]}, as the API takes it.
function unwrapManagement(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const list = ownAt(options, 'context_management');
  const [entry] = Array.isArray(list) ? list : [];
  if (!isRecord(entry)) return unwrapTyped(options, {});
  const { context_management: _list, ...rest } = options;
  return unwrapTyped({ ...rest, ...entry }, {});
}
