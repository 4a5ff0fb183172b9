import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails, StageDone } from '../../view/incremental.ts';
import { parseParams } from '../../view/parseParams.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, Pausing, StageDefinition } from '../../view/types.ts';
import { grouped } from '../../view/words.ts';
import { describeDropped, type Idle, NO_WINDOW_IDLE } from './support/conclude.ts';
import type { LiveEdit } from './support/editor.ts';
import { GrowingUses } from './support/growingUses.ts';
import { LiveEdits, SharedWhy } from './support/liveEdits.ts';
import { formatTokenCount, type MessageRoom, ROOM_HELP, roomIn, WINDOW, windowOf } from './support/options.ts';
import { headLength } from './support/summarySpan.ts';
import type { ToolUse } from './support/toolUses.ts';

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
    relax: { values: ['disabled'] },
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
export const openaiTruncation: StageDefinition<OpenAiTruncationParams> = {
  kind: 'openai_truncation',
  title: 'Truncation (OpenAI Responses)',
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
  incremental: (params, context) => new Truncation(params, context),
};

/** Where the kept messages begin only moves on. */
class Truncation extends LiveEdits {
  readonly #params: OpenAiTruncationParams;
  readonly #window: number | null;
  #uses = new GrowingUses();
  #known = 0;
  #sums: number[] = [0];
  #head = 0;
  #cut = 0;
  /** Results without their call in the last turn: looked at again each time. */
  #open: readonly LiveEdit[] = [];
  readonly #truncated = new SharedWhy(() => {
    const { tokens, of } = this.#room();
    return {
      rule: 'truncated',
      reason: `${formatTokenCount(this.#total(), this.context)} > ${grouped(tokens)} (${of}); the oldest go first`,
    };
  });
  readonly #orphan = new SharedWhy(() => {
    return { rule: 'call_truncated', reason: `its call was dropped: ${this.#truncated.get().reason}` };
  });

  constructor(params: OpenAiTruncationParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
    this.#window = windowOf(params.window, given);
  }

  protected override get isOff(): boolean {
    return this.#params.truncation === 'disabled' || this.#window === null;
  }

  protected override idle(): Idle | null {
    if (this.#params.truncation === 'disabled') return { rule: 'disabled', reason: 'truncation is disabled' };
    if (this.#window === null) return NO_WINDOW_IDLE;
    const { tokens, of } = this.#room();
    if (this.#total() > tokens) return null;
    return { rule: 'fits', reason: `${formatTokenCount(this.#total(), this.context)} fit ${grouped(tokens)} (${of})` };
  }

  protected override reset(): void {
    super.reset();
    this.#uses = new GrowingUses();
    this.#known = 0;
    this.#sums = [0];
    this.#head = 0;
    this.#cut = 0;
    this.#open = [];
  }

  protected override *pushAll(from: number): Pausing<void> {
    if (from > 0) return yield* super.pushAll(from);
    this.#head = headLength(this.reader);
    this.#cut = this.#head;
    this.#uses.fill(this.reader, this.context);
    for (let position = 0; position < this.reader.length; position++) this.#count(position);
  }

  protected push(position: number): void {
    const { role } = this.reader.facts(position);
    if (position === this.#head && (role === 'system' || role === 'developer')) this.#head++;
    this.#uses.push(position, this.reader.facts);
    this.#count(position);
  }

  #count(position: number): void {
    this.#sums.push((this.#sums[position] ?? 0) + itemTokens(this.reader.item(position), this.context));
  }

  protected settle(): Pausing<void> {
    this.#truncated.change();
    this.#orphan.change();
    for (const edit of this.#open) this.take(edit);
    const before = Math.max(this.#head, this.#cut);
    this.#cut = this.#cutAt(before);
    const why = this.#truncated.get;
    for (let position = before; position < this.#cut; position++) this.drop(position, why);
    const { closed } = this.#uses;
    for (; this.#known < closed.length; this.#known++) this.#removeOrphans(closed[this.#known], before);
    for (let at = firstFrom(closed, before); (closed[at]?.call.message ?? this.#cut) < this.#cut; at++) {
      this.#removeOrphans(closed[at], this.#cut);
    }
    this.#open = this.#uses
      .open(this.reader.length, this.reader.facts)
      .flatMap((use) => (this.#isGone(use, this.#cut) ? this.#orphans(use) : []));
    for (const edit of this.#open) this.add(edit);
    return this.show();
  }

  #removeOrphans(use: ToolUse | undefined, cut: number): void {
    if (use === undefined || !this.#isGone(use, cut)) return;
    for (const edit of this.#orphans(use)) this.add(edit);
  }

  // Results that stay, of a call that goes: alone they would be refused.
  #orphans({ results }: ToolUse): LiveEdit[] {
    const behind = results.filter(({ message }) => message >= this.#cut);
    return behind.map((place) => ({ place, op: 'remove', why: this.#orphan.get }));
  }

  #isGone({ call }: ToolUse, cut: number): boolean {
    return call.message >= this.#head && call.message < cut;
  }

  #cutAt(from: number): number {
    const { tokens } = this.#room();
    const total = this.#total();
    let cut = from;
    if (total <= tokens) return cut;
    const ahead = this.#sums[this.#head] ?? 0;
    while (cut < this.reader.length - 1 && total - ((this.#sums[cut] ?? 0) - ahead) > tokens) cut++;
    return cut;
  }

  #room(): MessageRoom {
    return roomIn(this.#window ?? 0, this.context);
  }

  #total(): number {
    return this.#sums.at(-1) ?? 0;
  }

  protected details(done: StageDone): ReportDetails {
    const { tokens, chars } = this.savedByAll();
    return { summary: describeDropped(done), reclaimedTokens: tokens, reclaimedChars: chars };
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const { tokens, of } = this.#room();
    const instructions = keptBecause(stage, 'instructions', 'kept: leading instructions are not dropped');
    const fits = `kept: from here on the messages fit ${grouped(tokens)} tokens (${of})`;
    const ahead = this.#sums[this.#head] ?? 0;
    const left = this.#total() - ((this.#sums[this.#cut] ?? 0) - ahead);
    const held = `${formatTokenCount(left, this.context)}${ahead > 0 ? ' with the instructions' : ''}`;
    const last = `kept: the last message stays, though it takes ${held} > ${grouped(tokens)} (${of})`;
    const behind = left > tokens ? keptBecause(stage, 'last_message', last) : keptBecause(stage, 'fits', fits);
    return (position) => (position < this.#head ? instructions : behind);
  }
}

// The first use whose call is at a position or behind it.
function firstFrom(uses: readonly ToolUse[], position: number): number {
  let low = 0;
  let high = uses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((uses[middle]?.call.message ?? position) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
