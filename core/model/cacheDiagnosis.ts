// What a provider said of a request against the one before it: whether what they begin with is the same, and if not, what
// differs. It compares requests, whatever the cache held: a request may differ and be read from an earlier breakpoint, or
// be the same and find nothing.
import { isRecord, numberAt, ownAt, recordAt, stringAt } from '../util/unknown.ts';

/**
 * What changed, by the provider. `input`: a part of the input, which the provider does not name further; `parameter`: one
 * that shapes the prompt; `unknown`: the provider could not say, which states nothing of the request.
 */
export type DiagnosedCause =
  | 'model'
  | 'system'
  | 'tools'
  | 'messages'
  | 'input'
  | 'compaction'
  | 'parameter'
  | 'unknown';

/** A recorded diagnosis. */
export interface CacheDiagnosis {
  /** Null: nothing differs, or nobody asked. */
  readonly cause: DiagnosedCause | null;
  /** The provider's own word (`messages_changed`); `pending`: it was still comparing when it answered. */
  readonly word?: string;
  /** Tokens behind the difference. The provider's estimate: it may be more than the usage says. */
  readonly missedTokens?: number;
}

const NOTHING: CacheDiagnosis = { cause: null };

const ANTHROPIC: Readonly<Record<string, DiagnosedCause>> = {
  model_changed: 'model',
  system_changed: 'system',
  tools_changed: 'tools',
  messages_changed: 'messages',
};

/**
 * The diagnosis in a message of the Claude API (`diagnostics`); undefined if the field is not there. `null` is nothing found
 * or not asked. platform.claude.com, build-with-claude/cache-diagnostics; types of @anthropic-ai/sdk 1.11.0. Read 2026-11-22.
 */
export function anthropicDiagnosis(message: unknown): CacheDiagnosis | undefined {
  const recorded = isRecord(message) ? ownAt(message, 'diagnostics') : undefined;
  if (recorded === null) return NOTHING;
  if (!isRecord(recorded) || !Object.hasOwn(recorded, 'cache_miss_reason')) return undefined;
  const reason = recordAt(recorded, 'cache_miss_reason');
  if (reason === undefined) return { cause: 'unknown', word: 'pending' };
  return diagnosis(ANTHROPIC, stringAt(reason, 'type'), numberAt(reason, 'cache_missed_input_tokens'));
}

const OPENAI: Readonly<Record<string, DiagnosedCause>> = {
  model_changed: 'model',
  tools_changed: 'tools',
  input_changed: 'input',
  context_compacted: 'compaction',
  prompt_cache_key_changed: 'parameter',
  text_format_changed: 'parameter',
  reasoning_effort_changed: 'parameter',
  verbosity_changed: 'parameter',
  service_tier_changed: 'parameter',
};

/**
 * The diagnosis in an answer of OpenAI's Responses (`prompt_cache_diagnostics`); undefined if nobody asked for one.
 * developers.openai.com, guides/prompt-caching; types of openai 7.55.0. Read 2026-11-22.
 */
export function openaiDiagnosis(response: unknown): CacheDiagnosis | undefined {
  const recorded = isRecord(response) ? recordAt(response, 'prompt_cache_diagnostics') : undefined;
  if (recorded === undefined) return undefined;
  const type = stringAt(recorded, 'type');
  if (type === 'cache_hit') return NOTHING;
  const word = type === 'cache_miss' ? stringAt(recorded, 'reason') : type;
  return diagnosis(OPENAI, word, numberAt(recorded, 'cache_missed_tokens'));
}

// A word that is not known here is kept, and says nothing.
function diagnosis(
  causes: Readonly<Record<string, DiagnosedCause>>,
  word: string | undefined,
  missedTokens: number | undefined,
): CacheDiagnosis {
  const known = word !== undefined && Object.hasOwn(causes, word) ? causes[word] : undefined;
  return {
    cause: known ?? 'unknown',
    ...(word !== undefined && { word }),
    ...(missedTokens !== undefined && { missedTokens }),
  };
}

/** Whether a diagnosis names what changed. One that could not be made does not. */
export function saysChanged({ cause }: CacheDiagnosis): boolean {
  return cause !== null && cause !== 'unknown';
}

const CHANGED: Readonly<Record<DiagnosedCause, string>> = {
  model: 'model or speed changed',
  system: 'system prompt changed',
  tools: 'tools changed',
  messages: 'earlier messages changed',
  input: 'input changed',
  compaction: 'context compacted',
  parameter: 'a setting changed',
  unknown: 'no statement',
};

const WORDS: Readonly<Record<string, string>> = {
  prompt_cache_key_changed: 'cache key changed',
  text_format_changed: 'text format changed',
  reasoning_effort_changed: 'reasoning effort changed',
  verbosity_changed: 'verbosity changed',
  service_tier_changed: 'service tier changed',
  previous_message_not_found: 'no statement: it no longer knew the request before',
  comparison_response_not_found: 'no statement: it no longer knew the request before',
  unavailable: 'no statement: a setting changed, or the change is too far back',
  pending: 'no statement: it was still comparing',
};

/** Whether there is anything to report of a diagnosis: what changed, that nothing did, or why the provider could not say. */
export function saysAnything({ cause, word }: CacheDiagnosis): boolean {
  return cause !== 'unknown' || (word !== undefined && Object.hasOwn(WORDS, word));
}

/** What a cause says in a few words. */
export function describeChanged(cause: DiagnosedCause): string {
  return CHANGED[cause];
}

/** What a diagnosis says, without its tokens: `system prompt changed`. */
export function diagnosisText({ cause, word }: CacheDiagnosis): string {
  if (cause === null) return 'nothing changed';
  const own = word !== undefined && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return own ?? CHANGED[cause];
}
