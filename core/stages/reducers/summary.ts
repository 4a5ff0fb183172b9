import { amount } from '../../view/amount.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import { ItemMap } from '../../view/itemMap.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { parseParams } from '../../view/parseParams.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, StageDefinition, View, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { everyTurns } from './every.ts';
import { isBefore, LiveTurns } from './liveTurns.ts';
import {
  type Beginning,
  isReplaced,
  planSummary,
  type SummaryPlan,
  type SummaryView,
  systemEnd,
} from './summaryPlan.ts';

const NAME = { kind: 'summary', title: 'Summary' };

type When = 'over_budget' | 'always';
type Role = 'system' | 'user' | 'assistant';
const WHENS: readonly When[] = ['over_budget', 'always'];
const ROLES: readonly Role[] = ['system', 'user', 'assistant'];

const WHEN: ParamSchema = {
  name: 'when',
  label: 'When to summarize',
  type: 'choice',
  default: 'over_budget',
  choices: [
    { value: 'over_budget', help: 'Only if what the stages before have left does not fit the budget.' },
    { value: 'always', help: 'At every request.' },
  ],
  relax: { values: ['over_budget'] },
  help: 'When a summary takes the place of the beginning: it is lossy and costs a call, so last and only if needed.',
};
const KEEP: ParamSchema = {
  name: 'keep_turns',
  label: 'Turns to keep',
  aliases: ['keep_last'],
  ...amount('turns', 2, { to: 20 }),
  help: 'How many turns at the end stay word for word.',
};
const ROLE: ParamSchema = {
  name: 'role',
  label: 'Role of the summary',
  type: 'choice',
  default: 'system',
  choices: [
    { value: 'system', help: 'As a system message; hygiene moves it where the provider wants it.' },
    { value: 'user', help: 'As if the user had said it.' },
    { value: 'assistant', help: 'As if the model had said it.' },
  ],
  help: 'Whose message a summary is. A recorded one in the history keeps its role.',
};
const EVERY = everyTurns(
  'Cut again every N turns',
  'Move the cut only when so many more turns are old enough: up to that many more turns stay meanwhile, and the beginning of the request, which the provider’s cache holds, stays the same between two cuts.',
);
const PARAMS = [WHEN, KEEP, EVERY, ROLE];

/** The parsed parameters. */
export interface SummaryParams {
  readonly when: When;
  readonly keepTurns: number;
  /** The cut is at a multiple of so many turns. */
  readonly every: number;
  readonly role: Role;
}

/**
 * Puts the latest summary that applies in place of the oldest span, in whole turns, behind the system prompt: one that
 * the runtime recorded, or one that a person wrote here. Where none applies a labelled placeholder stands, and the report
 * says which span a summary is needed for. No model is called. Source: seed of the reducer pipeline, "Summarization".
 */
export const summary: StageDefinition<SummaryParams> = {
  ...NAME,
  aliases: ['summarize'],
  family: 'reducers',
  traits: { dearness: { rank: 4, isStated: true }, clientTakes: 'history' },
  help: 'If the request is still over budget: the latest recorded or written summary in place of the oldest turns, else a placeholder that says one is needed.',
  params: PARAMS,
  usesTokens: true,
  parse: (options) =>
    parseParams(PARAMS, options, (reader) => ({
      when: reader.choice(WHEN, WHENS),
      keepTurns: reader.count(KEEP),
      every: reader.count(EVERY),
      role: reader.choice(ROLE, ROLES),
    })),
  incremental: (params, context) => new Summary(params, context),
};

const START: LivePlace = { cell: 0, slot: 0 };
const NO_ITEMS: readonly ViewItem[] = [];

/** What is said of messages that stay, shared by all of a call point. */
interface Kept {
  readonly head: Fate;
  readonly self: Fate;
  readonly tail: Fate;
  readonly cut: Fate;
  readonly pair: Fate;
  readonly behind: Fate;
}

/**
 * What all takes is added up as it changes; where the summary ends, and what stands before, changes only when another
 * summary applies or another turn is the first that stays.
 */
class Summary implements IncrementalRun {
  readonly #params: SummaryParams;
  readonly #context: IncrementalContext;
  readonly #live: LiveTurns;
  /** True if it matters what all takes. */
  readonly #counts: boolean;
  /** Cells that hold messages that no one wrote. */
  readonly #synthetic = new Set<number>();
  #used = 0;
  /** Tokens of edited and made messages. */
  readonly #counted = new ItemMap<number>();
  #input: LiveView | null = null;
  #plan: SummaryPlan | null = null;
  #kept: Kept | Fate | null = null;
  /** Where the system prompt ends, as a place and as a position. */
  #head = START;
  #headEnd = 0;

