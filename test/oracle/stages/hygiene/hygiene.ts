// Hygiene over a whole view, as it was run before there was one form of it. The rules are those of the stage.

import type { Problem } from '../../../../core/model/problem.ts';
import type { Draft } from '../../../../core/stages/hygiene/draft.ts';
import { fateOf, reasonsOf } from '../../../../core/stages/hygiene/fates.ts';
import { type HygieneParams, hygiene as own, profileFor } from '../../../../core/stages/hygiene/hygiene.ts';
import { openDrafts, type Profile, repair, sameOptions } from '../../../../core/stages/hygiene/index.ts';
import type { Change, RuleResult } from '../../../../core/stages/hygiene/types.ts';
import { countFates } from '../../../../core/view/fates.ts';
import type { Fate, StageContext, StageOutput, StageRun, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import { closeDrafts } from '../../../support/closeDrafts.ts';
import type { PlainStage } from '../plain.ts';
import { explainKept } from './explainKept.ts';

const KIND = 'hygiene';
const TITLE = 'Provider hygiene';

/** The stage with `run` alone. */
export const hygiene: PlainStage<HygieneParams> = {
  kind: KIND,
  title: TITLE,
  aliases: own.aliases,
  family: own.family,
  help: own.help,
  params: own.params,
  parse: own.parse,
  *run(view, params, context): StageRun {
    const messages = openDrafts(view, context.source, context.memo);
    const { profile, how } = profileFor(params, messages);
    const sha256 = (text: string): string => context.sha256().update(text).hex();
    const result = yield* repair(messages, profile, sha256, sameOptions(profile, context.memo));
    return conclude(view, messages, result, { profile, how }, context);
  },
};

function conclude(
  view: View,
  before: readonly Draft[],
  { messages: after, changes }: RuleResult,
  { profile, how }: { readonly profile: Profile; readonly how: string },
  context: StageContext,
): StageOutput {
  const next = closeDrafts(view, after, context.stage, context.at, reasonsOf(changes));
  const touched = fatesOf(changes, after, context);
  const { kept: _explained, ...counts } = countFates(touched.values());
  const inserted = changes.filter(({ kind }) => kind === 'inserted').length;
  const summary =
    changes.length === 0
      ? `${how}: nothing to object to in ${countOf(view.items.length, 'message')}`
      : `${how}: ${countOf(changes.length, 'repair')}${inserted > 0 ? `, ${inserted} put in` : ''}`;
  return {
    view: next,
    fates: touched,
    explain: explainKept(before, profile, how, context.stage),
    report: {
      stage: context.stage,
      kind: KIND,
      title: TITLE,
      enabled: true,
      summary,
      reason: KIND,
      counts,
      reclaimedChars: 0,
      reclaimedTokens: 0,
      rootsConsulted: [],
      blockedBy: null,
      problems: changes.flatMap((change) => (change.kind === 'reported' ? [problemOf(change)] : [])),
    },
  };
}

function problemOf({ rule, objection, done, before }: Change): Problem {
  const where = before.index === null ? {} : { where: { index: before.index } };
  return { code: `hygiene.${rule}`, severity: 'warning', text: `${sentence(objection)}; ${done}.`, ...where };
}

function fatesOf(
  changes: readonly Change[],
  after: readonly Draft[],
  { at, stage, memo }: StageContext,
): Map<number, Fate> {
  const stands = new Uint8Array(at);
  for (const draft of after) if (draft.index !== null && !draft.moved) stands[draft.index] = 1;
  // A change that is the same as in the last run makes the same fate.
  const known = memo.get(`hygiene.fates ${stage}`, () => new WeakMap<Change, Fate>());
  const first = new Array<Change | undefined>(at);
  let last: { readonly change: Change; readonly fate: Fate } | null = null;
  const several = new Map<number, Change[]>();
  const fates = new Map<number, Fate>();
  for (const change of changes) {
    const { index } = change.before;
    if (index === null) continue;
    const before = first[index];
    if (before === undefined) {
      first[index] = change;
      // Of a row of messages with the same sentence (a limit cut them off) one fate is enough.
      const isAlike: boolean = last !== null && stands[index] !== 1 && isSameWords(last.change, change);
      const fate: Fate = isAlike && last !== null ? last.fate : fateOfOne(change, stands[index] === 1, stage, known);
      if (stands[index] !== 1) last = { change, fate };
      fates.set(index, fate);
    } else several.set(index, [...(several.get(index) ?? [before]), change]);
  }
  for (const [index, own] of several) fates.set(index, fateOf(own, stands[index] === 1, stage));
  return fates;
}

function isSameWords(a: Change, b: Change): boolean {
  const isSame = a.rule === b.rule && a.kind === b.kind && a.objection === b.objection && a.done === b.done;
  return isSame && a.chip === b.chip && a.because === b.because;
}

function fateOfOne(change: Change, stands: boolean, stage: number, known: WeakMap<Change, Fate>): Fate {
  if (!stands || change.kind !== 'rewritten') return fateOf([change], stands, stage);
  const fate = known.get(change) ?? fateOf([change], stands, stage);
  known.set(change, fate);
  return fate;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
