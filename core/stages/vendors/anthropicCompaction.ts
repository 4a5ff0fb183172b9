import { amount } from '../../view/amount.ts';
import { BEGINS_TURN, HOLDS_RESULT, IS_ASSISTANT, outlineOf } from '../../view/outline.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ViewReader } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { ParamSchema, StageContext, StageDefinition } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { type CompactionRules, describeThreshold } from './support/compactionRun.ts';
import { LiveCompaction } from './support/liveCompaction.ts';
import { ROOM_HELP, unwrapTyped } from './support/options.ts';
import { recordedBlocks } from './support/recordedBlocks.ts';

const MODES = ['threshold', 'on_demand'] as const;
const ON_DEMAND = { param: 'mode', is: ['on_demand'] };
const AT_THRESHOLD = { param: 'mode', is: ['threshold'] };

/** What the documentation's example of pausing keeps: the exchange before, and the user's message. */
const KEPT_AFTER_PAUSE = 3;

const PARAMS = {
  mode: {
    name: 'mode',
    label: 'Who compacts',
    type: 'choice',
    default: 'threshold',
    choices: [
      { value: 'threshold', help: 'The API, within a request that reaches the trigger (compact_20260112).' },
      { value: 'on_demand', help: 'The client asks for it in a separate request (compaction: {type: "summarize"}).' },
    ],
    help: 'Whether the API compacts by itself, or the client asks for a summary and sends it in place of what it covers.',
  },
  trigger: {
    name: 'trigger',
    label: 'Compact above',
    ...amount('tokens', 150_000, { from: 50_000, to: 1_000_000 }),
    when: AT_THRESHOLD,
    help: `A request that reaches this is compacted; the API takes 50,000 or more. ${ROOM_HELP}`,
  },
  askAbove: {
    name: 'ask_above',
    label: 'Ask above',
    ...amount('tokens', 150_000, { from: 1, to: 1_000_000 }),
    when: ON_DEMAND,
    help: `When a request would reach this, the client asks for a summary first. The API has no threshold here: it is the client's own. ${ROOM_HELP}`,
  },
  keepTurns: {
    name: 'keep_turns',
    label: 'Turns to keep',
    ...amount('turns', 0, { to: 20 }),
    when: ON_DEMAND,
    help: 'So many of the latest turns stay word for word behind the summary; the cut moves back to where kept thinking stays valid. 0: only what nobody has answered yet.',
  },
  background: {
    name: 'background',
    label: 'Messages until it is there',
    ...amount('messages', 0, { to: 20 }),
    when: ON_DEMAND,
    help: 'The summary is made in the background: this many messages come in before it is used. It replaces what was sent when it was asked for; what came since stays after it. 0: the client waits.',
  },
  pause: {
    name: 'pause_after_compaction',
    label: 'Pause after compaction',
    type: 'boolean',
    default: false,
    when: AT_THRESHOLD,
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
  readonly mode: (typeof MODES)[number];
  readonly trigger: number;
  readonly pauseAfterCompaction: boolean;
  readonly askAbove: number;
  readonly keepTurns: number;
  readonly background: number;
  readonly instructions: string | null;
}

/**
 * Anthropic's compactions. At a threshold (`compact_20260112`): a request that reaches the trigger is summarised as a
 * whole, and the conversation continues from a `compaction` block, before which everything is dropped. On demand
 * (`compaction: {type: "summarize"}`): the client asks for the block and sends it first, in place of what it stands for.
 * A block that is recorded is used where it stands; all before the newest is gone with it, one without content does
 * nothing. Source: platform.claude.com/docs/en/build-with-claude/compaction, /compaction-on-demand and its pages "Keep
 * recent turns" and "Background" (September 2026). The API's own JSON is accepted. Chosen here: `ask_above`, `keep_turns`
 * and `background` are the client's, of which the API knows nothing; leading system messages stay, as the API's system
 * prompt does; a pause keeps no result without its call. What the summary says only a model can write, and its block only
 * the API can sign: without a recorded block a text of the user's is there, recorded, written by you, or a placeholder.
 */
export const anthropicCompaction: StageDefinition<AnthropicCompactionParams> = {
  kind: 'anthropic_compaction',
  title: 'Compaction (Anthropic)',
  aliases: ['compact_20260112'],
  family: 'vendors',
  traits: { providerTakes: 'history' },
  // On demand the cut is where kept thinking stays valid; where there is none such, the card says so.
  keepsThinking: () => 'provider',
  help: 'Replaces the conversation by a summary whenever a request reaches a threshold, as Anthropic’s API does with compact_20260112, or as a client does that asks for it.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), unwrapTyped(options, { trigger: null }), (reader) => ({
      mode: reader.choice(PARAMS.mode, MODES),
      trigger: reader.count(PARAMS.trigger),
      pauseAfterCompaction: reader.flag(PARAMS.pause),
      askAbove: reader.count(PARAMS.askAbove),
      keepTurns: reader.count(PARAMS.keepTurns),
      background: reader.count(PARAMS.background),
      instructions: reader.text(PARAMS.instructions),
    })),
  incremental: (params, context) => new LiveCompaction(context, (reader, at) => rulesOf(params, reader, at)),
};

function rulesOf(params: AnthropicCompactionParams, reader: ViewReader, context: StageContext): CompactionRules {
  const blocks = recordedBlocks(context);
  const shared = {
    relation: '≥',
    isOfPrompt: true,
    rule: 'compacted',
    // Only the API can make the block.
    render: (content: string) => textMessage('user', content, reader),
    carries(position: number): boolean {
      const index = blocks.size === 0 ? null : reader.indexOf(position);
      return index !== null && blocks.has(index);
    },
  };
  const own = params.mode === 'threshold' ? atThreshold(params, reader, context) : onDemand(params, reader, context);
  return { ...shared, ...own };
}

