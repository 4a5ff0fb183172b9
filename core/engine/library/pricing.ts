import { CACHE_POINTS_MODES, type CachePointsMode } from '../../insight/cachePoints.ts';
import { PRICES, type Price, parsePrices } from '../../insight/prices.ts';
import { Pricing } from '../../insight/pricing.ts';
import type { TranscriptRow } from '../../store/types.ts';
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

/** What the requests of a session cost, and how they are cached, as prices are now. */
export function sessionPricing(engine: Pick<Engine, 'library'>, { source, outline, memo }: Session): Pricing {
  const row = source.row();
  const prices = pricesOf(engine);
  const known = memo.get('engine.pricing', (): { key: string; pricing: Pricing | null } => ({
    key: '',
    pricing: null,
  }));
  const key = JSON.stringify([source.length, row.models, row.meta.models, prices === PRICES ? null : prices]);
  if (known.pricing === null || known.key !== key) {
    const { callPoints } = outline;
    known.pricing = Pricing.of({ ...pricedModels(row), callPoints, metaAt: (index) => source.meta(index) }, prices);
    known.key = key;
  }
  return known.pricing;
}

/** Names what costs are made of: other prices or breakpoints, other costs. */
export function pricingKey(engine: Engine, session: Session): string {
  const prices = sessionPricing(engine, session).models.map(({ price }) => price);
  return JSON.stringify([prices, cachePointsModeOf(engine)]);
}

/** The models that a transcript's requests may belong to. */
export function pricedModels(row: Pick<TranscriptRow, 'models' | 'meta'>) {
  return { model: modelOf(row), models: row.models, stated: row.meta.bundle?.transcript.model };
}
