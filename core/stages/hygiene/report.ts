// What the stage reports: how the profile was found, how many repairs it made, and what could not be repaired.
import type { Problem } from '../../model/problem.ts';
import type { ReportDetails } from '../../view/incremental.ts';
import { countOf } from '../../view/words.ts';
import type { Segment } from './pieces/segments.ts';
import { type Change, RULE_NAMES, type RuleName } from './types.ts';

/** Its own part of the report, of all pieces in order. `messages` = how many it was given. */
export function detailsOf(pieces: Iterable<Segment>, how: string, messages: number): ReportDetails {
  let repairs = 0;
  let inserted = 0;
  const reported: Change[] = [];
  for (const { changes } of pieces) {
    for (const level of changes) {
      for (const change of level) {
        if (change.kind === 'reported') reported.push(change);
        if (!isRepair(change)) continue;
        repairs++;
        if (change.kind === 'inserted') inserted++;
      }
    }
  }
  return {
    summary: summaryOf(how, { repairs, inserted, left: reported.length }, messages),
    problems: inOrderOfRules(reported).map(problemOf),
  };
}

/**
 * Whether a change counts as a repair: of two messages that are joined both say so, and a result that moves alone leaves one
 * message and makes another.
 */
export function isRepair({ kind, after }: Change): boolean {
  if (kind === 'merged' || kind === 'reported') return false;
  return kind !== 'inserted' || after === null || after.origins.every((places) => places.length === 0);
}

interface Counts {
  readonly repairs: number;
  /** Of the repairs: messages that were put in. */
  readonly inserted: number;
  readonly left: number;
}

function summaryOf(how: string, { repairs, inserted, left }: Counts, messages: number): string {
  if (repairs + left === 0) return `${how}: nothing to object to in ${countOf(messages, 'message')}`;
  const words = [
    ...(repairs > 0 ? [countOf(repairs, 'repair')] : []),
    ...(inserted > 0 ? [`${inserted} put in`] : []),
    ...(left > 0 ? [`${countOf(left, 'message')} left as ${left === 1 ? 'it is' : 'they are'}`] : []),
  ];
  return `${how}: ${words.join(', ')}`;
}

const ORDER = new Map<RuleName, number>(RULE_NAMES.map((rule, at) => [rule, at]));

function inOrderOfRules(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((a, b) => (ORDER.get(a.rule) ?? 0) - (ORDER.get(b.rule) ?? 0));
}

function problemOf({ rule, objection, done, before }: Change): Problem {
  const where = before.index === null ? {} : { where: { index: before.index } };
  return { code: `hygiene.${rule}`, severity: 'warning', text: `${sentence(objection)}; ${done}.`, ...where };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
