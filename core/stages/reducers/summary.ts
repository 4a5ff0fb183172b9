import type { SummaryArtifact } from '../../model/summary.ts';
import type { PlacedCompaction } from '../../model/transcript.ts';
import { keptBecause } from '../../view/fates.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import { summaryFor } from '../../view/summaryFor.ts';
import { textMessage } from '../../view/textMessage.ts';
import { itemTokens } from '../../view/tokens.ts';
import type {
  Fate,
  ParamSchema,
  StageContext,
  StageDefinition,
  StageOutput,
  StageReport,
  SyntheticItem,
  View,
  ViewItem,
} from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { reportOf } from './report.ts';
import { readTurns, safeTurn } from './windowCut.ts';

const NAME = { kind: 'summary', title: 'Summary' };

type When = 'over_budget' | 'always';
type Role = 'system' | 'user' | 'assistant';
const WHENS: readonly When[] = ['over_budget', 'always'];
const ROLES: readonly Role[] = ['system', 'user', 'assistant'];

const WHEN: ParamSchema = {
  name: 'when',
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
  type: 'choice',
  default: 'system',
  choices: [
    { value: 'system', help: 'As a system message; hygiene moves it where the provider wants it.' },
    { value: 'user', help: 'As if the user had said it.' },
    { value: 'assistant', help: 'As if the model had said it.' },
  ],
  help: 'Whose message a summary is. A recorded one that stands in the history stays what it was.',
};
const PARAMS = [WHEN, KEEP, ROLE];

/** The parsed parameters. */
export interface SummaryParams {
  readonly when: When;
  readonly keepTurns: number;
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
      role: reader.choice(ROLE, ROLES),
    })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask its host; this one need not
  *run(view, params, context) {
    return new SummaryRun(view, params, context).run();
  },
};

/** What stands at the beginning, behind the system prompt, and from which source index on the rest stands as it was. */
interface Beginning {
  readonly item: SyntheticItem | null;
  readonly to: number;
  readonly fate: Fate;
  readonly words: string;
  readonly keepsSummaryAt?: number;
}

class SummaryRun {
  readonly #view: View;
  readonly #params: SummaryParams;
  readonly #context: StageContext;
  readonly #reader: ViewReader;

  constructor(view: View, params: SummaryParams, context: StageContext) {
    this.#view = view;
    this.#params = params;
    this.#context = context;
    this.#reader = readView(view, context.source, context.memo);
  }

  run(): StageOutput {
    const { budget } = this.#context;
    const isAlways = this.#params.when === 'always';
    if (!isAlways && budget === null)
      return this.#idle('no window is known, so nothing is over it (set budget.window)');
    const used = isAlways ? 0 : this.#tokens(this.#view.items);
    const total = budget?.total ?? 0;
    if (!isAlways && used <= total) return this.#idle(`${grouped(used)} tokens ≤ ${grouped(total)} of the budget`);
    const cut = this.#cut();
    if (cut === null) {
      const over = isAlways ? '' : `; over budget by ${countOf(used - total, 'token')} all the same`;
      return this.#idle(`nothing is older than the last ${countOf(this.#params.keepTurns, 'turn')}${over}`);
    }
    const artifact = this.#applicable(cut);
    if (artifact === null) return this.#replace(this.#placeholder(cut), cut, { from: this.#first(), to: cut });
    const beginning = this.#beginning(artifact);
    const after = this.#items(beginning);
    const isOver = budget !== null && this.#tokens(after) > budget.total;
    return this.#replace(beginning, cut, isOver && artifact.to < cut ? { from: artifact.from, to: cut } : undefined);
  }

