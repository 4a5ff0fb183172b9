// What belongs together by the ids that a transcript records: an ask (request) with all it led to, a call of the model with
// its tool calls and their results. Source: the thread design, "Correlation and Traceability".
import type { MessageFacts, MessageMeta } from '../model/message.ts';
import { provenanceWords } from '../model/provenance.ts';
import { callsOf, resultsOf } from '../model/readMessage.ts';

/** A message that belongs to a request or to a call of the model. */
export interface CorrelatedEntry {
  /** Source index. */
  readonly index: number;
  readonly role: string;
  /** Who put it there, in a few words; null = simply its role. */
  readonly origin: string | null;
  /** The kinds of entry it holds: message, tool_call, tool_result, summary. */
  readonly kinds: readonly string[];
  /** How it is tied: `ref` = it names the id itself, `answers` = it holds a result of a call that does. */
  readonly via: 'ref' | 'answers';
  readonly requestId: string | null;
  readonly callId: string | null;
  /** Ids of the tool calls that it makes or answers. */
  readonly toolCallIds: readonly string[];
  readonly iteration: number | null;
  readonly parentCallId: string | null;
}

/** All messages of a request or call, ascending. None = the transcript names no such id. */
export interface Correlation {
  readonly entries: readonly CorrelatedEntry[];
  /** The (first) call's place: the messages before it are what its request was made of. Null if there is no entry. */
  readonly at: number | null;
  /** Calls of the model in it, by their ids, in order. */
  readonly callIds: readonly string[];
}

/** What is asked: an ask, or one call of the model: by its id, that of its answer, or that of a tool call in it. */
export type Wanted =
  | { readonly kind: 'request'; readonly requestId: string }
  | { readonly kind: 'call'; readonly callId: string };

/** Takes messages one by one, in order, so that a host can pause in between. Linear; holds only what it found. */
export class Correlator {
  readonly #wanted: Wanted;
  readonly #byRank: Found[][] = [[], [], [], []];

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  add(index: number, facts: MessageFacts, meta: MessageMeta): void {
    for (const [rank, found] of this.#byRank.entries()) {
      const isRef = this.#names(rank, facts, meta);
      const last = found.at(-1);
      const answered = last?.open;
      const results = resultsOf(facts).flatMap(({ part }) => part.callId ?? []);
      const isAnswer = answered !== undefined && results.some((id) => answered.has(id));
      if (!isRef && !isAnswer) continue;
      const open = new Set(answered);
      if (isRef) for (const { part } of callsOf(facts)) if (typeof part.callId === 'string') open.add(part.callId);
      found.push({ entry: entryOf(index, facts, meta, isRef ? 'ref' : 'answers'), open });
    }
  }

  // From the surest name to the weakest: the call's own id, its answer's, the provider's id of the request, a tool call's.
  #names(rank: number, facts: MessageFacts, meta: MessageMeta): boolean {
    if (this.#wanted.kind === 'request') return rank === 0 && meta.requestId === this.#wanted.requestId;
    const { callId } = this.#wanted;
    if (rank === 0) return meta.callId === callId;
    if (rank === 1) return facts.role === 'assistant' && meta.id === callId;
    if (rank === 2) return facts.role === 'assistant' && meta.callId === undefined && meta.requestId === callId;
    return callsOf(facts).some(({ part }) => part.callId === callId);
  }

  result(): Correlation {
    const found = this.#byRank.find((each) => each.length > 0) ?? [];
    const entries = found.map(({ entry }) => entry);
    const answer = entries.find(({ role }) => role === 'assistant');
    const last = entries.at(-1);
    const at = answer?.index ?? (last === undefined ? null : last.index + 1);
    const callIds = entries.flatMap(({ callId, role }) => (role === 'assistant' && callId !== null ? [callId] : []));
    return { entries, at, callIds: [...new Set(callIds)] };
  }
}

interface Found {
  readonly entry: CorrelatedEntry;
  /** Tool calls made so far whose results belong to it. */
  readonly open: ReadonlySet<string>;
}

function entryOf(index: number, facts: MessageFacts, meta: MessageMeta, via: CorrelatedEntry['via']): CorrelatedEntry {
  const toolCallIds = [...callsOf(facts), ...resultsOf(facts)].flatMap(({ part }) => part.callId ?? []);
  return {
    index,
    role: facts.role,
    origin: meta.provenance === undefined ? null : provenanceWords(meta.provenance).label,
    kinds: kindsOf(facts, meta),
    via,
    requestId: meta.requestId ?? null,
    callId: meta.callId ?? (facts.role === 'assistant' ? (meta.requestId ?? meta.id ?? null) : null),
    toolCallIds: [...new Set(toolCallIds)],
    iteration: meta.iteration ?? null,
    parentCallId: meta.parentCallId ?? null,
  };
}

function kindsOf({ parts }: MessageFacts, meta: MessageMeta): readonly string[] {
  if (meta.compactSummary === true) return ['summary'];
  const kinds = new Set<string>();
  for (const { kind } of parts) {
    if (kind === 'tool_call' || kind === 'tool_result') kinds.add(kind);
    else if (kind !== 'thinking' && kind !== 'opaque') kinds.add('message');
  }
  return kinds.size === 0 ? ['message'] : [...kinds];
}

/** All messages of a request or call in a transcript whose messages and facts beside them are at hand. */
export function correlate(
  wanted: Wanted,
  source: { readonly length: number; facts(index: number): MessageFacts; meta(index: number): MessageMeta },
): Correlation {
  const correlator = new Correlator(wanted);
  for (let index = 0; index < source.length; index++) correlator.add(index, source.facts(index), source.meta(index));
  return correlator.result();
}
