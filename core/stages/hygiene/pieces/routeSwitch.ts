// Where the last switch of route stands, along the call points: pieces before it lose their reasoning items.
import type { Draft } from '../draft.ts';
import { describeSwitch, NO_ROUTE, routeKey } from '../routes.ts';
import { mayHoldReasoning } from '../rules/openai.ts';
import { routeOf } from '../target.ts';
import type { SegmentContext, Target } from '../types.ts';
import type { CrossSegmentContext, CrossSegmentRule } from './crossSegmentRules.ts';
import type { Segment, Segments } from './segments.ts';

/** The routes of a piece's first and last answer, and a switch between its answers, in words. */
interface Routes {
  readonly first: Target;
  readonly last: Target;
  readonly inner: string | null;
}

/** The piece that holds the last switch, or stands right before it. */
interface Cut {
  readonly start: number;
  readonly words: string;
  readonly behind: Target;
}

/** The outlook of `switched_reasoning`. */
export class RouteSwitch implements CrossSegmentRule {
  readonly #segments: Segments;
  readonly #request: Target;
  readonly #routes = new Map<Segment, Routes>();
  #cut: Cut | null = null;
  /** The cut is where it would be found; behind it nothing has come but answers of the route {@link #tail}, or none at all. */
  #isFound = false;
  /** The route of all answers behind the cut, where it is one. */
  #tail: string | null = null;

  constructor({ segments, route }: CrossSegmentContext) {
    this.#segments = segments;
    this.#request = route;
  }

  enter(segment: Segment, messages: readonly Draft[]): null {
    const before = this.#routes.get(segment);
    const routes = routesIn(messages);
    if (routes === null) this.#routes.delete(segment);
    else this.#routes.set(segment, routes);
    const isMore = before === undefined && (routes === null || this.#isTail(segment, routes));
    if (!isMore && keyOf(before) !== keyOf(routes ?? undefined)) this.#isFound = false;
    return null;
  }

  isAlike(before: readonly Draft[], after: readonly Draft[]): boolean {
    if (before.some(mayHoldReasoning) || after.some(mayHoldReasoning)) return false;
    return before.every((draft, at) => draft === after[at] || keyOfRoute(draft) === keyOfRoute(after[at]));
  }

  others(): Iterable<Segment> {
    if (this.#isFound) return [];
    const before = this.#cut;
    this.#cut = this.#find();
    this.#isFound = true;
    if (JSON.stringify(before) === JSON.stringify(this.#cut)) return [];
    return this.#upTo(Math.max(before?.start ?? -1, this.#cut?.start ?? -1));
  }

  around({ start }: Segment): SegmentContext {
    const cut = this.#cut;
    if (cut === null || start > cut.start) return { switched: { later: null, behind: NO_ROUTE } };
    return { switched: { later: start < cut.start ? cut.words : null, behind: cut.behind } };
  }

  forget(segment: Segment): Iterable<Segment> {
    if (this.#routes.delete(segment)) this.#isFound = false;
    return [];
  }

  #isTail({ start }: Segment, { first, last, inner }: Routes): boolean {
    const isBehind = this.#cut === null || start > this.#cut.start;
    return isBehind && inner === null && routeKey(first) === this.#tail && routeKey(last) === this.#tail;
  }

  #find(): Cut | null {
    let behind = this.#request;
    const keys = new Set<string>();
    let cut: Cut | null = null;
    for (let segment = this.#segments.last; segment !== null && cut === null; segment = segment.previous) {
      const routes = this.#routes.get(segment);
      if (routes === undefined) continue;
      const words = describeSwitch(routes.last, behind) ?? routes.inner;
      if (words !== null) cut = { start: segment.start, words, behind };
      else for (const route of [routes.first, routes.last]) keys.add(routeKey(route));
      behind = routes.first;
    }
    const [only, ...others] = keys;
    this.#tail = only !== undefined && others.length === 0 ? only : null;
    return cut;
  }

  *#upTo(start: number): Generator<Segment> {
    let segment = start < 0 ? null : this.#segments.holding(start);
    for (; segment !== null; segment = segment.previous) yield segment;
  }
}

function routesIn(messages: readonly Draft[]): Routes | null {
  let first: Target | null = null;
  let last: Target | null = null;
  let inner: string | null = null;
  for (const draft of messages) {
    const route = routeOf(draft);
    if (route === null) continue;
    first ??= route;
    inner = (last === null ? null : describeSwitch(last, route)) ?? inner;
    last = route;
  }
  return first === null || last === null ? null : { first, last, inner };
}

function keyOfRoute(draft: Draft | undefined): string | null {
  const route = draft === undefined ? null : routeOf(draft);
  return route === null ? null : routeKey(route);
}

function keyOf(routes: Routes | undefined): string {
  return routes === undefined ? '' : JSON.stringify(routes);
}
