// A request that was written, as the rules for whole requests read it; and what they find, as the lint reports it.
import type { TranscriptSource } from '../model/transcript.ts';
import { isRecord, ownAt } from '../util/unknown.ts';
import type { ProviderRequest, RecordedCompaction, RequestFinding, RequestProvider } from './requestRules/index.ts';
import { blocksOf, typeOf } from './requestRules/reading.ts';
import type { WireBody, WireTarget } from './types.ts';

/** Whose rules a target's requests are under; null = none are known. */
export const PROVIDER_OF: Readonly<Record<WireTarget, RequestProvider | null>> = {
  anthropic: 'anthropic',
  responses: 'openai',
  openai: null,
  gemini: null,
};

/** The values of the header `anthropic-beta` that settings name; null = none are recorded. */
export function betasOf(settings: Readonly<Record<string, unknown>>): readonly string[] | null {
  const betas = ownAt(settings, 'betas') ?? ownAt(settings, 'anthropic_beta');
  return Array.isArray(betas) ? betas.map(String) : null;
}

/**
 * The request for the rules; null if none are known for its target. `values` are its entries parsed, `source` the
 * transcript it was written from, if it is at hand.
 */
export function requestOf(
  body: WireBody,
  values: readonly unknown[],
  source: TranscriptSource | null,
): ProviderRequest | null {
  const provider = PROVIDER_OF[body.target];
  const settings: unknown = JSON.parse(body.head);
  if (provider === null || !isRecord(settings)) return null;
  return {
    provider,
    model: body.model,
    betas: betasOf(settings),
    settings,
    messages: values,
    ...(source !== null && { recorded: (message, block) => recordedAt(body, values, source, message, block) }),
  };
}

// The block of that number among the compaction blocks of the recorded message that the request's message came from.
function recordedAt(
  body: WireBody,
  values: readonly unknown[],
  source: TranscriptSource,
  message: number,
  block: number,
): RecordedCompaction | null {
  const index = body.entries[message]?.index;
  if (index === undefined || index === null) return null;
  const isCompaction = (each: unknown): boolean => typeOf(each) === 'compaction';
  const nth = blocksOf(values[message]).slice(0, block).filter(isCompaction).length;
  const recorded: unknown = JSON.parse(source.text(index));
  return { block: blocksOf(recorded).filter(isCompaction)[nth] ?? null, summarised: null };
}

/** A finding's sentence, with the code of the refusal. */
export function findingText({ text, errorCode }: RequestFinding): string {
  return errorCode === undefined ? text : `${text} (${errorCode})`;
}
