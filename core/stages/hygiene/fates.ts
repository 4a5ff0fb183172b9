// What changes to a message come to: its fate, and why a message is in the view that no one wrote.
import type { Fate, FateKind, SyntheticItem } from '../../view/types.ts';
import type { Draft } from './draft.ts';
import { RULES } from './rules/index.ts';
import type { Change } from './types.ts';

/** The fate of a message with these changes, in order; `stands` = it is in the view after them. */
export function fateOf(changes: readonly Change[], stands: boolean, stage: number): Fate {
  const last = lastOf(changes, stands);
  const because = last?.because;
  return {
    kind: fateKind(changes, stands),
    stage,
    rule: last?.rule ?? null,
    reason: changes.every(({ kind }) => kind === 'reported')
      ? `kept: ${describeChanges(changes)}`
      : describeChanges(changes),
    ...(last === undefined ? {} : { chip: last.chip }),
    ...(because === undefined ? {} : { because }),
  };
}

/** What was objected to and done, rule by rule. */
export function describeChanges(changes: readonly Change[]): string {
  const words = changes.map(({ rule, objection, done }) => `${RULES[rule].title}: ${objection}; ${done}`);
  return [...new Set(words)].join('; then: ');
}

/** The kind of a message's fate. */
export function fateKind(changes: readonly Change[], stands: boolean): FateKind {
  if (stands) return changes.some(({ kind }) => kind !== 'reported') ? 'rewritten' : 'kept';
  return lastOf(changes, stands)?.kind === 'dropped' ? 'dropped' : 'merged';
}

function lastOf(changes: readonly Change[], stands: boolean): Change | undefined {
  return changes.findLast(({ kind }) => stands || kind !== 'rewritten') ?? changes.at(-1);
}

/** Why messages are in the view that no one wrote, or elsewhere than they were: by the message. */
export function reasonsOf(changes: Iterable<Change>): (draft: Draft) => SyntheticItem['made'] {
  const why = new Map<Draft, Change>();
  for (const change of changes) {
    const { after } = change;
    if (after !== null && (after.index === null || after.moved)) why.set(after, change);
  }
  return (draft) => madeBecause(why.get(draft));
}

function madeBecause(change: Change | undefined): SyntheticItem['made'] {
  if (change === undefined) return undefined;
  return { rule: change.rule, chip: change.chip, reason: `${change.objection}; ${change.done}` };
}
