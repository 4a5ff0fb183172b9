// A call may be recorded more than once: by a framework around a provider's client, each with its own instrumentation.
// The innermost record is nearest to what went over the wire; those around it are wrappers.

import { fingerprint } from '../../fingerprint.ts';
import { answerOf } from './identity.ts';
import type { TraceItem } from './item.ts';

// Deeper than real traces are; a chain made to be endless costs no more.
const MAX_DEPTH = 200;

/** The way from a span up. */
export class Family {
  readonly #byId = new Map<string, TraceItem>();

  constructor(items: readonly TraceItem[]) {
    for (const item of items) if (item.id !== null) this.#byId.set(`${item.trace} ${item.id}`, item);
  }

  /** The spans around it, nearest first, up to a depth. */
  ancestors(item: TraceItem): readonly TraceItem[] {
    const found: TraceItem[] = [];
    let at = this.#parent(item);
    while (at && found.length < MAX_DEPTH && at !== item) {
      found.push(at);
      at = this.#parent(at);
    }
    return found;
  }

  #parent(item: TraceItem): TraceItem | undefined {
    return item.parent === null ? undefined : this.#byId.get(`${item.trace} ${item.parent}`);
  }
}

/** The records around others, and for calls recorded twice the record around; `items` sorted by start. */
export interface Wrappers {
  readonly wrappers: ReadonlySet<TraceItem>;
  readonly twins: ReadonlyMap<TraceItem, TraceItem>;
}

/** Finds wrappers: calls with calls inside, and calls with a record of the same request within their time. */
export function wrappersIn(items: readonly TraceItem[], family: Family): Wrappers {
  const wrappers = new Set<TraceItem>();
  const twins = new Map<TraceItem, TraceItem>();
  const asked = new Map<string, TraceItem[]>();
  for (const item of items) {
    if (!item.call) continue;
    for (const around of family.ancestors(item)) {
      if (around.call) wrappers.add(around);
      if (around.isBoundary) break;
    }
    const key = requestKey(item);
    if (key === null) continue;
    const others = asked.get(key) ?? [];
    for (const other of others) {
      if (!wrappers.has(other) && !isTwin(other, item)) continue;
      wrappers.add(other);
      twins.set(item, other);
    }
    asked.set(key, [...others.filter((other) => !wrappers.has(other)), item]);
  }
  return { wrappers, twins };
}

function requestKey({ trace, call }: TraceItem): string | null {
  if (!call?.messages) return null;
  return fingerprint(call.messages.map(answerOf).join('\n'), trace);
}

// Another instrumentation's record of the same request, around this one in time.
function isTwin(outer: TraceItem, inner: TraceItem): boolean {
  return outer.scope !== inner.scope && outer.start !== '' && outer.start <= inner.start && inner.end <= outer.end;
}
