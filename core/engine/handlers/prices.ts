import { PRICES, PRICES_DATE, parsePrices } from '../../insight/prices.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { CACHE_POINTS_KEY, cachePointsModeOf, PRICES_KEY, pricesOf, sessionPricing } from '../library/pricing.ts';

/** The price table: the program's own, until the user has one. */
export function priceHandlers(engine: Engine): Pick<Handlers, 'prices.get' | 'prices.set' | 'cachePoints.set'> {
  return {
    'prices.get'({ id }) {
      const session = id === undefined || id === null ? null : engine.session(id);
      if (session !== null && !session.ok) return session;
      const rows = pricesOf(engine);
      const models = session === null ? [] : sessionPricing(engine, session.value).models;
      return ok({
        rows,
        edited: rows !== PRICES,
        date: PRICES_DATE,
        models,
        cachePoints: cachePointsModeOf(engine),
      });
    },
    async 'prices.set'({ rows }) {
      const read = rows === null ? ok(null) : parsePrices(rows);
      if (!read.ok) return err(failure('prices.invalid', read.error));
      await engine.writable();
      engine.library.setSetting(PRICES_KEY, read.value ?? undefined);
      return ok({});
    },
    async 'cachePoints.set'({ mode }) {
      await engine.writable();
      engine.library.setSetting(CACHE_POINTS_KEY, mode === 'auto' ? undefined : mode);
      return ok({});
    },
  };
}
