// Sub-agents and branches stand under the session they belong to, and do not count as sessions.
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { plural } from '../ui/format.ts';

/** Transcripts sorted into sessions and what belongs under each. */
export interface Nested {
  readonly sessions: readonly TranscriptSummary[];
  /** By the id of the transcript they stand under: branches first, then sub-agents in the order they were started. */
  readonly under: ReadonlyMap<string, readonly TranscriptSummary[]>;
}

/** Sorts transcripts. One whose session is not among them (filtered out, not imported) counts as a session. */
export function nestedOf(transcripts: readonly TranscriptSummary[]): Nested {
  const here = new Set(transcripts.map(({ id }) => id));
  const under = new Map<string, TranscriptSummary[]>();
  const sessions = transcripts.filter((one) => one.under === null || !here.has(one.under.id));
  for (const one of transcripts) {
    if (one.under === null || !here.has(one.under.id)) continue;
    const list = under.get(one.under.id);
    if (list) list.push(one);
    else under.set(one.under.id, [one]);
  }
  for (const list of under.values()) list.sort(byKindAndStart);
  return { sessions, under };
}

/** Ids of the transcripts that one stands under, the nearest first. */
export function above(transcripts: readonly TranscriptSummary[], id: string | null): readonly string[] {
  const found: string[] = [];
  for (let next = id; next !== null; ) {
    const one = transcripts.find((candidate) => candidate.id === next);
    next = one?.under?.id ?? null;
    if (next === null || found.includes(next)) break;
    found.push(next);
  }
  return found;
}

/** What stands under a transcript, in words: `2 branches, 1 what-if, 1 sub-agent`. */
export function describeNested(list: readonly TranscriptSummary[]): string {
  const branches = list.filter(({ under }) => under?.as === 'branch').length;
  const forks = list.filter(({ under }) => under?.as === 'what_if').length;
  const agents = list.length - branches - forks;
  return [
    branches > 0 && plural(branches, 'other branch', 'other branches'),
    forks > 0 && plural(forks, 'what-if'),
    agents > 0 && plural(agents, 'sub-agent'),
  ]
    .filter(Boolean)
    .join(', ');
}

const KIND_ORDER = ['branch', 'what_if', 'agent'];

function byKindAndStart(a: TranscriptSummary, b: TranscriptSummary): number {
  const kind = KIND_ORDER.indexOf(a.under?.as ?? 'branch') - KIND_ORDER.indexOf(b.under?.as ?? 'branch');
  return kind || (a.startedAt ?? a.importedAt).localeCompare(b.startedAt ?? b.importedAt);
}