  constructor(params: SummaryParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#live = new LiveTurns(context);
    this.#counts = params.when === 'over_budget' && context.budget !== null;
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    const old = { beginning: this.#beginning, head: this.#head };
    this.#input = input;
    this.#kept = null;
    this.#live.step(input, at);
    if (input.whole === null) this.#readChanged(input);
    else this.#readWhole(input.whole, input);
    this.#headEnd = systemEnd(this.#live.reader(input));
    this.#head = input.place(this.#headEnd);
    this.#plan = planSummary(this.#params, this.#context, this.#view(input, at));
    if (old.beginning === null && this.#beginning === null) return;
    this.#showAll(old, input, overlay);
  }

  fateOf(index: number): Fate | null {
    const input = this.#input;
    const item = input?.source(index) ?? null;
    if (input === null || item === null) return null;
    const beginning = this.#beginning;
    const isGone = beginning !== null && !this.#stays(item, this.#placeOf(index, input), beginning);
    return isGone ? beginning.fate : this.explain(index);
  }

  explain(index: number): Fate {
    const [input, plan] = [this.#input, this.#plan];
    if (input === null || plan === null) throw new Error('a stage is asked before its first step');
    const kept = this.#kept ?? this.#describeKept(plan);
    this.#kept = kept;
    if ('kind' in kept) return kept;
    if (input.before(index + 1) <= this.#headEnd) return kept.head;
    if (plan.kind === 'replace' && index === plan.beginning.keepsSummaryAt) return kept.self;
    if (plan.kind === 'replace' && index >= plan.cut) return index >= plan.tail ? kept.tail : kept.cut;
    return plan.kind === 'replace' && index < (plan.beginning.saysUpTo ?? 0) ? kept.pair : kept.behind;
  }

  report({ counts }: StageDone): ReportDetails {
    const plan = this.#plan;
    if (plan === null) throw new Error('a stage is asked before its first step');
    if (plan.kind === 'idle') return { summary: `nothing to do: ${plan.why}` };
    const { words } = plan.beginning;
    const gone = counts.summarised ?? 0;
    const said = gone === 0 ? `nothing comes before ${words}` : `${countOf(gone, 'message')} replaced by ${words}`;
    const needsSummary = plan.needsSummary();
    if (needsSummary === null) return { summary: said };
    return { summary: `${said} · needs a summary of #${needsSummary.from}–#${needsSummary.to - 1}`, needsSummary };
  }

  get #beginning(): Beginning | null {
    return this.#plan?.kind === 'replace' ? this.#plan.beginning : null;
  }

  #describeKept(plan: SummaryPlan): Kept | Fate {
    const { stage } = this.#context;
    if (plan.kind === 'idle') return keptBecause(stage, NOT_CONCERNED, `kept: no summary: ${plan.why}`);
    const { words } = plan.beginning;
    const { keepTurns, every } = this.#params;
    const last = `the last ${countOf(keepTurns, 'turn')}`;
    const step = every > 1 ? `, which moves ${grouped(every)} turns at a time (every) and` : ', which';
    const cut = `kept: older than ${last}, and behind the cut${step} parts no call from its result`;
    return {
      head: keptBecause(stage, 'system_prompt', 'kept: the system prompt stays before the summary'),
      self: keptBecause(stage, 'is_summary', `kept: ${words}; it replaces the messages before it`),
      tail: keptBecause(stage, 'in_tail', `kept: among ${last} (keep_turns)`),
      cut: keptBecause(stage, 'behind_cut', cut),
      pair: keptBecause(stage, 'pair_stays_whole', `kept: ${words} ends between a call and its result`),
      behind: keptBecause(stage, 'behind_summary', `kept: ${words} ends before it`),
    };
  }

  #readWhole({ items }: View, input: LiveView): void {
    for (const [position, item] of items.entries()) {
      if (item.kind === 'synthetic') this.#synthetic.add(input.place(position).cell);
      if (this.#counts) this.#used += this.#countOf(item);
    }
  }

  #readChanged(input: LiveView): void {
    for (const [cell, before] of input.changed) {
      const now = input.at(cell);
      if (this.#counts) this.#used += this.#tokens(now) - this.#tokens(before);
      if (now.some((item) => item.kind === 'synthetic')) this.#synthetic.add(cell);
      else this.#synthetic.delete(cell);
    }
  }

  #tokens(items: readonly ViewItem[]): number {
    let sum = 0;
    for (const item of items) sum += this.#countOf(item);
    return sum;
  }

  // What other stages made of a message leaves as the item that came: its count need not be found by its text.
  #countOf(item: ViewItem): number {
    if (item.text === undefined) return itemTokens(item, this.#context);
    const known = this.#counted.get(item);
    if (known !== undefined) return known;
    const { tokens } = this.#context;
    const guesses = tokens.guesses ?? 0;
    const count = itemTokens(item, this.#context);
    if ((tokens.guesses ?? 0) === guesses) this.#counted.set(item, count);
    return count;
  }

  #view(input: LiveView, at: number): SummaryView {
    return {
      at,
      reader: this.#live.reader(input),
      turns: this.#live.turns(input),
      systemEnd: this.#headEnd,
      item: (position) => input.item(position),
      before: (index) => input.before(index),
      used: () => this.#used,
      usedAfter: (beginning) => this.#usedAfter(beginning, input),
      covered: () => this.#covered(input),
      replaced: (to) => this.#replaced(to, input),
      stands: (index) => input.source(index) !== null,
    };
  }

  #usedAfter({ item: own, to }: Beginning, input: LiveView): number {
    const { items } = input.toView();
    const stay = items.filter((item, position) => position < this.#headEnd || !isReplaced(item, to));
    return this.#tokens(stay) + (own === null ? 0 : itemTokens(own, this.#context));
  }

  #covered(input: LiveView): number {
    let most = 0;
    for (const cell of this.#synthetic) {
      for (const item of input.at(cell)) if (item.kind === 'synthetic') most = Math.max(most, item.covers.to);
    }
    return most;
  }