type OwnRules = Pick<CompactionRules, 'threshold' | 'isOver' | 'cutAt' | 'keptWords' | 'instead' | 'delay' | 'remark'>;

function atThreshold(
  { trigger, pauseAfterCompaction }: AnthropicCompactionParams,
  reader: ViewReader,
  context: StageContext,
): OwnRules {
  const outline = outlineOf(reader, context);
  const holdsResult = (position: number): boolean =>
    position < reader.length && (outline(position) & HOLDS_RESULT) !== 0;
  return {
    threshold: describeThreshold(trigger, 'trigger'),
    isOver: (tokens) => tokens >= trigger,
    cutAt(from, at) {
      let cut = pauseAfterCompaction ? Math.max(from, at - KEPT_AFTER_PAUSE) : at;
      if (pauseAfterCompaction) while (cut > from && holdsResult(cut)) cut--;
      return cut;
    },
    keptWords(position, { at }) {
      const last = `among the last ${countOf(KEPT_AFTER_PAUSE, 'message')} before the pause (pause_after_compaction)`;
      return position < at - KEPT_AFTER_PAUSE
        ? `not ${last}, but a cut behind it would part a call from its result`
        : last;
    },
    instead: 'a compaction block that only the API can make',
  };
}

function onDemand(
  { askAbove, keepTurns, background }: AnthropicCompactionParams,
  reader: ViewReader,
  context: StageContext,
): OwnRules {
  const asked = `when the summary was asked for (ask_above ${grouped(askAbove)})`;
  const cuts = new KeptTurns(reader, context, asked);
  return {
    threshold: describeThreshold(askAbove, 'ask_above'),
    isOver: (tokens) => tokens >= askAbove,
    cutAt: (from, at) => cuts.cutAt(from, at, keepTurns),
    keptWords: (position, { cut, at }) => cuts.keptWords(position, cut, at, keepTurns),
    instead: 'a compaction block that only the API can make and sign',
    delay: background,
    remark: (cut) => cuts.remark(cut),
  };
}

/** Where turns that are kept may begin. */
class KeptTurns {
  readonly #reader: ViewReader;
  readonly #outline: (position: number) => number;
  readonly #whenAsked: string;
  /** Of the cut that was asked about last: where the turns to keep begin, and what nobody has answered. */
  #asked: { readonly cut: number; readonly at: number; readonly start: number; readonly open: number } | null = null;

  /** `whenAsked` = when a summary is asked for, in words. */
  constructor(reader: ViewReader, context: StageContext, whenAsked: string) {
    this.#reader = reader;
    this.#outline = outlineOf(reader, context);
    this.#whenAsked = whenAsked;
  }

  /** The cut for a request before `at`; `from` where there is none that leaves something to summarise. */
  cutAt(from: number, at: number, turns: number): number {
    const open = this.#unanswered(from, at);
    const wanted = turns === 0 ? open : Math.min(open, this.#turnStart(from, at, turns));
    let cut = wanted;
    while (cut > from && !this.#keepsThinking(cut)) cut--;
    return cut > from || this.#splitsCall(wanted) ? cut : wanted;
  }

  /** Why a message is kept between a cut and the request before `at`. */
  keptWords(position: number, cut: number, at: number, turns: number): string {
    if (this.#asked?.cut !== cut || this.#asked.at !== at) {
      const start = turns === 0 ? at : this.#turnStart(cut, at, turns);
      this.#asked = { cut, at, start, open: this.#unanswered(cut, at) };
    }
    if (position >= this.#asked.start) {
      return `in the last ${countOf(turns, 'turn')} when the summary was asked for (keep_turns)`;
    }
    if (position >= this.#asked.open) return `not answered yet ${this.#whenAsked}`;
    const older =
      turns === 0 ? 'no turn is kept (keep_turns 0)' : `older than the last ${countOf(turns, 'turn')} (keep_turns)`;
    return `${older}, but a cut behind it would part a call from its result, or void the thinking that is kept`;
  }

  /** What is to be said of a cut. */
  remark(cut: number): string | null {
    if (cut >= this.#reader.length || this.#keepsThinking(cut)) return null;
    return 'thinking behind the cut is not carried over: both sides of it are of one role';
  }

  // What came since the last answer; where that holds results, the answer that called too.
  #unanswered(from: number, at: number): number {
    let start = at;
    let hasResults = false;
    while (start > from && (this.#outline(start - 1) & IS_ASSISTANT) === 0) {
      start--;
      hasResults ||= this.#holdsResult(start);
    }
    return hasResults && start > from ? start - 1 : start;
  }

  #turnStart(from: number, at: number, turns: number): number {
    let left = turns;
    for (let position = at - 1; position > from; position--) {
      if ((this.#outline(position) & BEGINS_TURN) !== 0 && --left === 0) return position;
    }
    return from;
  }

  // Thinking behind the cut stays valid only where the roles change, and no system message is the first.
  #keepsThinking(cut: number): boolean {
    if (cut >= this.#reader.length) return true;
    const { role } = this.#reader.facts(cut);
    const isSystem = role === 'system' || role === 'developer';
    return !isSystem && !this.#splitsCall(cut) && role !== this.#reader.facts(cut - 1).role;
  }

  #splitsCall(cut: number): boolean {
    return cut < this.#reader.length && this.#holdsResult(cut);
  }

  #holdsResult(position: number): boolean {
    return (this.#outline(position) & HOLDS_RESULT) !== 0;
  }
}
