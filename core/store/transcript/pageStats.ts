// What a transcript's row says of its messages is the sum of what its pages say. So a transcript that goes back, or
// whose message is amended, has its numbers from a few short texts, and no message is read for them.

import { hasFailed } from '../../model/failure.ts';
import type { MessageFacts, MessageMeta } from '../../model/message.ts';
import { earlier, later } from '../../util/instant.ts';
import { readStored } from '../library/storeProblem.ts';

/** Numbers of a run of messages. */
export interface PageStats {
  readonly parts: number;
  readonly turns: number;
  readonly callPoints: number;
  readonly assets: number;
  /** Results marked as errors, and answers that are a client's error text. */
  readonly errors: number;
  /** In order of first use. */
  readonly models: readonly string[];
  /** First and last timestamp recorded with a message; null if none was. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Of no messages. */
export const NO_STATS: PageStats = {
  parts: 0,
  turns: 0,
  callPoints: 0,
  assets: 0,
  errors: 0,
  models: [],
  from: null,
  to: null,
};

/** Of messages given as parallel lists; `payloads` = binary payloads of each. */
export function statsOf(
  facts: readonly MessageFacts[],
  metas: readonly MessageMeta[],
  payloads: readonly number[],
): PageStats {
  const times = metas.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [timestamp]));
  return {
    parts: facts.reduce((sum, one) => sum + one.parts.length, 0),
    turns: facts.filter((one) => one.beginsTurn).length,
    callPoints: facts.filter((one) => one.role === 'assistant').length,
    assets: payloads.reduce((sum, one) => sum + one, 0),
    errors: facts.reduce((sum, one, i) => sum + errorsOf(one, metas[i]), 0),
    models: [...new Set(metas.flatMap(({ model }) => (model === undefined ? [] : [model])))],
    from: times.reduce(earlier, null),
    to: times.reduce(later, null),
  };
}

function errorsOf({ parts }: MessageFacts, meta: MessageMeta = {}): number {
  return parts.filter((part) => hasFailed(part, meta)).length + (meta.apiError === true ? 1 : 0);
}

/** A page's numbers as stored; null if an older version wrote them, without errors. */
export function parseStats(stored: string | null): PageStats | null {
  const stats = stored === null ? null : readStored<Omit<PageStats, 'errors'> & { readonly errors?: number }>(stored);
  return stats?.errors === undefined ? null : { ...stats, errors: stats.errors };
}

/** Of two runs, one after the other. */
export function addStats(a: PageStats, b: PageStats): PageStats {
  return {
    parts: a.parts + b.parts,
    turns: a.turns + b.turns,
    callPoints: a.callPoints + b.callPoints,
    assets: a.assets + b.assets,
    errors: a.errors + b.errors,
    models: b.models.every((model) => a.models.includes(model)) ? a.models : [...new Set([...a.models, ...b.models])],
    from: earlier(a.from, b.from),
    to: later(a.to, b.to),
  };
}
