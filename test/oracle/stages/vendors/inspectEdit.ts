import { IS_ASSISTANT, outlineOf } from '../../../../core/view/outline.ts';
import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, ParamSchema, Pausing, StageContext, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, noWindow, savedTokens, untouched } from './support/conclude.ts';
import { prefixTokens } from './support/counting.ts';
import { Edits, type Why } from './support/edits.ts';
import { inspectLimit, THRESHOLD } from './support/inspectLimit.ts';
import {
  EditTrack,
  editsOfUse,
  keptUses,
  overWords,
  reasoningAt,
  reasoningTokens,
  reasoningWhy,
  savedByUse,
  whyOfUse,
} from './support/inspectPlan.ts';
import { tokensInWords, WINDOW } from './support/options.ts';
import { type ToolUse, toolUsesOf } from './support/toolUses.ts';

const NAME = { kind: 'inspect_edit', title: 'Compaction by editing (inspect_ai)' };
const KEEP_THINKING = ['turns', 'all'] as const;

/** What inspect_ai puts in the place of a result. */
export const REMOVED = '(Tool result removed)';

const PARAMS = {
  threshold: THRESHOLD,
  keepThinking: {
    name: 'keep_thinking',
    label: 'Reasoning to keep',
    type: 'choice',
    default: 'turns',
    choices: [
      { value: 'turns', help: 'The last turns keep their reasoning.' },
      { value: 'all', help: 'All reasoning stays.' },
    ],
    help: 'Which reasoning stays.',
  },
  keepThinkingTurns: {
    name: 'keep_thinking_turns',
    label: 'Turns that keep reasoning',
    type: 'integer',
    default: 1,
    min: 0,
    softMax: 20,
    unit: 'turns',
    when: { param: 'keep_thinking', is: ['turns'] },
    help: 'How many of the latest messages of the assistant keep their reasoning: inspect_ai counts each as a turn.',
  },
  keepToolUses: {
    name: 'keep_tool_uses',
    label: 'Tool uses to keep',
    type: 'integer',
    default: 3,
    min: 0,
    softMax: 50,
    unit: 'tool uses',
    help: 'How many of the latest tool uses stay. Those of excluded tools do not count.',
  },
  keepToolInputs: {
    name: 'keep_tool_inputs',
    label: 'Keep arguments',
    type: 'boolean',
    default: true,
    help: 'Keep the calls and clear their results alone. Off: both go, and a line of text says so.',
  },
  excludeTools: {
    name: 'exclude_tools',
    label: 'Tools never cleared',
    type: 'list',
    offers: 'tools',
    default: [],
    help: 'Tools whose uses are never cleared.',
  },
  window: WINDOW,
} satisfies Record<string, ParamSchema>;

/** Parameters of inspect_edit; keepThinkingTurns null = all. `threshold`: tokens, or a share of the window below 1. */
export interface InspectEditParams {
  readonly threshold: number;
  readonly keepThinkingTurns: number | null;
  readonly keepToolUses: number;
  readonly keepToolInputs: boolean;
  readonly excludeTools: ReadonlySet<string>;
  readonly window: number;
}

/**
 * inspect_ai's CompactionEdit. Source: inspect.aisi.org.uk/compaction.html and model/_compaction/edit.py (2026). The
 * messages are edited before a request that is larger than the threshold, and go on from there edited; until the next such
 * request the newer ones stay as they are. Left out: the memory tool's contents, citations, and tools that the provider runs
 * itself.
 */
export const inspectEdit: PlainStage<InspectEditParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Clears old tool results and reasoning whenever a request is larger than a threshold, as CompactionEdit of inspect_ai does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), unwrap(options), (reader) => {
      const keepThinking = reader.choice(PARAMS.keepThinking, KEEP_THINKING);
      const turns = reader.count(PARAMS.keepThinkingTurns);
      return {
        threshold: reader.number(PARAMS.threshold),
        keepThinkingTurns: keepThinking === 'all' ? null : turns,
        keepToolUses: reader.count(PARAMS.keepToolUses),
        keepToolInputs: reader.flag(PARAMS.keepToolInputs),
        excludeTools: new Set(reader.list(PARAMS.excludeTools)),
        window: reader.count(PARAMS.window),
      };
    }),
  *run(view, params, context) {
    return conclude(NAME, view, context, yield* decide(view, params, context));
  },
};

