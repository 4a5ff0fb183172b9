import type { Families } from '../../model/families.ts';
import type { TranscriptLink, TranscriptSummary } from '../../protocol/types.ts';
import type { StoredMember } from '../../store/transcript/relations.ts';
import { titleOf } from './titles.ts';

/** A relative as a link shows it. */
export function linkOf(member: StoredMember): TranscriptLink {
  return { id: member.id, title: titleOf(member) };
}

/** The sub-agents that a transcript's calls started, by the call's id. */
export function spawnedBy(families: Families<StoredMember>, id: string): ReadonlyMap<string, TranscriptLink> {
  const member = families.get(id);
  const children = member ? families.childrenOf(member) : [];
  return new Map(
    children.flatMap((child): [string, TranscriptLink][] => {
      const callId = families.parentOf(child)?.callId;
      return callId == null ? [] : [[callId, linkOf(child)]];
    }),
  );
}

/** What a transcript belongs under in the list: the one that started it, the active branch, or what it was forked from. */
export function underOf(families: Families<StoredMember>, id: string): TranscriptSummary['under'] {
  const member = families.get(id);
  if (!member) return null;
  const root = families.rootOf(member);
  if (root !== member) return { id: root.id, as: 'branch' };
  const forkedFrom = families.forkedFrom(member);
  if (forkedFrom !== null && member.whatIf !== undefined) return { id: forkedFrom.id, as: 'what_if' };
  const starter = families.starterOf(member);
  return starter && { id: families.rootOf(starter).id, as: 'agent' };
}
