import type { BranchLink, ChildLink, Relatives } from '../../core/protocol/types.ts';
import { figureSign, formatShort, plural } from '../ui/format.ts';

/** How many transcripts there are to go to. */
export function relativesCount({ children, branches, continues, continuedBy, forks }: Relatives): number {
  return Math.max(0, branches.length - 1) + forks.length + children.length + (continues ? 1 : 0) + continuedBy.length;
}

/** Where a branch leaves the one that is open, and how long it is: `forks at #45 · 30 messages on`. */
export function describeBranch({ at, messages }: BranchLink): string {
  if (at === null) return plural(messages, 'message');
  return `forks at #${at} · ${plural(Math.max(0, messages - at), 'message')} on`;
}

/** A sub-agent's place and size: `#40 · 12 messages · 8.1k tokens`. */
export function describeChild({ callIndex, messages, tokens, tokensProvenance, state }: ChildLink): string {
  const about = figureSign(tokensProvenance);
  return [
    callIndex !== null && `#${callIndex}`,
    plural(messages, 'message'),
    tokens !== null && `${about}${formatShort(tokens)} tokens`,
    state === 'importing' && 'being imported',
    state === 'failed' && 'import failed',
  ]
    .filter(Boolean)
    .join(' · ');
}
