import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView } from '../../../../core/view/reader.ts';
import type { Fate, ParamSchema, Pausing, StageContext, View } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, noWindow, savedTokens, untouched } from './support/conclude.ts';
import { prefixTokens } from './support/counting.ts';
import { Edits, type Why } from './support/edits.ts';
import { type MessageRoom, ROOM_HELP, roomIn, tokensInWords, WINDOW, windowOf } from './support/options.ts';
import { headLength } from './support/summarySpan.ts';
import { toolUsesOf } from './support/toolUses.ts';

const NAME = { kind: 'openai_truncation', title: 'Truncation (OpenAI Responses)' };
const TRUNCATIONS = ['auto', 'disabled'] as const;

const PARAMS = {
  truncation: {
    name: 'truncation',
    label: 'When too large',
    type: 'choice',
    default: 'auto',
    choices: [
      { value: 'auto', help: 'Drop items from the beginning until the rest fits.' },
      { value: 'disabled', help: 'Drop nothing: a request that is too large fails.' },
    ],
    help: `What happens to a request larger than the context window. ${ROOM_HELP}`,
  },
  window: WINDOW,
} satisfies Record<string, ParamSchema>;

/** Parameters of openai_truncation; window 0 = that of the budget. Unit: tokens. */
export interface OpenAiTruncationParams {
  readonly truncation: (typeof TRUNCATIONS)[number];
  readonly window: number;
}

/**
 * `truncation` of OpenAI's Responses API: if the input exceeds the window, items are dropped from the beginning of the
 * conversation. Source: the field's description in the API reference and SDK (openai 7.55, November 2026, where it is
 * marked as deprecated). Not documented, and chosen here: items go as whole messages; an output goes with its call, since
 * one alone would be refused; leading system and developer messages stay, as `instructions` do; the last message stays.
 */
export const openaiTruncation: PlainStage<OpenAiTruncationParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Drops the oldest messages until the rest fits the window, as OpenAI’s Responses API does with truncation: auto.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), options, (reader) => ({
      truncation: reader.choice(PARAMS.truncation, TRUNCATIONS),
      window: reader.count(PARAMS.window),
    })),
  *run(view, params, context) {
    return conclude(NAME, view, context, yield* decide(view, params, context));
  },
};

function* decide(view: View, params: OpenAiTruncationParams, context: StageContext): Pausing<Decision> {
  if (params.truncation === 'disabled') return untouched(context, 'disabled', 'truncation is disabled');
  const window = windowOf(params.window, context);
  if (window === null) return noWindow(context);
  const reader = readView(view, context.source, context.memo);
  const sums = prefixTokens(reader, context);
  const total = sums[reader.length] ?? 0;
  const size = tokensInWords(total, context);
  const room = roomIn(window, context);
  if (total <= room.tokens) return untouched(context, 'fits', `${size} fit ${grouped(room.tokens)} (${room.of})`);
  const head = headLength(reader);
  let cut = head;
  while (cut < reader.length - 1 && total - ((sums[cut] ?? 0) - (sums[head] ?? 0)) > room.tokens) cut++;
  const why = truncatedWhy(total, room, context);
  const edits = new Edits(reader, context);
  for (let position = head; position < cut; position++) edits.drop(position, why);
  for (const { call, results } of toolUsesOf(reader, context)) {
    if (call.message < head || call.message >= cut) continue;
    for (const place of results) {
      if (place.message >= cut) edits.remove(place, orphanWhy(why.reason));
    }
  }
  const edited = yield* edits.apply();
  return {
    ...edited,
    summary: `${countOf(edited.fates.size, 'message')} dropped · ${savedTokens(edited.reclaimedTokens)}`,
    explain: explainer(head, room, context),
  };
}

/** Why a message is dropped. */
export function truncatedWhy(total: number, { tokens, of }: MessageRoom, context: StageContext): Why {
  const reason = `${tokensInWords(total, context)} > ${grouped(tokens)} (${of}); the oldest go first`;
  return { rule: 'truncated', reason };
}

/** Why a result goes with its call; `reason` = the call's. */
export function orphanWhy(reason: string): Why {
  return { rule: 'call_truncated', reason: `its call was dropped: ${reason}` };
}

function explainer(head: number, { tokens, of }: MessageRoom, { stage }: StageContext) {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const instructions = kept('instructions', 'kept: leading instructions are not dropped');
  const fits = kept('fits', `kept: from here on the messages fit ${grouped(tokens)} tokens (${of})`);
  return (position: number): Fate => (position < head ? instructions : fits);
}
