// Which part of a message is shown: parts whose kind of entry the policy leaves out are taken from it.
import type { MessageFacts } from '../../model/message.ts';
import { removeParts } from '../../view/editMessage.ts';
import { madeOnce } from '../../view/madeOnce.ts';
import { editWithout, ownPartOf } from '../../view/origins.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import type { Fate, PartFate, StageContext, ViewItem } from '../../view/types.ts';
import { kindOfPart } from './entries.ts';
import type { EntryKind } from './params.ts';

/** A message as the policy shows it; null = nothing of it. */
export type Shown = (item: ViewItem) => ViewItem | null;

/** Kinds that are shown: a call and its results only together. */
export function shownKinds(included: ReadonlySet<EntryKind>): ReadonlySet<EntryKind> {
  const whole = included.has('tool_call') && included.has('tool_result');
  return new Set([...included].filter((kind) => whole || (kind !== 'tool_call' && kind !== 'tool_result')));
}

/** What of each message is shown. An edit of a raw message is made once. */
export function shownOf(kinds: ReadonlySet<EntryKind>, context: Pick<StageContext, 'source' | 'memo'>): Shown {
  const { source, memo } = context;
  if (kinds.has('message') && kinds.has('tool_call')) return (item) => item;
  const name = `context.shown ${[...kinds].sort().join()}`;
  const shown = (item: ViewItem) => show(item, itemText(item, source), itemFacts(item, source, memo), kinds);
  return (item) => madeOnce(name, item, '', memo, () => shown(item));
}

function show(item: ViewItem, text: string, facts: MessageFacts, kinds: ReadonlySet<EntryKind>): ViewItem | null {
  const hidden = hiddenParts(facts, kinds);
  if (hidden.size === 0) return facts.parts.length > 0 || kinds.has('message') ? item : null;
  if (hidden.size === facts.parts.length) return null;
  return editWithout(item, removeParts(text, facts, hidden), facts, hidden);
}

function hiddenParts(facts: MessageFacts, kinds: ReadonlySet<EntryKind>): ReadonlySet<number> {
  const hasCalls = facts.parts.some(({ kind }) => kind === 'tool_call');
  const hidden = new Set<number>();
  for (const [at, part] of facts.parts.entries()) if (!kinds.has(kindOfPart(part, hasCalls))) hidden.add(at);
  return hidden;
}

/** The fate of a message that loses parts. */
export function editedFate(
  item: ViewItem,
  kinds: ReadonlySet<EntryKind>,
  { stage, source, memo }: Pick<StageContext, 'stage' | 'source' | 'memo'>,
): Fate {
  const facts = itemFacts(item, source, memo);
  const hidden = hiddenParts(facts, kinds);
  const reason = excluded(kinds);
  const parts = [...hidden].flatMap((at): PartFate[] => {
    const raw = ownPartOf(item, at);
    return raw === null ? [] : [{ part: raw, kind: 'dropped', reason }];
  });
  const details = `${hidden.size} of ${facts.parts.length} parts left out: ${reason}`;
  return { kind: 'rewritten', stage, rule: 'include_kinds', reason: details, parts };
}

/** The fate of a message of which nothing is shown. */
export function excludedFate(kinds: ReadonlySet<EntryKind>, { stage }: Pick<StageContext, 'stage'>): Fate {
  return { kind: 'dropped', stage, rule: 'include_kinds', reason: excluded(kinds) };
}

function excluded(kinds: ReadonlySet<EntryKind>): string {
  const list = [...kinds].join(', ');
  return `its kind of entry is not among include_kinds (${list === '' ? 'none' : list}; calls and results only together)`;
}
