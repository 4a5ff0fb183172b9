// How providers cache what requests begin with, as documented. Read on 2026-11-20:
// - Anthropic, platform.claude.com/docs/en/build-with-claude/prompt-caching: written is only at breakpoints, four a request
//   at most; read is the longest beginning that an earlier request wrote, within 20 positions of a breakpoint, the
//   breakpoint itself being the first, calls side by side being one, and results side by side. In the order tools, system,
//   messages. An entry lives 5 minutes (an hour with `ttl: "1h"`), counted from the start of the request that wrote or last
//   read it. Below a length by model nothing is cached.
// - OpenAI, developers.openai.com/api/docs/guides/prompt-caching: from 1,024 tokens on, automatic. Before GPT-5.6 hits come
//   in steps of 128 tokens; entries are cleared after 5 to 10 minutes without use (10 is taken here) unless the model keeps
//   them for up to 24 hours, which is the default where it can (GPT-4.1, GPT-5 to 5.5). From GPT-5.6 on only what a
//   breakpoint wrote is found, of the conversation's latest 80: `implicit` (the default) writes one at the end of the newest
//   message, set by OpenAI, and the request's own latest three; `explicit` its own latest four, and without any
//   nothing is cached. 30 minutes from the last write or reuse, or 12 hours where that was asked for (at least; types of
//   openai 7.55.0). Read again on 2026-11-22.
// - Google, ai.google.dev/gemini-api/docs/caching (of 2026-10-13): implicit, from 2,048 tokens on for Gemini 2.5, 4,096
//   since; docs.cloud.google.com/gemini-enterprise-agent-platform/models/context-cache/context-cache-overview: gone within
//   24 hours of being written, mostly sooner. How much sooner is not published, so 24 hours are taken here.
import type { CacheTtl } from '../model/cacheMark.ts';
import { bareModelId } from '../tokens/models.ts';

/** How a provider caches. Unit: tokens, blocks, milliseconds. */
export interface CacheRule {
  readonly provider: 'anthropic' | 'openai' | 'google';
  /** Shorter beginnings are not cached. */
  readonly minimum: number;
  /** Hits grow in steps of this size behind the minimum. */
  readonly step: number;
  /** `content`: whatever two requests have in common is found; `breakpoints`: only what a breakpoint wrote. */
  readonly matching: 'content' | 'breakpoints';
  /** How many positions from a breakpoint back are looked at, itself the first; null = all. */
  readonly lookback: number | null;
  /** How long an entry lives, by what was asked for. */
  readonly lifetime: Readonly<Record<CacheTtl, number>>;
  /** Whether use makes an entry live on. */
  readonly refreshed: boolean;
  /** Whether requests are cached without their own mark. */
  readonly automatic: boolean;
  /** Only so many of the latest entries of a conversation are looked at; absent = all. */
  readonly latest?: number;
}

/** Unit: milliseconds. */
export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How many breakpoints of a conversation OpenAI looks at from GPT-5.6 on. */
export const LATEST_BREAKPOINTS = 80;

type Row = CacheRule & { readonly pattern: RegExp };

const anthropic = (pattern: RegExp, minimum: number): Row => ({
  pattern,
  provider: 'anthropic',
  minimum,
  step: 1,
  matching: 'breakpoints',
  lookback: 20,
  lifetime: { '5m': 5 * MINUTE, '1h': HOUR },
  refreshed: true,
  automatic: false,
});
const openai = (pattern: RegExp, lifetime: number): Row => ({
  pattern,
  provider: 'openai',
  minimum: 1024,
  step: 128,
  matching: 'content',
  lookback: null,
  lifetime: { '5m': lifetime, '1h': lifetime },
  refreshed: true,
  automatic: true,
});
const google = (pattern: RegExp, minimum: number): Row => ({
  pattern,
  provider: 'google',
  minimum,
  step: 1,
  matching: 'content',
  lookback: null,
  lifetime: { '5m': 24 * HOUR, '1h': 24 * HOUR },
  refreshed: false,
  automatic: true,
});

const RULES: readonly Row[] = [
  anthropic(/^claude-(opus|fable|mythos)-5($|\D)/, 512),
  anthropic(/^claude-opus-4-7/, 2048),
  anthropic(/^claude-(opus-4-[56]|haiku-4-5)/, 4096),
  anthropic(/^claude-3(-5)?-haiku/, 2048),
  anthropic(/^claude/, 1024),
  {
    ...openai(/^gpt-(5\.[6-9]|[6-9])/, 30 * MINUTE),
    step: 1,
    matching: 'breakpoints',
    lifetime: { '5m': 30 * MINUTE, '1h': 12 * HOUR },
    latest: LATEST_BREAKPOINTS,
  },
  openai(/^gpt-(4\.1|5(\.[1245])?)($|-(?!mini|nano))/, 24 * HOUR),
  openai(/^(gpt-|o\d|chatgpt|codex)/, 10 * MINUTE),
  google(/^gemini-2\.5/, 2048),
  google(/^gemini/, 4096),
];

/** The rule for a model; null = not known: then whatever requests have in common counts as served. */
export function cacheRuleOf(model: string | null): CacheRule | null {
  const id = bareModelId(model ?? '');
  const found = RULES.find(({ pattern }) => pattern.test(id));
  if (found === undefined) return null;
  const { pattern: _pattern, ...rule } = found;
  return rule;
}

/** The tokens of a common beginning that a rule without breakpoints serves. */
export function servedTokens(prefix: number, { minimum, step }: Pick<CacheRule, 'minimum' | 'step'>): number {
  return prefix < minimum ? 0 : minimum + Math.floor((prefix - minimum) / step) * step;
}
