// What a rule, or the whole profile, would do to a view: message by message, before and after.
import { type Change, type Draft, lint, RULES, type RuleName } from '../stages/hygiene/index.ts';
import type { ViewItem } from '../view/types.ts';
import { type LintRequest, prepareLint } from './lint.ts';

/** A message that the repair touches. Texts are JSON; null = there is none before (put in) or after (gone). */
export interface MessageRepair {
  readonly kind: 'rewritten' | 'dropped' | 'merged' | 'inserted' | 'moved';
  /** Source index; null for a message that no one wrote. */
  readonly index: number | null;
  readonly before: string | null;
  readonly after: string | null;
  /** The rules that touch it, in the order they run. */
  readonly rules: readonly RuleName[];
  /** What the provider would object to and what is done about it, one sentence. */
  readonly reason: string;
}

/** The repair as a whole, and how many findings it leaves. */
export interface ProposedChanges {
  readonly changes: readonly MessageRepair[];
  readonly left: number;
}

/** Runs one rule, or (null) the profile, over the view. Pure: images over the limits stay as they are. */
export function repairView(request: LintRequest, rule: RuleName | null): ProposedChanges {
  const { messages, profile, context } = prepareLint(request);
  const made: Change[] = [];
  let after = messages;
  for (const name of rule === null ? profile.rules : [rule]) {
    const result = RULES[name].fix(after, context);
    after = result.messages;
    for (const change of result.changes) if (change.kind !== 'reported') made.push(change);
  }
  const left = lint({ messages: after, wire: profile.wire, context, idMode: profile.options.idMode }).length;
  return { changes: changesOf(messages, after, made), left };
}

function changesOf(
  before: readonly Draft[],
  after: readonly Draft[],
  made: readonly Change[],
): readonly MessageRepair[] {
  const stands = new Map(after.flatMap((draft) => (draft.item === null ? [] : [[draft.item, draft] as const])));
  const byItem = Map.groupBy(made, (change) => change.before.item);
  const found: { readonly place: number; readonly repair: MessageRepair }[] = [];
  const placeOf = new Map<ViewItem | null, number>();
  for (const [place, draft] of before.entries()) {
    placeOf.set(draft.item, place);
    const own = byItem.get(draft.item) ?? [];
    const final = stands.get(draft.item ?? NOTHING) ?? null;
    const kind = kindOf(draft, final, own);
    if (kind === null) continue;
    const words = { rules: rulesOf(own), reason: reasonOf(own) };
    found.push({
      place,
      repair: { kind, index: draft.index, before: draft.text, after: final?.text ?? null, ...words },
    });
  }
  const histories = historiesOf(made);
  let place = -1;
  for (const draft of after) {
    if (draft.item !== null) {
      place = placeOf.get(draft.item) ?? place;
      continue;
    }
    const own = histories.get(draft) ?? [];
    const words = { rules: rulesOf(own), reason: reasonOf(own) };
    found.push({
      place: place + 0.5,
      repair: { kind: 'inserted', index: null, before: null, after: draft.text, ...words },
    });
  }
  return found.sort((a, b) => a.place - b.place).map(({ repair }) => repair);
}

const NOTHING: ViewItem = { kind: 'source', index: -1 };

function kindOf(draft: Draft, final: Draft | null, changes: readonly Change[]): MessageRepair['kind'] | null {
  if (final === null) return changes.at(-1)?.kind === 'merged' ? 'merged' : 'dropped';
  if (final.text !== draft.text) return 'rewritten';
  return final.moved && !draft.moved ? 'moved' : null;
}

/** The changes that led to each draft, first to last: an inserted message may be edited by a later rule. */
function historiesOf(made: readonly Change[]): ReadonlyMap<Draft, readonly Change[]> {
  const histories = new Map<Draft, readonly Change[]>();
  for (const change of made) {
    const { before, after } = change;
    if (after !== null) histories.set(after, [...(histories.get(before) ?? []), change]);
  }
  return histories;
}

function rulesOf(changes: readonly Change[]): readonly RuleName[] {
  return [...new Set(changes.map(({ rule }) => rule))];
}

function reasonOf(changes: readonly Change[]): string {
  const words = changes.map(({ rule, objection, done }) => `${RULES[rule].title}: ${objection}; ${done}`);
  return [...new Set(words)].join('; then: ');
}
