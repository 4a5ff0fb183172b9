// Which model each request of a session belongs to, and by that what it costs and how it is cached. Decided here alone: by
// the model that its answer records; where it records none, by the last one recorded before; before the first of these, by
// the session's. The next request has no answer yet: it belongs to the last one recorded.
import type { MessageMeta } from '../model/message.ts';
import { bareModelId } from '../tokens/models.ts';
import { type CacheRule, cacheRuleOf } from './cacheRules.ts';
import { countBelow } from './places.ts';
import { type Price, priceOf } from './prices.ts';

/** What is known of a model. */
export interface ModelTerms {
  /** As recorded; null = none is. */
  readonly model: string | null;
  /** Null = not known. */
  readonly price: Price | null;
  /** How its provider caches; null = not known. */
  readonly rule: CacheRule | null;
}

/** A session as its requests are priced. */
export interface PricedSession {
  /** The session's model; null = none is recorded. */
  readonly model: string | null;
  /** All that its messages name: where that is one alone, they are not read. */
  readonly models: readonly string[];
  /** Of a bundle: the model of the next request, as it states it. */
  readonly stated?: string | undefined;
  /** Ascending; the next request is the last. */
  readonly callPoints: readonly number[];
  readonly metaAt: (index: number) => MessageMeta;
}

/** The model that an answer names; what a client wrote itself (`<synthetic>`, an error text) names none. */
export function namedModel({ model, apiError }: Pick<MessageMeta, 'model' | 'apiError'>): string | null {
  return model === undefined || apiError === true || model.startsWith('<') ? null : model;
}

/** What the requests of a session cost, each by the model that answers it. */
export class Pricing {
  /** Where each run of requests of one model begins, ascending: by call point. */
  readonly #from: readonly number[];
  readonly #runs: readonly ModelTerms[];
  /** Of its requests, in the order of their first; the next request's among them. */
  readonly models: readonly ModelTerms[];
  /** The rows of the price list that hold for requests that were made; of a session without any, for the next one. */
  readonly rows: readonly Price[];
  readonly #positions: ReadonlyMap<ModelTerms, number>;

  private constructor(from: readonly number[], runs: readonly ModelTerms[], next: number) {
    this.#from = from;
    this.#runs = runs;
    this.models = [...new Set(runs)];
    this.#positions = new Map(this.models.map((terms, position) => [terms, position]));
    const made = runs.filter((_, nth) => nth === 0 || from[nth]! < next);
    this.rows = [...new Set(made.flatMap(({ price }) => price ?? []))];
  }

  static of({ model, models, stated, callPoints, metaAt }: PricedSession, prices: readonly Price[]): Pricing {
    const known = new Map<string, ModelTerms>();
    const termsOf = (name: string): ModelTerms => {
      const id = bareModelId(name);
      const terms = known.get(id) ?? { model: name, price: priceOf(prices, id), rule: cacheRuleOf(name) };
      known.set(id, terms);
      return terms;
    };
    const next = callPoints.at(-1) ?? 0;
    const own = model === null ? NOTHING_KNOWN : termsOf(model);
    const named = new Set(
      [...models, ...(stated === undefined ? [] : [stated])]
        .flatMap((name) => namedModel({ model: name }) ?? [])
        .map(termsOf),
    );
    if ([...named].every((terms) => terms === own)) return new Pricing([0], [own], next);
    const [from, runs]: [number[], ModelTerms[]] = [[], []];
    for (const at of callPoints) {
      const name = at < next ? namedModel(metaAt(at)) : (stated ?? null);
      const terms = name === null ? (runs.at(-1) ?? own) : termsOf(name);
      if (terms === runs.at(-1)) continue;
      from.push(at);
      runs.push(terms);
    }
    return new Pricing(from, runs, next);
  }

  /** A session of one model, of which this is known. */
  static one(known: Partial<ModelTerms> = {}): Pricing {
    return new Pricing([0], [{ ...NOTHING_KNOWN, ...known }], Number.POSITIVE_INFINITY);
  }

  /** Of the request that is answered at a call point. */
  at(point: number): ModelTerms {
    return this.#runs[Math.max(0, countBelow(this.#from, point + 1) - 1)] ?? NOTHING_KNOWN;
  }

  /** Its position among `models`. */
  positionAt(point: number): number {
    return this.#positions.get(this.at(point)) ?? 0;
  }

  /** Whether there is a price for any of its models. */
  get isPriced(): boolean {
    return this.models.some(({ price }) => price !== null);
  }
}

const NOTHING_KNOWN: ModelTerms = { model: null, price: null, rule: null };
