// The plain form of summary.

import { summary as ONE_FORM, type SummaryParams } from '../../../../core/stages/reducers/summary.ts';
import { keptBecause, NOT_CONCERNED } from '../../../../core/view/fates.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import { itemTokens } from '../../../../core/view/tokens.ts';
import type { Fate, StageContext, StageOutput, View, ViewItem } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { readTurns } from '../plainReading.ts';
import { reportOf } from './report.ts';
import {
  type Beginning,
  isReplaced,
  planSummary,
  type SummaryPlan,
  type SummaryView,
  systemEnd,
} from './summaryPlan.ts';

const { incremental: _incremental, ...identity } = ONE_FORM;
const NAME = { kind: ONE_FORM.kind, title: ONE_FORM.title };

export const summary: PlainStage<SummaryParams> = {
  ...identity,
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask its host; this one need not
  *run(view, params, context) {
    return new SummaryRun(view, params, context).run();
  },
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