// keep_thinking_turns: "all", as the library takes it.
function unwrap(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (options.keep_thinking_turns !== 'all') return options;
  const { keep_thinking_turns: _all, ...rest } = options;
  return { ...rest, keep_thinking: 'all' };
}

function* decide(view: View, params: InspectEditParams, context: StageContext): Pausing<Decision> {
  const limit = inspectLimit(params, context);
  if (limit === null) return noWindow(context);
  const reader = readView(view, context.source, context.memo);
  const uses = toolUsesOf(reader, context).filter(({ name }) => name === null || !params.excludeTools.has(name));
  const edits = new Edits(reader, context, { placeholder: REMOVED });
  const { track, thinkers } = follow(reader, uses, limit.tokens, params, edits, context);
  if (track.at === null) {
    const reason = `no request was larger than ${tokensInWords(track.highest, context)}: not > ${limit.words}`;
    return untouched(context, 'below_threshold', reason);
  }
  const over = overWords(track, limit.words, context);
  for (const use of uses.slice(0, track.cleared)) clear(use, whyOfUse(over, params), params, edits);
  for (const position of thinkers.slice(0, track.unthought)) {
    for (const place of reasoningAt(reader, position)) edits.remove(place, reasoningWhy(over, params));
  }
  const edited = yield* edits.apply();
  return {
    ...edited,
    summary:
      edited.items === null
        ? `nothing to clear: ${over}`
        : `${countOf(track.cleared, 'tool use')} cleared · ${savedTokens(edited.reclaimedTokens)}`,
    explain: explainer(uses, track.at, over, params, context),
    meta: {
      cleared_tool_uses: track.cleared,
      edited_before: reader.length === track.at ? null : reader.indexOf(track.at),
    },
  };
}

function follow(
  reader: ViewReader,
  uses: readonly ToolUse[],
  limit: number,
  params: InspectEditParams,
  edits: Edits,
  context: StageContext,
): { readonly track: EditTrack; readonly thinkers: readonly number[] } {
  const sums = prefixTokens(reader, context);
  const outline = outlineOf(reader, context);
  const track = new EditTrack();
  const thinkers: number[] = [];
  let seen = 0;
  for (let at = 0; at <= reader.length; at++) {
    const isAssistant = at < reader.length && (outline(at) & IS_ASSISTANT) !== 0;
    if (!isAssistant && at < reader.length) continue;
    while (seen < uses.length && (uses[seen]?.results.at(-1)?.message ?? at) < at) seen++;
    track.request(at, sums[at] ?? 0, limit, params, {
      uses: seen,
      thinkers: thinkers.length,
      savedByUse: (one) => {
        const use = uses[one];
        return use === undefined ? 0 : savedByUse(use, params, edits, reader, context);
      },
      savedByThinking: (one) => reasoningTokens(reader, thinkers[one] ?? 0, context),
    });
    if (isAssistant) thinkers.push(at);
  }
  return { track, thinkers };
}

function clear(use: ToolUse, why: Why, params: InspectEditParams, edits: Edits): void {
  for (const { place, op, text } of editsOfUse(use, params)) {
    if (op === 'result') edits.clearResult(place, why);
    else if (op === 'remove') edits.remove(place, why);
    else edits.append(place.message, text ?? '');
  }
}

function explainer(
  uses: readonly ToolUse[],
  at: number,
  over: string,
  params: InspectEditParams,
  { stage }: StageContext,
): Decision['explain'] {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const recent = kept('recent_tool_use', `kept: among ${keptUses(params)} when ${over}`);
  const since = kept('since_edit', `kept: it came after the last request that was too large (${over})`);
  const other = kept('not_concerned', 'kept: it holds nothing that may be cleared');
  const fates = new Map<number, Fate>();
  for (const { call, results } of uses) for (const { message } of [call, ...results]) fates.set(message, recent);
  return (position) => (position >= at ? since : (fates.get(position) ?? other));
}
