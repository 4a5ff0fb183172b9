// What belongs to a transcript, for its screen: branches with their last words, sub-agents with the calls that started
// them. Worked out when asked for: parents and children may be imported in any order.
import type { Families, Parent } from '../../model/families.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { BranchLink, ChildLink, Relatives, TranscriptLink } from '../../protocol/types.ts';
import type { StoredMember } from '../../store/transcript/relations.ts';
import { modelFacts } from '../../tokens/models.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { oneLine } from '../rows/format.ts';
import { previewPart } from '../rows/preview.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { linkOf } from './relations.ts';
import { listed, summaryOf } from './summary.ts';

/** Messages from the end in which last words are looked for. */
const LAST_MESSAGES = 12;
const LAST_CHARS = 160;

/** Answers transcript.relatives. Error: `transcript.unknown`. */
export function relativesOf(engine: Engine, id: string): Result<Relatives, ProtocolError> {
  const families = engine.families(id);
  const member = families?.get(id);
  if (!families || !member) return err(failure('transcript.unknown', `The library has no transcript ${id}.`));
  const parent = families.parentOf(member);
  const from = families.continuedFrom(member);
  return ok({
    parent: parent && parentLink(engine, families, parent),
    children: childLinks(engine, families, member),
    branches: branchLinks(engine, families, member),
    continues: from ? linkOf(from) : baseLink(engine, id),
    continuedBy: continuations(engine, id, families.continuations(member).map(linkOf)),
    forkedFrom: forkedFrom(families, member),
    forks: families.forksOf(member).map((fork) => ({
      ...linkOf(fork),
      at: fork.whatIf?.at ?? fork.forkedAt ?? 0,
      messages: fork.messages,
    })),
  });
}

function forkedFrom(families: Families<StoredMember>, member: StoredMember): Relatives['forkedFrom'] {
  const from = families.forkedFrom(member);
  const at = member.whatIf?.at ?? member.forkedAt;
  return from === null || at === undefined ? null : { ...linkOf(from), at };
}

/** The transcript whose messages all come first in this one, though neither names the other. */
function baseLink(engine: Engine, id: string): TranscriptLink | null {
  const base = engine.library.get(id)?.base ?? null;
  return base !== null && base.shared === base.messages ? linkTo(engine, base.id) : null;
}

/** Those that name this one, and those that begin with all of it. */
function continuations(engine: Engine, id: string, named: readonly TranscriptLink[]): readonly TranscriptLink[] {
  const known = new Set(named.map((link) => link.id));
  const others = engine.library.tables.derived.continuedBy(id).filter((other) => !known.has(other));
  return [...named, ...others.flatMap((other) => linkTo(engine, other) ?? [])];
}

function linkTo({ library }: Engine, id: string): TranscriptLink | null {
  const row = library.get(id);
  return row && { id, title: summaryOf(row, null).title };
}

/** The call may be in a branch of the parent: then that is where the link leads. */
function parentLink(
  { library }: Engine,
  families: Families<StoredMember>,
  { member, callId }: Parent<StoredMember>,
): Relatives['parent'] {
  if (callId !== null) {
    for (const branch of families.branchesOf(member)) {
      const place = library.tables.relations.findCalls(branch.row, [callId]).get(callId);
      if (place) return { ...linkOf(branch), callIndex: place.index, part: place.part };
    }
  }
  return { ...linkOf(member), callIndex: null, part: null };
}

function childLinks(engine: Engine, families: Families<StoredMember>, member: StoredMember): readonly ChildLink[] {
  const children = families
    .childrenOf(member)
    .map((child) => ({ child, callId: families.parentOf(child)?.callId ?? null }));
  const callIds = children.flatMap(({ callId }) => callId ?? []);
  const places = engine.library.tables.relations.findCalls(member.row, callIds);
  const isActive = families.rootOf(member) === member;
  return children
    .map(({ child, callId }) => ({ child, callId, place: callId === null ? undefined : places.get(callId) }))
    .filter(({ place }) => place !== undefined || isActive)
    .sort((a, b) => (a.place?.index ?? Number.MAX_SAFE_INTEGER) - (b.place?.index ?? Number.MAX_SAFE_INTEGER))
    .flatMap(({ child, callId, place }): ChildLink[] => {
      const row = engine.library.get(child.id);
      if (row === null) return [];
      const totals = engine.library.tables.tokens.totalsOf(child.row, modelFacts(modelOf(row)).tokenizer);
      const { tokens, tokensProvenance } = summaryOf(row, listed(totals, engine.plainCounts));
      const { messages } = child;
      const call = { callId, callIndex: place?.index ?? null, part: place?.part ?? null };
      const archived = row.meta.archivedAs !== undefined;
      return [{ ...linkOf(child), ...call, archived, messages, tokens, tokensProvenance, state: row.state }];
    });
}

function branchLinks(engine: Engine, families: Families<StoredMember>, member: StoredMember): readonly BranchLink[] {
  const branches = families.branchesOf(member);
  if (branches.length < 2) return [];
  return branches.map((branch) => ({
    ...linkOf(branch),
    active: families.rootOf(branch) === branch,
    at: branch === member ? null : Math.min(families.sharedBy(member, branch) ?? 0, branch.messages, member.messages),
    messages: branch.messages,
    lastText: lastText(engine, branch),
    endedAt: engine.library.get(branch.id)?.endedAt ?? null,
  }));
}

/** The last words in a transcript, one line; '' if none of its last messages has any. */
function lastText({ library }: Engine, { row, messages }: StoredMember): string {
  for (let index = messages - 1; index >= Math.max(0, messages - LAST_MESSAGES); index--) {
    const [text] = library.tables.messages.texts(row, index, 1, 1);
    if (text === undefined) continue;
    const message: unknown = JSON.parse(text);
    const part = readMessage(message).parts.findLast(({ kind, chars }) => kind === 'text' && chars > 0);
    const words = part ? oneLine(previewPart(message, part, null).text, LAST_CHARS) : '';
    if (words !== '') return words;
  }
  return '';
}
