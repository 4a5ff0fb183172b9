// Whether a summary takes the place of the beginning, which one, and where the rest begins: of a view at one call point.
import type { SummaryArtifact } from '../../model/summary.ts';
import type { PlacedCompaction } from '../../model/transcript.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { summaryFor } from '../../view/summaryFor.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { Fate, SyntheticItem, ViewItem } from '../../view/types.ts';
import { countOf, describeRoom, grouped } from '../../view/words.ts';
import type { SummaryParams } from './summary.ts';
import { type FactsReader, safePosition, safeTurn, type Turns } from './windowCut.ts';

/** What is asked of a view. Positions are its own; nothing is worked out before it is asked. */
export interface SummaryView {
  readonly at: number;
  readonly reader: FactsReader;
  readonly turns: Turns;
  /** End of the system prompt (see systemEnd). */
  readonly systemEnd: number;
  item(position: number): ViewItem;
  /** How many of its messages stand before a source index: the position where what comes from there on begins. */
  before(index: number): number;
  /** Tokens of all messages. */
  used(): number;
  /** Tokens with a beginning in place. */
  usedAfter(beginning: Beginning): number;
  /** Where the spans of its synthetic messages end: the furthest. */
  covered(): number;
  /** How many messages a summary up to there replaces. */
  replaced(to: number): number;
  /** True if a source message is in it. */
  stands(index: number): boolean;
}

/** What is at the beginning, behind the system prompt, and from which source index on the rest stands as it was. */
export interface Beginning {
  /** Null = the summary is in the view already. */
  readonly item: SyntheticItem | null;
  readonly to: number;
  /** Where its words end, if that is behind `to`: between a call and its result, which stay together. */
  readonly saysUpTo?: number;
  readonly fate: Fate;
  readonly words: string;
  readonly keepsSummaryAt?: number;
}

/**
 * What is to be done. `cut` = source index of the first message that stays word for word whatever is written, `tail` = of the
 * first of the last turns: messages between the two stay because of where a cut may be.
 */
export type SummaryPlan =
  | { readonly kind: 'idle'; readonly why: string }
  | {
      readonly kind: 'replace';
      readonly beginning: Beginning;
      readonly cut: number;
      readonly tail: number;
      /** The span that a summary is needed for; worked out when a report asks. Null = none is. */
      needsSummary(): { readonly from: number; readonly to: number } | null;
    };

/** End of the system prompt: the run of system messages that someone wrote, before everything. */
export function systemEnd(reader: FactsReader & { item(position: number): ViewItem }): number {
  let end = 0;
  for (; end < reader.length; end++) {
    if (reader.item(end).kind !== 'source' || !isSystemRole(reader.facts(end).role)) break;
  }
  return end;
}

/** True if a message behind the system prompt gives way to a summary up to there. */
export function isReplaced(item: ViewItem, to: number): boolean {
  return item.kind === 'source' ? item.index < to : item.covers.to <= to;
}

/** Plans for a view. */
export function planSummary(params: SummaryParams, context: IncrementalContext, view: SummaryView): SummaryPlan {
  const { budget } = context;
  const isAlways = params.when === 'always';
  if (!isAlways && budget === null) return idle('no window is known, so nothing is over it (set budget.window)');
  const used = isAlways ? 0 : view.used();
  const room = budget?.room ?? 0;
  const limit = budget === null ? '0' : describeRoom(budget);
  if (!isAlways && used <= room) return idle(`${grouped(used)} tokens ≤ ${limit} of the budget`);
  const cut = cutOf(params, view);
  if (cut === null) {
    const over = isAlways ? '' : `; over budget by ${countOf(used - room, 'token')} all the same`;
    return idle(`${noCut(params, view)}${over}`);
  }
  const tail = indexAt(view.turns.start(Math.max(0, view.turns.count - params.keepTurns)), view);
  const because = isAlways ? '' : ` (${grouped(used)} tokens > ${limit} of the budget)`;
  const maker = new BeginningMaker(params, context, view, because);
  const artifact = applicable(cut, context, view);
  const to = artifact === null ? 0 : endFor(artifact, view);
  if (artifact === null || to <= firstOf(view)) {
    const own = context.source.summary ?? '';
    if (own !== '') return { kind: 'replace', beginning: maker.own(own, cut), cut, tail, needsSummary: () => null };
    const needsSummary = () => ({ from: startOf(context), to: cut });
    return { kind: 'replace', beginning: maker.placeholder(cut), cut, tail, needsSummary };
  }
  const beginning = maker.summary(artifact, to);
  const needsSummary = () => {
    const isOver = budget !== null && artifact.to < cut && view.usedAfter(beginning) > room;
    return isOver ? { from: startOf(context), to: cut } : null;
  };
  return { kind: 'replace', beginning, cut, tail, needsSummary };
}

function idle(why: string): SummaryPlan {
  return { kind: 'idle', why };
}

// Null if there is nothing before it.
function cutOf({ keepTurns, every }: SummaryParams, view: SummaryView): number | null {
  const { turns, reader } = view;
  const old = turns.count - keepTurns;
  const over = old - (old % every);
  if (over <= 0) return null;
  const position = turns.start(safeTurn(reader, turns, over, 'before'));
  return position <= view.systemEnd ? null : indexAt(position, view);
}

