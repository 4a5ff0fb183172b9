import { isRecord, ownAt } from '../../util/unknown.ts';
import { amount } from '../../view/amount.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ViewReader } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { ParamSchema, StageDefinition } from '../../view/types.ts';
import { type CompactionRules, describeThreshold } from './support/compactionRun.ts';
import { LiveCompaction } from './support/liveCompaction.ts';
import { ROOM_HELP, unwrapTyped } from './support/options.ts';

const THRESHOLD: ParamSchema = {
  name: 'compact_threshold',
  label: 'Compact above',
  ...amount('tokens', 200_000, { from: 1, to: 400_000 }),
  when: { param: 'standalone', is: [false] },
  help: `A request that crosses this is compacted. The documentation names no default; 200,000 is that of its example. ${ROOM_HELP}`,
};

const STANDALONE: ParamSchema = {
  name: 'standalone',
  label: 'By a separate call',
  type: 'boolean',
  default: false,
  relax: { values: [true, false] },
  help: 'The client asks for it (POST /responses/compact): all messages of the user stay, in their order, and one item after them replaces everything else.',
};

const ASK_ABOVE: ParamSchema = {
  name: 'ask_above',
  label: 'Ask above',
  ...amount('tokens', 0, { to: 400_000 }),
  when: { param: 'standalone', is: [true] },
  help: `When a request would reach this, the client asks first. The API has no threshold here. 0: before every request. ${ROOM_HELP}`,
};

const PARAMS = [STANDALONE, THRESHOLD, ASK_ABOVE];

/** Parameters of openai_compaction. */
export interface OpenAiCompactionParams {
  readonly standalone: boolean;
  readonly compactThreshold: number;
  readonly askAbove: number;
}

/**
 * Compaction of OpenAI's Responses API: server-side (`context_management: [{type: "compaction", compact_threshold}]`), or by
 * a separate call (`POST /responses/compact`), which gives back all messages of the user and one item. Source:
 * developers.openai.com/api/docs/guides/compaction, the types ResponseCreateParams and CompactedResponse of openai 7.55.0
 * (November 2026). The compaction item is encrypted and carries everything before it; so a summary that was recorded or written, or a labelled
 * placeholder, stands for it here, as an assistant's message. Chosen here: leading system and developer messages stay.
 */
export const openaiCompaction: StageDefinition<OpenAiCompactionParams> = {
  kind: 'openai_compaction',
  title: 'Compaction (OpenAI Responses)',
  aliases: [],
  family: 'vendors',
  help: 'Replaces everything before by one opaque item whenever a request crosses a threshold, as OpenAI’s Responses API does with context_management, or all but the user’s messages, as its compaction endpoint does.',
  params: PARAMS,
  usesTokens: true,
  parse: (options) =>
    parseParams(
      PARAMS,
      unwrapManagement(options),
      (reader) => ({
        standalone: reader.flag(STANDALONE),
        compactThreshold: reader.count(THRESHOLD),
        askAbove: reader.count(ASK_ABOVE),
      }),
      { context_management: 'a list with {type: "compaction", compact_threshold}' },
    ),
  incremental: (params, context) => new LiveCompaction(context, (reader) => rulesOf(params, reader)),
};

function rulesOf(params: OpenAiCompactionParams, reader: ViewReader): CompactionRules {
  const { standalone, compactThreshold, askAbove } = params;
  const limit = standalone ? askAbove : compactThreshold;
  return {
    threshold: describeThreshold(limit, standalone ? 'ask_above' : 'compact_threshold'),
    relation: '≥',
    isOfPrompt: true,
    rule: 'compacted',
    isOver: (tokens) => tokens >= limit,
    cutAt: (_from, at) => at,
    render: (content) => textMessage('assistant', content, reader),
    keptWords: () => 'nothing is kept beside the compaction item',
    instead: 'an encrypted compaction item that only the API can make',
    ...(standalone && { keeps: usersMessages(reader) }),
  };
}

// What a person or a client wrote. A message that carries results too goes with the calls they answer: as items of this
// API they would stand apart.
function usersMessages(reader: ViewReader): NonNullable<CompactionRules['keeps']> {
  return {
    words: 'the endpoint gives back all messages of the user (standalone)',
    is(position) {
      const { beginsTurn, parts } = reader.facts(position);
      return beginsTurn && parts.every(({ kind }) => kind !== 'tool_result');
    },
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
