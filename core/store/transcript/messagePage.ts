import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import type { Origin } from '../../model/transcript.ts';
import { readStored } from '../library/storeProblem.ts';
import { FactsUnpacker, packFacts } from './factsCodec.ts';
import { statsOf } from './pageStats.ts';

/** A page's columns as they are stored. `stats` is null in pages that an older version wrote. */
export interface PageColumns {
  readonly first: number;
  readonly count: number;
  readonly partCounts: Uint8Array;
  readonly facts: string;
  readonly meta: string;
  readonly origins: string;
  readonly stats: string | null;
}

/** A run of messages of one transcript: everything small about them, in parallel lists. */
export interface PageContent {
  readonly first: number;
  readonly facts: readonly MessageFacts[];
  readonly metas: readonly MessageMeta[];
  readonly origins: readonly (readonly Origin[])[];
  /** Binary payloads of each message. */
  readonly payloads: readonly number[];
}

/** [line, byteStart, byteEnd] for each record of a message, flat. */
type PackedOrigin = number[];

/** A page as it is stored. */
export function packPage({ first, facts, metas, origins, payloads }: PageContent): PageColumns {
  const parts = Uint32Array.from(facts, (one) => one.parts.length);
  const packed: PackedOrigin[] = origins.map((list) => list.flatMap((o) => [o.line, o.byteStart, o.byteEnd]));
  return {
    first,
    count: facts.length,
    partCounts: new Uint8Array(parts.buffer),
    facts: packFacts(facts),
    meta: JSON.stringify(metas),
    origins: JSON.stringify(packed),
    stats: JSON.stringify(statsOf(facts, metas, payloads)),
  };
}

/** A stored page's content; `payloads` are those of its messages' contents. */
export function unpackPage(page: PageColumns, payloads: readonly number[]): PageContent {
  return {
    first: page.first,
    facts: new FactsUnpacker().unpack(page.facts),
    metas: readStored(page.meta),
    origins: unpackPageOrigins(page.origins),
    payloads,
  };
}

/** Origins of all messages of a page. */
export function unpackPageOrigins(text: string): Origin[][] {
  const packed: PackedOrigin[] = readStored(text);
  return packed.map(unpackOrigins);
}

/** The messages [from, to) of a page. */
export function slicePage(page: PageContent, from: number, to: number): PageContent {
  const start = Math.max(0, from - page.first);
  const end = to - page.first;
  return {
    first: page.first + start,
    facts: page.facts.slice(start, end),
    metas: page.metas.slice(start, end),
    origins: page.origins.slice(start, end),
    payloads: page.payloads.slice(start, end),
  };
}

function unpackOrigins(flat: PackedOrigin): Origin[] {
  const origins: Origin[] = [];
  for (let i = 0; i + 2 < flat.length; i += 3) {
    origins.push({ line: flat[i]!, byteStart: flat[i + 1]!, byteEnd: flat[i + 2]! });
  }
  return origins;
}