  // All that stands before the place, save for the system prompt, and synthetic messages by the span they stand for.
  #replaced(to: number, input: LiveView): number {
    let count = Math.max(0, input.before(to) - this.#headEnd);
    for (const cell of this.#synthetic) {
      for (const [slot, item] of input.at(cell).entries()) {
        if (item.kind === 'source' || isBefore({ cell, slot }, this.#head)) continue;
        if (cell < to && !isReplaced(item, to)) count--;
        else if (cell >= to && isReplaced(item, to)) count++;
      }
    }
    return count;
  }

  #showAll(
    old: { readonly beginning: Beginning | null; readonly head: LivePlace },
    input: LiveView,
    overlay: Overlay,
  ): void {
    const [a, b] = [old.beginning?.to ?? 0, this.#beginning?.to ?? 0];
    const from = Math.min(a, b);
    const to = Math.min(Math.max(a, b) + 1, input.cells);
    // Cells that hold nothing are shown when they come to hold nothing.
    for (let cell = input.nextCell(from); cell < to; cell = input.nextCell(cell + 1)) this.#show(cell, input, overlay);
    const others = new Set([...this.#synthetic, old.head.cell, this.#head.cell]);
    if (input.whole === null) for (const cell of input.changed.keys()) others.add(cell);
    for (const cell of others) {
      if (cell < from || cell >= to || input.at(cell).length === 0) this.#show(cell, input, overlay);
    }
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const beginning = this.#beginning;
    if (beginning === null) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const items = input.at(cell);
    // Most cells hold one message or none; lists for each would be most of what a step leaves to collect.
    if (items.length > 1 || cell === this.#head.cell) {
      this.#showSeveral(cell, input, overlay, beginning);
      return;
    }
    const only = items[0];
    const isGone = only !== undefined && cell > this.#head.cell && isReplaced(only, beginning.to);
    if (isGone) overlay.replace(cell, NO_ITEMS);
    else overlay.pass(cell);
    overlay.fate(cell, isGone && only.kind === 'source' ? 'summarised' : null);
  }

  #showSeveral(cell: number, input: LiveView, overlay: Overlay, beginning: Beginning): void {
    const items = input.at(cell);
    const stays = items.map((item, slot) => this.#stays(item, { cell, slot }, beginning));
    const shown = items.filter((_, slot) => stays[slot] === true);
    if (cell === this.#head.cell && beginning.item !== null) {
      const before = stays.slice(0, this.#head.slot).filter((each) => each).length;
      shown.splice(before, 0, beginning.item);
    }
    if (shown.length === items.length && shown.every((item, at) => item === items[at])) overlay.pass(cell);
    else overlay.replace(cell, shown);
    overlay.fate(cell, input.source(cell) !== null && stays.at(-1) === false ? 'summarised' : null);
  }

  #placeOf(index: number, input: LiveView): LivePlace {
    return { cell: index, slot: input.before(index + 1) - input.before(index) - 1 };
  }

  #stays(item: ViewItem, place: LivePlace, { to }: Beginning): boolean {
    return isBefore(place, this.#head) || !isReplaced(item, to);
  }
}
