import { isRecord, stringAt } from '../../util/unknown.ts';
import { exchangesOf } from '../../view/exchangesOf.ts';
import { BEGINS_TURN, HOLDS_RESULT, IS_ASSISTANT, outlineOf } from '../../view/outline.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition, View } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { conclude, type Decision, noWindow, savedTokens } from './support/conclude.ts';
import { prefixTokens } from './support/counting.ts';
import { Edits } from './support/edits.ts';
import { inspectLimit, THRESHOLD } from './support/inspectLimit.ts';
import { tokensInWords, WINDOW } from './support/options.ts';

const NAME = { kind: 'inspect_trim', title: 'Compaction by trimming (inspect_ai)' };

const PARAMS = {
  threshold: THRESHOLD,
  preserve: {
    name: 'preserve',
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
export const inspectTrim: StageDefinition<InspectTrimParams> = {
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
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(NAME, view, context, decide(view, params, context));
  },
};

/** Where the conversation began after the last trim, which was before the request at position `at`. */
interface Trim {
  readonly start: number;
  readonly at: number;
  readonly tokens: number;
}

function decide(view: View, params: InspectTrimParams, context: StageContext): Decision {
  const limit = inspectLimit(params, context);
  if (limit === null) return noWindow(context);
  const reader = readView(view, context.source, context.memo);
  const stays = staying(reader, context);
  const { last, highest } = lastTrim(reader, stays, params.preserve, limit.tokens, context);
  if (last === null) {
    const reason = `no request was larger than ${tokensInWords(highest, context)}: not > ${limit.words}`;
    const fate: Fate = { kind: 'kept', stage: context.stage, rule: 'below_threshold', reason: `kept: ${reason}` };
    return { items: null, fates: new Map(), summary: `nothing to do: ${reason}`, explain: () => fate };
  }
  const why = `${tokensInWords(last.tokens, context)} > ${limit.words}`;
  const edits = new Edits(reader, context);
  const trimmed = {
    rule: 'trimmed',
    reason: `${why}; not among the latest ${params.preserve} of the messages (preserve)`,
  };
  for (let position = 0; position < last.start; position++) if (!stays(position)) edits.drop(position, trimmed);
  removeUnpaired(reader, context, edits, last);
  const edited = edits.apply();
  return {
    ...edited,
    summary: `${countOf(edited.fates.size, 'message')} dropped · ${savedTokens(edited.reclaimedTokens)}`,
    explain: explainer(stays, last, why, params, context),
  };
}

// System messages and the sample's input.
function staying(reader: ViewReader, context: StageContext): (position: number) => boolean {
  const outline = outlineOf(reader, context);
  let first = 0;
  while (first < reader.length && (outline(first) & IS_ASSISTANT) === 0) first++;
  const inputs = new Set<number>();
  for (let position = 0; position < first; position++) if (isInput(reader.text(position))) inputs.add(position);
  let end = 0;
  if (inputs.size === 0) {
    while (end < reader.length && (outline(end) & BEGINS_TURN) === 0) end++;
    end++;
  }
  return (position) => position < end || inputs.has(position) || reader.facts(position).role === 'system';
}

function isInput(text: string): boolean {
  const message: unknown = JSON.parse(text);
  return isRecord(message) && stringAt(message, 'source') === 'input';
}

// One pass: where the conversation begins only moves forward.
function lastTrim(
  reader: ViewReader,
  stays: (position: number) => boolean,
  preserve: number,
  limit: number,
  context: StageContext,
): { readonly last: Trim | null; readonly highest: number } {
  const outline = outlineOf(reader, context);
  const sums = prefixTokens(reader, context);
  let last: Trim | null = null;
  let highest = 0;
  let start = 0;
  let dropped = 0;
  // Messages of the conversation in [start, at).
  let alive = 0;
  const dropFirst = (): void => {
    if (!stays(start)) {
      dropped += (sums[start + 1] ?? 0) - (sums[start] ?? 0);
      alive--;
    }
    start++;
  };
  for (let at = 0; at <= reader.length; at++) {
    const isRequest = at === reader.length || (outline(at) & IS_ASSISTANT) !== 0;
    const tokens = (sums[at] ?? 0) - dropped;
    if (isRequest) highest = Math.max(highest, tokens);
    if (isRequest && tokens > limit) {
      const left = alive - Math.floor(alive * (1 - preserve));
      while (alive > left && start < at) dropFirst();
      // Results whose call is gone follow it.
      while (start < at && (stays(start) || (outline(start) & (HOLDS_RESULT | BEGINS_TURN)) === HOLDS_RESULT))
        dropFirst();
      last = { start, at, tokens };
    }
    if (at < reader.length && !stays(at)) alive++;
  }
  return { last, highest };
}

// Of what is left: results that no call stands before, and calls without a result.
function removeUnpaired(reader: ViewReader, context: StageContext, edits: Edits, { start, at }: Trim): void {
  const answered = new Set<string>();
  const why = { rule: 'unpaired', reason: 'its other half was dropped, or never was' };
  for (const exchange of exchangesOf(reader, context)) {
    if (exchange.message < start) continue;
    for (const { message, part, results } of exchange.calls) {
      for (const result of results) answered.add(`${result.message} ${result.part}`);
      if (results.length === 0 && message < at) edits.remove({ message, part }, why);
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
  stays: (position: number) => boolean,
  last: Trim,
  why: string,
  { preserve }: InspectTrimParams,
  { stage }: StageContext,
) {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const input = kept('input', 'kept: system messages and the input stay');
  const latest = kept('preserved', `kept: among the latest ${preserve} of the messages (preserve) when ${why}`);
  const since = kept('since_trim', `kept: it came after the last request that was too large (${why})`);
  return (position: number): Fate => (position >= last.at ? since : stays(position) ? input : latest);
}
