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
      repairs += level.length;
      for (const change of level) {
        if (change.kind === 'inserted') inserted++;
        if (change.kind === 'reported') reported.push(change);
      }
    }
  }
  return { summary: summaryOf(how, repairs, inserted, messages), problems: inOrderOfRules(reported).map(problemOf) };
}

function summaryOf(how: string, repairs: number, inserted: number, messages: number): string {
  if (repairs === 0) return `${how}: nothing to object to in ${countOf(messages, 'message')}`;
  return `${how}: ${countOf(repairs, 'repair')}${inserted > 0 ? `, ${inserted} put in` : ''}`;
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
