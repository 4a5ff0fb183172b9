import { findExchanges } from '../../../../core/model/exchanges.ts';
import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import { itemTokens } from '../../../../core/view/tokens.ts';
import type { Fate, ParamSchema, Pausing, StageContext, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, noWindow, savedTokens, untouched } from './support/conclude.ts';
import { Edits } from './support/edits.ts';
import { inspectLimit, THRESHOLD } from './support/inspectLimit.ts';
import { tokensInWords, WINDOW } from './support/options.ts';
import { type Trim, TrimTrack } from './support/trimTrack.ts';

const NAME = { kind: 'inspect_trim', title: 'Compaction by trimming (inspect_ai)' };

const PARAMS = {
  threshold: THRESHOLD,
  preserve: {
    name: 'preserve',
    label: 'Share to keep',
    type: 'number',
    default: 0.8,
    min: 0,
    softMax: 1,
    help: 'Which share of the conversation stays, by number of messages. The oldest go.',
  },
  window: WINDOW,
} satisfies Record<string, ParamSchema>;

/** Parameters of inspect_trim. `threshold`: tokens, or a share of the window up to 1. */
export interface InspectTrimParams {
  readonly threshold: number;
  readonly preserve: number;
  readonly window: number;
}

/**
 * inspect_ai's CompactionTrim. Source: inspect.aisi.org.uk/compaction.html, model/_compaction/trim.py and model/_trim.py
 * (2026). System messages stay, and the input: messages marked `source: "input"`, else all up to the first of the user.
 * Before a request that is larger than the threshold the oldest of the rest go, results without their call with them, and
 * calls that have no result; the conversation goes on from what is left. Left out: the memory tool's contents.
 */
export const inspectTrim: PlainStage<InspectTrimParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Drops the oldest share of the messages whenever a request is larger than a threshold, as CompactionTrim of inspect_ai does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), options, (reader) => {
      const preserve = reader.number(PARAMS.preserve);
      if (preserve > 1) reader.error('preserve', 'Option preserve must be 1 or less.');
      return { threshold: reader.number(PARAMS.threshold), preserve, window: reader.count(PARAMS.window) };
    }),
  *run(view, params, context) {
    return conclude(NAME, view, context, yield* decide(view, params, context));
  },
};

function* decide(view: View, params: InspectTrimParams, context: StageContext): Pausing<Decision> {
  const limit = inspectLimit(params, context);
  if (limit === null) return noWindow(context);
  const reader = readView(view, context.source, context.memo);
  const track = new TrimTrack();
  for (let position = 0; position < reader.length; position++) {
    if (reader.facts(position).role === 'assistant') track.request(position, limit.tokens, params.preserve);
    track.push(position, reader, itemTokens(reader.item(position), context));
  }
  track.request(reader.length, limit.tokens, params.preserve);
  const { last } = track;
  if (last === null) {
    const reason = `no request was larger than ${tokensInWords(track.highest, context)}: not > ${limit.words}`;
    return untouched(context, 'below_threshold', reason);
  }
  const edited = yield* trimEdits(track, last, limit.words, reader, params, context).apply();
  return {
    ...edited,
    summary: `${countOf(edited.fates.size, 'message')} dropped · ${savedTokens(edited.reclaimedTokens)}`,
    explain: explainer(track, last, overWords(last, limit.words, context), params, context),
  };
}

function overWords({ tokens }: Trim, limitWords: string, context: StageContext): string {
  return `${tokensInWords(tokens, context)} > ${limitWords}`;
}

/** What a trim comes to. */
export function trimEdits(
  track: TrimTrack,
  last: Trim,
  limitWords: string,
  reader: ViewReader,
  { preserve }: InspectTrimParams,
  context: StageContext,
): Edits {
  const edits = new Edits(reader, context);
  const over = overWords(last, limitWords, context);
  const trimmed = {
    rule: 'trimmed',
    reason: `${over}; not among the latest ${preserve} of the messages (preserve)`,
  };
  for (let position = 0; position < last.start; position++) if (!track.stays(position)) edits.drop(position, trimmed);
  removeUnpaired(reader, edits, last);
  return edits;
}

// Of what is left: results that no call stands before, and calls without a result.
function removeUnpaired(reader: ViewReader, edits: Edits, { start, at }: Trim): void {
  const answered = new Set<string>();
  const why = { rule: 'unpaired', reason: 'its other half was dropped, or never was' };
  for (const exchange of findExchanges(reader.length - start, (at) => reader.facts(start + at))) {
    for (const { part, results, message } of exchange.calls) {
      for (const result of results) answered.add(`${start + result.message} ${result.part}`);
      if (results.length === 0 && start + message < at) edits.remove({ message: start + message, part }, why);
    }
  }
  for (let position = start; position < at; position++) {
    for (const [part, { kind }] of reader.facts(position).parts.entries()) {
      if (kind === 'tool_result' && !answered.has(`${position} ${part}`))
        edits.remove({ message: position, part }, why);
    }
  }
}

function explainer(
  track: TrimTrack,
  last: Trim,
  why: string,
  { preserve }: InspectTrimParams,
  { stage }: StageContext,
) {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const input = kept('input', 'kept: system messages and the input stay');
  const latest = kept('preserved', `kept: among the latest ${preserve} of the messages (preserve) when ${why}`);
  const since = kept('since_trim', `kept: it came after the last request that was too large (${why})`);
  return (position: number): Fate => (position >= last.at ? since : track.stays(position) ? input : latest);
}