  #tokens(items: readonly ViewItem[]): number {
    return items.reduce((sum, item) => sum + itemTokens(item, this.#context), 0);
  }

  // Source index of the first message that is to stay word for word; null if there is nothing before it.
  #cut(): number | null {
    const turns = readTurns(this.#reader, this.#context);
    const over = turns.count - this.#params.keepTurns;
    if (over <= 0) return null;
    const position = turns.start(safeTurn(this.#reader, turns, over, 'before'));
    if (position <= this.#systemEnd()) return null;
    for (let at = position; at < this.#reader.length; at++) {
      const index = this.#reader.indexOf(at);
      if (index !== null) return index;
    }
    return this.#context.at;
  }

  // The system prompt: the run of system messages that someone wrote, before everything.
  #systemEnd(): number {
    let end = 0;
    for (; end < this.#reader.length; end++) {
      const { role } = this.#reader.facts(end);
      if (this.#reader.item(end).kind !== 'source' || (role !== 'system' && role !== 'developer')) break;
    }
    return end;
  }

  #first(): number {
    for (let position = this.#systemEnd(); position < this.#reader.length; position++) {
      const item = this.#reader.item(position);
      if (item.kind === 'source') return item.index;
      if (item.covers.to > item.covers.from) return item.covers.from;
    }
    return 0;
  }

  // The latest that ends at the cut or before, at a place where no pair is parted. One that reaches no further than a
  // summary that stands in the view says nothing new.
  #applicable(cut: number): SummaryArtifact | null {
    const { source, at } = this.#context;
    let covered = 0;
    for (const item of this.#view.items) if (item.kind === 'synthetic') covered = Math.max(covered, item.covers.to);
    const found = summaryFor(source, at, cut);
    if (found === null || found.to < covered || found.to <= this.#first()) return null;
    return found;
  }

  #beginning(artifact: SummaryArtifact): Beginning {
    const { from, to, origin, version, content } = artifact;
    const whose = origin === 'recorded' ? 'the recorded summary' : `the written summary, version ${version},`;
    const words = `${whose} of #${from}–#${to - 1}`;
    const standing = origin === 'recorded' ? this.#standingSummary(artifact) : null;
    const rule = `summary_${origin}`;
    const reason = `older than the last ${countOf(this.#params.keepTurns, 'turn')}; ${words} stands in its place${this.#because()}`;
    const fate: Fate = {
      kind: 'summarised',
      stage: this.#context.stage,
      rule,
      reason,
      ...(standing !== null && { because: standing }),
    };
    if (standing !== null) return { item: null, to, fate, words, keepsSummaryAt: standing };
    return { item: this.#made(content, { from, to }, rule, origin, words), to, fate, words };
  }

  // A recorded summary that stands in the view is itself the beginning: no copy of it is made.
  #standingSummary({ to }: SummaryArtifact): number | null {
    const index = this.#context.source.compactions().find((one) => endOf(one) === to)?.summaryIndex;
    if (index === undefined || index < to) return null;
    return this.#view.items.some((item) => item.kind === 'source' && item.index === index) ? index : null;
  }

  #placeholder(cut: number): Beginning {
    const covers = { from: this.#first(), to: cut };
    const count = this.#view.items.filter((item, position) => this.#isReplaced(item, position, cut)).length;
    const words = 'a placeholder';
    const text = `[${count} earlier messages summarized]`;
    const reason = `older than the last ${countOf(this.#params.keepTurns, 'turn')}; no summary applies, a placeholder stands in its place${this.#because()}`;
    const fate: Fate = { kind: 'summarised', stage: this.#context.stage, rule: 'summary_placeholder', reason };
    return { item: this.#made(text, covers, 'summary_placeholder', 'placeholder', words), to: cut, fate, words };
  }

  #because(): string {
    const { budget } = this.#context;
    if (this.#params.when === 'always' || budget === null) return '';
    return ` (${grouped(this.#tokens(this.#view.items))} tokens > ${grouped(budget.total)} of the budget)`;
  }

  #made(content: string, covers: SyntheticItem['covers'], rule: string, chip: string, words: string): SyntheticItem {
    const reason =
      rule === 'summary_placeholder'
        ? `a placeholder: a summary of #${covers.from}–#${covers.to - 1} is wanted and none applies; write one, or shorten otherwise`
        : `${words} stands for what is older than the last ${countOf(this.#params.keepTurns, 'turn')}`;
    const text = textMessage(this.#params.role, content, this.#reader);
    return { kind: 'synthetic', text, covers, stage: this.#context.stage, made: { rule, chip, reason } };
  }

  #isReplaced(item: ViewItem, position: number, to: number): boolean {
    if (position < this.#systemEnd()) return false;
    return item.kind === 'source' ? item.index < to : item.covers.to <= to;
  }

  #items({ item, to }: Beginning): readonly ViewItem[] {
    const head = this.#view.items.slice(0, this.#systemEnd());
    const tail = this.#view.items.filter((each, at) => at >= head.length && !this.#isReplaced(each, at, to));
    return [...head, ...(item === null ? [] : [item]), ...tail];
  }

  #replace(beginning: Beginning, cut: number, needsSummary: StageReport['needsSummary']): StageOutput {
    const fates = new Map<number, Fate>();
    for (const [position, item] of this.#view.items.entries()) {
      if (item.kind === 'source' && this.#isReplaced(item, position, beginning.to))
        fates.set(item.index, beginning.fate);
    }
    const replaced = `${countOf(fates.size, 'message')} replaced by ${beginning.words}`;
    const said = fates.size === 0 ? `nothing stands before ${beginning.words}` : replaced;
    const needs =
      needsSummary === undefined ? '' : ` · needs a summary of #${needsSummary.from}–#${needsSummary.to - 1}`;
    return {
      view: fates.size === 0 && beginning.item === null ? this.#view : { items: this.#items(beginning) },
      fates,
      explain: this.#explainer(beginning, cut),
      report: reportOf(NAME, this.#context, {
        summary: `${said}${needs}`,
        fates,
        ...(needsSummary !== undefined && { needsSummary }),
      }),
    };
  }

  #explainer({ words, keepsSummaryAt }: Beginning, cut: number): (position: number) => Fate {
    const { stage } = this.#context;
    const head = keptBecause(stage, 'system_prompt', 'kept: the system prompt stays before the summary');
    const reason = `kept: among the last ${countOf(this.#params.keepTurns, 'turn')} (keep_turns)`;
    const tail = keptBecause(stage, 'in_tail', reason);
    const behind = keptBecause(stage, 'behind_summary', `kept: ${words} ends before it`);
    const self = keptBecause(stage, 'is_summary', `kept: ${words}; it stands for the messages before it`);
    const systemEnd = this.#systemEnd();
    return (position) => {
      if (position < systemEnd) return head;
      const index = this.#reader.indexOf(position);
      if (index !== null && index === keepsSummaryAt) return self;
      return (index ?? 0) >= cut ? tail : behind;
    };
  }

  #idle(why: string): StageOutput {
    const kept = keptBecause(this.#context.stage, 'no_summary_needed', `kept: no summary: ${why}`);
    return {
      view: this.#view,
      fates: new Map(),
      explain: () => kept,
      report: reportOf(NAME, this.#context, { summary: `nothing to do: ${why}`, fates: new Map() }),
    };
  }
}

function endOf({ at, summaryIndex }: PlacedCompaction): number {
  return Math.min(at, summaryIndex ?? at);
}
