import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { itemTokens } from '../../view/tokens.ts';
import type {
  Fate,
  ParamSchema,
  StageContext,
  StageDefinition,
  StageOutput,
  View,
  ViewItem,
} from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { LiveSummaryStage } from './liveSummaryStage.ts';
import { reportOf } from './report.ts';
import {
  type Beginning,
  isReplaced,
  planSummary,
  type SummaryPlan,
  type SummaryView,
  systemEnd,
} from './summaryPlan.ts';
import { readTurns } from './windowCut.ts';

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
  help: 'When a summary takes the place of the beginning: it is lossy and costs a call, so last and only if needed.',
};
const KEEP: ParamSchema = {
  name: 'keep_turns',
  label: 'Turns to keep',
  aliases: ['keep_last'],
  type: 'integer',
  default: 2,
  min: 0,
  softMax: 20,
  unit: 'turns',
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
  help: 'Whose message a summary is. A recorded one that stands in the history stays what it was.',
};
const EVERY: ParamSchema = {
  name: 'every',
  label: 'Cut again every N turns',
  aliases: ['chunk'],
  type: 'integer',
  default: 1,
  min: 1,
  softMax: 20,
  unit: 'turns',
  help: 'Move the cut only when so many more turns are old enough: up to that many more turns stay meanwhile, and the beginning of the request, which the provider’s cache holds, stays the same between two cuts.',
};
const PARAMS = [WHEN, KEEP, EVERY, ROLE];

/** The parsed parameters. */
export interface SummaryParams {
  readonly when: When;
  readonly keepTurns: number;
  /** The cut stands at a multiple of so many turns. */
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
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask its host; this one need not
  *run(view, params, context) {
    return new SummaryRun(view, params, context).run();
  },
  incremental: (params, context) => new LiveSummaryStage(params, context),
};

/** One run over a view. */
export class SummaryRun {
  readonly #view: View;
  readonly #params: SummaryParams;
  readonly #context: StageContext;
  readonly #reader: ViewReader;
  readonly #systemEnd: number;

  constructor(view: View, params: SummaryParams, context: StageContext) {
    this.#view = view;
    this.#params = params;
    this.#context = context;
    this.#reader = readView(view, context.source, context.memo);
    this.#systemEnd = systemEnd(this.#reader);
  }

  run(): StageOutput {
    const plan = planSummary(this.#params, this.#context, this.#summaryView());
    return plan.kind === 'idle' ? this.#idle(plan.why) : this.#replace(plan);
  }

  #summaryView(): SummaryView {
    const { items } = this.#view;
    const { at } = this.#context;
    return {
      at,
      reader: this.#reader,
      systemEnd: this.#systemEnd,
      turns: readTurns(this.#reader, this.#context),
      item: (position) => this.#reader.item(position),
      used: () => this.#tokens(items),
      usedAfter: (beginning) => this.#tokens(this.#items(beginning)),
      covered: () =>
        items.reduce((most, item) => (item.kind === 'synthetic' ? Math.max(most, item.covers.to) : most), 0),
      replaced: (to) => items.filter((item, position) => this.#isReplaced(item, position, to)).length,
      stands: (index) => items.some((item) => item.kind === 'source' && item.index === index),
    };
  }

  #tokens(items: readonly ViewItem[]): number {
    return items.reduce((sum, item) => sum + itemTokens(item, this.#context), 0);
  }

  #isReplaced(item: ViewItem, position: number, to: number): boolean {
    return position >= this.#systemEnd && isReplaced(item, to);
  }

  #items({ item, to }: Beginning): readonly ViewItem[] {
    const head = this.#view.items.slice(0, this.#systemEnd);
    const tail = this.#view.items.filter((each, at) => at >= head.length && !this.#isReplaced(each, at, to));
    return [...head, ...(item === null ? [] : [item]), ...tail];
  }

  #replace({ beginning, cut, needsSummary }: Extract<SummaryPlan, { kind: 'replace' }>): StageOutput {
    const fates = new Map<number, Fate>();
    for (const [position, item] of this.#view.items.entries()) {
      if (item.kind === 'source' && this.#isReplaced(item, position, beginning.to)) {
        fates.set(item.index, beginning.fate);
      }
    }
    const replaced = `${countOf(fates.size, 'message')} replaced by ${beginning.words}`;
    const said = fates.size === 0 ? `nothing stands before ${beginning.words}` : replaced;
    const needs = needsSummary === null ? '' : ` · needs a summary of #${needsSummary.from}–#${needsSummary.to - 1}`;
    return {
      view: fates.size === 0 && beginning.item === null ? this.#view : { items: this.#items(beginning) },
      fates,
      explain: this.#explainer(beginning, cut),
      report: reportOf(NAME, this.#context, {
        summary: `${said}${needs}`,
        fates,
        ...(needsSummary !== null && { needsSummary }),
      }),
    };
  }

  #explainer({ words, keepsSummaryAt }: Beginning, cut: number): (position: number) => Fate {
    const { stage } = this.#context;
    const head = keptBecause(stage, 'system_prompt', 'kept: the system prompt stays before the summary');
    const since = this.#params.every > 1 ? ', or behind the last cut (keep_turns, every)' : ' (keep_turns)';
    const reason = `kept: among the last ${countOf(this.#params.keepTurns, 'turn')}${since}`;
    const tail = keptBecause(stage, 'in_tail', reason);
    const behind = keptBecause(stage, 'behind_summary', `kept: ${words} ends before it`);
    const self = keptBecause(stage, 'is_summary', `kept: ${words}; it stands for the messages before it`);
    return (position) => {
      if (position < this.#systemEnd) return head;
      const index = this.#reader.indexOf(position);
      if (index !== null && index === keepsSummaryAt) return self;
      return (index ?? 0) >= cut ? tail : behind;
    };
  }

  #idle(why: string): StageOutput {
    const kept = keptBecause(this.#context.stage, NOT_CONCERNED, `kept: no summary: ${why}`);
    return {
      view: this.#view,
      fates: new Map(),
      explain: () => kept,
      report: reportOf(NAME, this.#context, { summary: `nothing to do: ${why}`, fates: new Map() }),
    };
  }
}
