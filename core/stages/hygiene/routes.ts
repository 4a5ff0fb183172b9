// Routes of answers: which provider, API and model they came from, and where one gave way to another.
import type { Draft } from './draft.ts';
import { canonicalProvider } from './profiles.ts';
import { routeOf } from './target.ts';
import type { Target } from './types.ts';

/** A route of which nothing is known. */
export const NO_ROUTE: Target = { provider: '', modelApi: '', modelId: '' };

/** A switch: messages [0, end) stand before it. */
export interface Switch {
  readonly end: number;
  readonly words: string;
}

/** The last switch among the answers, or between them and what comes behind them; null = there is none. */
export function lastSwitch(messages: readonly Draft[], behind: Target): Switch | null {
  let next = behind;
  for (let at = messages.length - 1; at >= 0; at--) {
    const draft = messages[at];
    const route = draft === undefined ? null : routeOf(draft);
    if (route === null) continue;
    const words = describeSwitch(route, next);
    if (words !== null) return { end: at + 1, words };
    next = route;
  }
  return null;
}

/** What differs between two routes, in words; null = nothing that both of them name. */
export function describeSwitch(from: Target, to: Target): string | null {
  const pairs = [
    [canonicalProvider(from.provider), canonicalProvider(to.provider)],
    [plain(from.modelApi), plain(to.modelApi)],
    [plain(from.modelId), plain(to.modelId)],
  ] as const;
  const different = pairs.filter(([a, b]) => a !== '' && b !== '' && a !== b);
  return different.length === 0 ? null : different.map((pair) => pair.join(' → ')).join(', ');
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}

/** A name for a route: the same for the same. */
export function routeKey({ provider, modelApi, modelId }: Target): string {
  return JSON.stringify([canonicalProvider(provider), plain(modelApi), plain(modelId)]);
}
