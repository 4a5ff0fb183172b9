import { CACHE_POINTS_MODES, type CachePointsMode } from '../../insight/cachePoints.ts';
import { type CacheRule, cacheRuleOf } from '../../insight/cacheRules.ts';
import { PRICES, type Price, parsePrices, priceOf } from '../../insight/prices.ts';
import { bareModelId } from '../../tokens/models.ts';
import type { Engine } from '../engine.ts';
import type { Session } from '../session/session.ts';
import { modelOf } from '../session/transcriptModel.ts';

/** Where the user's prices are kept among the settings. */
export const PRICES_KEY = 'prices';

/** The user's price table; the program's own until there is one. */
export function pricesOf(engine: Pick<Engine, 'library'>): readonly Price[] {
  const kept = engine.library.settings()[PRICES_KEY];
  if (kept === undefined || kept === null) return PRICES;
  const read = parsePrices(kept);
  // What a newer version wrote may not be understood here: better no figure of the user's than a wrong one.
  return read.ok ? read.value : PRICES;
}

/** Where the user's choice of breakpoints is kept among the settings. */
export const CACHE_POINTS_KEY = 'cachePoints';

/** The user's choice of where requests have the breakpoints of a cache. */
export function cachePointsModeOf(engine: Engine): CachePointsMode {
  const kept = engine.library.settings()[CACHE_POINTS_KEY];
  return CACHE_POINTS_MODES.find((mode) => mode === kept) ?? 'auto';
}

/** What is known of the prices and the cache of the model a transcript ran on last. */
export function sessionPricing(
  engine: Engine,
  session: Session,
): { readonly model: string | null; readonly rule: CacheRule | null; readonly price: Price | null } {
  const model = modelOf(session.source.row());
  const price = model === null ? null : priceOf(pricesOf(engine), bareModelId(model));
  return { model, rule: cacheRuleOf(model), price };
}