// Why there is no cut: too few turns, a cut that waits for more, or no place that parts no call from its result.
function noCut({ keepTurns, every }: SummaryParams, { turns }: SummaryView): string {
  const last = `the last ${countOf(keepTurns, 'turn')} (keep_turns)`;
  const old = turns.count - keepTurns;
  if (old <= 0) return `no turn is older than ${last}`;
  const are = `only ${countOf(old, 'turn')} ${old === 1 ? 'is' : 'are'} older than ${last}`;
  if (old < every) return `${are}, and the cut moves ${grouped(every)} at a time (every)`;
  return `each cut before ${last} would part a call from its result`;
}

// Source index of the first message from a position on.
function indexAt(position: number, view: SummaryView): number {
  for (let at = position; at < view.reader.length; at++) {
    const item = view.item(at);
    if (item.kind === 'source') return item.index;
  }
  return view.at;
}

// A summary covers everything from the start, also what other stages have dropped; the system prompt stays beside it.
function startOf({ source }: IncrementalContext): number {
  let start = 0;
  while (start < source.length && isSystemRole(source.facts(start).role)) start++;
  return start;
}

function isSystemRole(role: string): boolean {
  return role === 'system' || role === 'developer';
}

function firstOf(view: SummaryView): number {
  for (let position = view.systemEnd; position < view.reader.length; position++) {
    const item = view.item(position);
    if (item.kind === 'source') return item.index;
    if (item.covers.to > item.covers.from) return item.covers.from;
  }
  return 0;
}

// The latest that ends at the cut or before. One that reaches no further than a summary that is in the view says
// nothing new.
function applicable(cut: number, context: IncrementalContext, view: SummaryView): SummaryArtifact | null {
  const found = summaryFor(context, view.at, cut);
  return found === null || found.to < view.covered() || found.to <= firstOf(view) ? null : found;
}

// Where the rest begins behind a summary: one may end between a call and its result, and no provider takes one alone.
function endFor({ to }: SummaryArtifact, view: SummaryView): number {
  const end = view.before(to);
  const safe = Math.max(view.systemEnd, safePosition(view.reader, end));
  const item = safe < end ? view.item(safe) : null;
  return item?.kind === 'source' ? item.index : to;
}

class BeginningMaker {
  readonly #params: SummaryParams;
  readonly #context: IncrementalContext;
  readonly #view: SummaryView;
  readonly #because: string;
  readonly #older: string;

  constructor(params: SummaryParams, context: IncrementalContext, view: SummaryView, because: string) {
    this.#params = params;
    this.#context = context;
    this.#view = view;
    this.#because = because;
    const step = params.every > 1 ? `, cut every ${countOf(params.every, 'turn')}` : '';
    this.#older = `older than the last ${countOf(params.keepTurns, 'turn')}${step}`;
  }

  summary({ from, to: said, origin, version, content }: SummaryArtifact, to: number): Beginning {
    const whose = origin === 'recorded' ? 'the recorded summary' : `the written summary, version ${version},`;
    const words = `${whose} of #${from}–#${said - 1}`;
    const standing = origin === 'recorded' ? this.#standing(said) : null;
    const ends = to < said ? { saysUpTo: said } : {};
    const rule = `summary_${origin}`;
    const reason = `${this.#older}; ${words} replaces it${this.#because}`;
    const fate: Fate = {
      ...{ kind: 'summarised', stage: this.#context.stage, rule, reason },
      ...(standing !== null && { because: standing }),
    };
    if (standing !== null) return { item: null, to, ...ends, fate, words, keepsSummaryAt: standing };
    const whichever = origin === 'recorded' ? {} : { version };
    const made = { rule, chip: origin, reason: `${words} replaces what is ${this.#older}`, ...whichever };
    return { item: this.#item(content, { from, to }, made), to, ...ends, fate, words };
  }

  // What it covers is not recorded: it stands for what would have no summary at all.
  own(content: string, cut: number): Beginning {
    const words = 'the transcript’s own summary';
    const rule = 'summary_own';
    const made = { rule, chip: 'summary', reason: `${words}: which messages it covers is not recorded` };
    const reason = `${this.#older}; ${words} replaces it${this.#because}`;
    const covers = { from: firstOf(this.#view), to: cut };
    const fate: Fate = { kind: 'summarised', stage: this.#context.stage, rule, reason };
    return { item: this.#item(content, covers, made), to: cut, fate, words };
  }

  placeholder(cut: number): Beginning {
    const covers = { from: firstOf(this.#view), to: cut };
    const rule = 'summary_placeholder';
    const wanted = `a summary of #${startOf(this.#context)}–#${cut - 1} is wanted and none applies`;
    const made = { rule, chip: 'placeholder', reason: `a placeholder: ${wanted}; write one, or shorten otherwise` };
    const reason = `${this.#older}; no summary applies, a placeholder replaces it${this.#because}`;
    return {
      item: this.#item(`[${this.#view.replaced(cut)} earlier messages summarized]`, covers, made),
      to: cut,
      fate: { kind: 'summarised', stage: this.#context.stage, rule, reason },
      words: 'a placeholder',
    };
  }

  #item(content: string, covers: SyntheticItem['covers'], made: NonNullable<SyntheticItem['made']>): SyntheticItem {
    const text = textMessage(this.#params.role, content, this.#view.reader);
    return { kind: 'synthetic', text, covers, stage: this.#context.stage, made };
  }

  // A recorded summary that is in the view is itself the beginning: no copy of it is made.
  #standing(to: number): number | null {
    const index = this.#context.source.compactions().find((one) => endOf(one) === to)?.summaryIndex;
    return index === undefined || index < to || !this.#view.stands(index) ? null : index;
  }
}

function endOf({ at, summaryIndex }: PlacedCompaction): number {
  return Math.min(at, summaryIndex ?? at);
}
