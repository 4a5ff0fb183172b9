import { amount } from '../../view/amount.ts';
import { HOLDS_RESULT, outlineOf } from '../../view/outline.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ViewReader } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { ParamSchema, StageContext, StageDefinition } from '../../view/types.ts';
import { grouped } from '../../view/words.ts';
import type { CompactionRules } from './support/compactionRun.ts';
import { reachBack } from './support/counting.ts';
import { LiveCompaction } from './support/liveCompaction.ts';
import { overheadTokens, ROOM_HELP, WINDOW, windowOf } from './support/options.ts';

const PARAMS = {
  reserveTokens: {
    name: 'reserve_tokens',
    label: 'Reserved for output',
    aliases: ['reserveTokens'],
    ...amount('tokens', 16_384, { to: 64_000 }),
    relax: { towards: 'less' },
    help: `Room for the answer: a request larger than the window without it is compacted. ${ROOM_HELP}`,
  },
  keepRecentTokens: {
    name: 'keep_recent_tokens',
    label: 'Recent tokens to keep',
    aliases: ['keepRecentTokens'],
    ...amount('tokens', 20_000, { to: 100_000 }),
    help: 'How much of the latest history stays word for word. The cut lies before a message of the user or the assistant, never before a tool result.',
  },
  window: WINDOW,
} satisfies Record<string, ParamSchema>;

/** Parameters of pi_compaction. Unit: tokens; window 0 = that of the budget. */
export interface PiCompactionParams {
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
  readonly window: number;
}

const PREFIX = 'The conversation history before this point was compacted into the following summary:\n\n<summary>\n';
const SUFFIX = '\n</summary>';

/**
 * Compaction of the pi coding agent: cut points and thresholds. Source: docs/compaction.md of
 * @earendil-works/pi-coding-agent 1.5.2 (November 2026), "When It Triggers", "Split Turns", "Cut Point Rules", and
 * findCutPoint of the same version. The context is weighed before each request. A cut inside a turn splits it: pi then
 * writes two summaries and joins them, here one stands for both. Chosen here: leading system messages stay.
 */
export const piCompaction: StageDefinition<PiCompactionParams> = {
  kind: 'pi_compaction',
  title: 'Compaction (pi)',
  aliases: [],
  family: 'vendors',
  traits: { clientTakes: 'history' },
  help: 'Summarises all but the latest tokens of history when the context outgrows the window, as the pi coding agent does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), options, (reader) => ({
      reserveTokens: reader.count(PARAMS.reserveTokens),
      keepRecentTokens: reader.count(PARAMS.keepRecentTokens),
      window: reader.count(PARAMS.window),
    })),
  incremental: (params, context) => new LiveCompaction(context, (reader, at) => rulesOf(params, reader, at)),
};

// Null where the window is not known.
function rulesOf(params: PiCompactionParams, reader: ViewReader, context: StageContext): CompactionRules | null {
  const window = windowOf(params.window, context);
  if (window === null) return null;
  const beside = overheadTokens(context);
  const limit = window - params.reserveTokens - beside;
  const overheadWords = beside === 0 ? '' : ` − ${grouped(beside)} overhead`;
  const cuts = cutPoints(reader, context);
  return {
    threshold: `${grouped(Math.max(0, limit))} (window ${grouped(window)} − ${grouped(params.reserveTokens)} reserve_tokens${overheadWords}${limit < 0 ? ': no room' : ''})`,
    relation: '>',
    isOfPrompt: false,
    rule: 'compacted',
    isOver: (tokens) => tokens > limit,
    cutAt(from, at, sums) {
      const reached = reachBack(sums, from, at, params.keepRecentTokens);
      return reached === null ? from : (cuts.after(reached, at) ?? cuts.before(at, from) ?? from);
    },
    render: (content) => textMessage('user', `${PREFIX}${content}${SUFFIX}`, reader),
    keptWords(position, { at }, sums) {
      const behind = (sums[at] ?? 0) - (sums[position + 1] ?? 0);
      const latest = `the latest ${grouped(params.keepRecentTokens)} tokens at the compaction (keep_recent_tokens)`;
      if (behind < params.keepRecentTokens) return `among ${latest}`;
      return position === at - 1
        ? 'the last message before the request stays with keep_recent_tokens 0 too: a cut comes before a message'
        : `before ${latest}, but a cut behind it would be before a tool result`;
    },
  };
}

// Positions before which the history may be cut: all but those of tool results.
function cutPoints(reader: ViewReader, context: StageContext) {
  const outline = outlineOf(reader, context);
  const isCut = (position: number): boolean => (outline(position) & HOLDS_RESULT) === 0;
  return {
    after(position: number, end: number): number | null {
      for (let at = position; at < end; at++) if (isCut(at)) return at;
      return null;
    },
    before(end: number, start: number): number | null {
      for (let at = end - 1; at >= start; at--) if (isCut(at)) return at;
      return null;
    },
  };
}
