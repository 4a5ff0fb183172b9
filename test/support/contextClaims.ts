// What a context policy's sentences claim, tried: figures are counted again from what is shown, and what a sentence says a
// message would need is given to the policy, once as said and once less by one.

import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { type Estimator, estimatorOf } from '../../core/stages/context/entries.ts';
import type { Budget } from '../../core/tokens/budget.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { stagesOf } from './projecting.ts';

type Options = Readonly<Record<string, unknown>>;

/** A context policy at a call point. */
export interface ContextCase {
  readonly source: TranscriptSource;
  readonly options: Options;
  readonly at: number;
  readonly budget?: Budget | null;
}

/** How often each claim was tried. */
export type Tally = Map<string, number>;

const WINDOW_RULES: ReadonlySet<string | null> = new Set(['token_budget', 'hard_total', 'max_messages']);
const LIMIT = /with (it|#\d+) history would take ([\d,]+) of (-?[\d,]+) tokens/;
const COUNT = /with (it|#\d+) history would be ([\d,]+) messages?, max_messages is ([\d,]+)/;
const ROOM = /kept: .*takes ([\d,]+) of (-?[\d,]+) tokens/;
const NEEDS = /it would need (.*?)(;|$)/;
const OLDER = /left out: older than #(\d+)/;

const numberOf = (text: string | undefined): number => Number(text?.replaceAll(',', ''));

/** The sentences that are false, each with the message it is said of. */
export function contextFaults(asked: ContextCase, tally: Tally): readonly string[] {
  const projection = projectWith(asked, {});
  const faults: string[] = [];
  const tried = new Set<string>();
  for (const [index, { kind, rule, reason }] of projection.fates.entries()) {
    const say = (fault: string) => faults.push(`#${index}: ${fault}: "${reason}"`);
    const isLeft = kind === 'dropped' || kind === 'summarised';
    if (!WINDOW_RULES.has(rule)) {
      if (rule === 'covered_by_summary' && !tried.has(reason)) triedWithout(asked, index, tally, say);
      tried.add(reason);
      continue;
    }
    const needs = NEEDS.exec(reason)?.[1];
    if (isLeft && needs !== undefined) tryNeeds(asked, index, needs, { tally, say });
    const older = OLDER.exec(reason)?.[1];
    if (older !== undefined && Number(older) <= index) say('it is not older');
    if (older !== undefined && needs !== undefined) say('what it needs is not known');
    if (tried.has(reason)) continue;
    tried.add(reason);
    checkFigures(reason, isLeft, { tally, say });
    const said = LIMIT.exec(reason)?.[2];
    if (said !== undefined) {
      const counted = countedTokens(asked, projection);
      if (counted !== null && counted !== numberOf(said)) say(`history would take ${counted}`);
      count(tally, 'tokens counted again', counted === null ? 0 : 1);
    }
  }
  return faults;
}

interface Judge {
  readonly tally: Tally;
  readonly say: (fault: string) => void;
}

function checkFigures(reason: string, isLeft: boolean, { tally, say }: Judge): void {
  const limit = LIMIT.exec(reason) ?? COUNT.exec(reason);
  if (isLeft && limit === null) say('no figure says why');
  if (limit !== null && numberOf(limit[2]) <= numberOf(limit[3])) say('it would fit');
  const room = isLeft ? null : ROOM.exec(reason);
  if (room !== null && numberOf(room[1]) > numberOf(room[2])) say('it does not fit');
  count(tally, isLeft ? 'limits' : 'rooms', 1);
}

function tryNeeds(asked: ContextCase, index: number, needs: string, { tally, say }: Judge): void {
  const shown = (options: Options) => !WINDOW_RULES.has(leftRule(projectWith(asked, options), index));
  for (const need of needs.split(', or ')) {
    const [, most, name = '', value] = /^(at most )?(\w+) ([\d,]+)/.exec(need) ?? [];
    const given = numberOf(value);
    if (!shown({ [name]: given })) say(`${name} ${given} does not show it`);
    if (most === undefined && shown({ [name]: given - 1 })) say(`${name} ${given - 1} shows it, too`);
    count(tally, `${most ?? ''}${name}`, 1);
  }
}

function triedWithout(asked: ContextCase, index: number, tally: Tally, say: (fault: string) => void): void {
  const { rule } = projectWith(asked, { summarization: 'none' }).fates[index] ?? {};
  if (rule === 'covered_by_summary') say('without summaries it is covered all the same');
  count(tally, 'covered', 1);
}

// The rule by which a message is left out; '' = it is shown.
function leftRule({ fates }: Projection, index: number): string | null {
  const fate = fates[index];
  return fate !== undefined && (fate.kind === 'dropped' || fate.kind === 'summarised') ? fate.rule : '';
}

// Tokens of the history that is shown and of the unit that was refused; null where kinds of entries are left out, or a
// summary covers messages, which are of a unit all the same.
function countedTokens(asked: ContextCase, { view, fates }: Projection): number | null {
  const { options, at } = asked;
  if (options.include_kinds !== undefined || fates.some(({ rule }) => rule === 'covered_by_summary')) return null;
  const estimator = estimatorFor(asked);
  let tokens = 0;
  const shown = new Set(view.items.flatMap((item) => (item.kind === 'source' ? [item.index] : [])));
  for (let index = 0; index < at; index++) {
    const { rule, reason = '' } = fates[index] ?? {};
    const isRefused = !shown.has(index) && WINDOW_RULES.has(rule ?? null) && !OLDER.test(reason);
    if (isRefused || (shown.has(index) && rule !== 'system_segment')) tokens += tokensOf(estimator, index);
  }
  return tokens;
}

function tokensOf(estimator: Estimator, index: number): number {
  return estimator.item({ kind: 'source', index });
}

function estimatorFor({ source, options }: ContextCase): Estimator {
  const kind = options.token_estimator === 'exact' ? 'exact' : 'heuristic';
  return estimatorOf(kind, { source, memo: createMemo(), tokens: estimatedTokens(source) });
}

function projectWith({ source, options, at, budget = null }: ContextCase, changed: Options): Projection {
  const spec = { version: 1, stages: [{ kind: 'context_policy', options: { ...options, ...changed } }] };
  return project(source, stagesOf(spec), at, { sha256: nodeSha256, budget });
}

function count(tally: Tally, name: string, by: number): void {
  tally.set(name, (tally.get(name) ?? 0) + by);
}
