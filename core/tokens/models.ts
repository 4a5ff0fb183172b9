/**
 * What is known of models: tokenizer and context window, as data. Patterns are tried in order against the bare model
 * id (lower case, without provider prefix or region); the first that matches answers.
 */
import type { TokenizerId } from './counters.ts';
import type { ImageRule } from './images.ts';

/** What a model means for counting. */
export interface ModelFacts {
  readonly tokenizer: TokenizerId;
  /** Whether `tokenizer` is the model's own; otherwise counts with it are an estimate. */
  readonly exact: boolean;
  /** How counts are to be labelled. */
  readonly label: string;
  /** Documented context window in tokens, input and output together; null = not known. */
  readonly window: number | null;
  /** How images are charged. */
  readonly images: ImageRule;
}

interface ModelRow {
  readonly pattern: RegExp;
  readonly tokenizer: TokenizerId;
  readonly exact: boolean;
  readonly window: number | null;
  readonly images: ImageRule;
}

const o200k = (pattern: RegExp, window: number | null, images: ImageRule = 'openai'): ModelRow => ({
  pattern,
  tokenizer: 'o200k_base',
  exact: true,
  window,
  images,
});
const cl100k = (pattern: RegExp, window: number | null): ModelRow => ({
  pattern,
  tokenizer: 'cl100k_base',
  exact: true,
  window,
  images: 'openai',
});
const estimated = (pattern: RegExp, window: number | null, images: ImageRule): ModelRow => ({
  pattern,
  tokenizer: 'o200k_base',
  exact: false,
  window,
  images,
});

/**
 * Sources of the windows: OpenAI, platform.openai.com/docs/models (one page a model); Anthropic, platform.claude.com/docs/en/build-with-claude/context-windows (1M from
 * the 4.6 generation on, all others 200k, Sonnet 4 and 4.5 1M by beta header only) and docs/en/models/*; Google,
 * ai.google.dev/gemini-api/docs/models. Tokenizers: openai/tiktoken model.py. Anthropic and Google publish no
 * vocabulary, so theirs are estimates.
 */
const MODELS: readonly ModelRow[] = [
  o200k(/^gpt-5(\.\d+)?-chat|^gpt-5\.3-codex-spark/, 128_000, 'openai-gpt5'),
  o200k(/^gpt-5(\.[1-4])?-(mini|nano)/, 400_000, 'openai-patch'),
  o200k(/^gpt-5\.([45]($|-)|6-(sol|terra|luna))/, 1_050_000, 'openai-gpt5'),
  o200k(/^gpt-5(\.[1-3])?($|-)/, 400_000, 'openai-gpt5'),
  o200k(/^gpt-5/, null, 'openai-gpt5'),
  o200k(/^gpt-oss/, 131_072),
  o200k(/^gpt-4\.1-(mini|nano)/, 1_047_576, 'openai-patch'),
  o200k(/^gpt-4\.1/, 1_047_576),
  o200k(/^gpt-4\.5/, 128_000),
  o200k(/^gpt-4o-mini/, 128_000, 'openai-4o-mini'),
  o200k(/^(gpt-4o|chatgpt-4o)/, 128_000),
  o200k(/^o1-(mini|preview)/, 128_000, 'openai-o'),
  o200k(/^o4-mini/, 200_000, 'openai-patch'),
  o200k(/^o[134]($|-)/, 200_000, 'openai-o'),
  o200k(/^codex-mini/, 200_000, 'openai-patch'),
  cl100k(/^gpt-4-(turbo|1106|0125|vision)/, 128_000),
  cl100k(/^gpt-4-32k/, 32_768),
  cl100k(/^gpt-4($|-)/, 8_192),
  cl100k(/^gpt-3\.?5-turbo-instruct/, 4_096),
  cl100k(/^gpt-3\.?5-turbo-0(301|613)$/, 4_096),
  cl100k(/^gpt-3\.?5/, 16_385),
  estimated(/^(claude-)?(fable|mythos)/, 1_000_000, 'anthropic-large'),
  estimated(/^claude-opus-4-[7-9]($|\D)/, 1_000_000, 'anthropic-large'),
  estimated(/^claude-(opus|sonnet)-4-6($|\D)/, 1_000_000, 'anthropic'),
  estimated(/^claude-(opus|sonnet)-5($|\D)/, 1_000_000, 'anthropic-large'),
  estimated(/^claude-haiku-5-5($|\D)/, 1_000_000, 'anthropic-large'),
  estimated(/^claude.*\[1m\]$/, 1_000_000, 'anthropic'),
  estimated(/^claude-(opus|sonnet|haiku)-([5-9]|4-[6-9])/, null, 'anthropic-large'),
  estimated(/^claude-(2\.0|2$|instant|v1|1)/, 100_000, 'anthropic'),
  estimated(/^claude-(3|(opus|sonnet|haiku)-4)|^claude-2/, 200_000, 'anthropic'),
  estimated(/^(claude|sonnet|opus|haiku)/, null, 'anthropic'),
  estimated(/^gemini-1\.5-pro/, 2_097_152, 'gemini'),
  estimated(/^gemini-1\.0|^gemini-pro/, 32_760, 'gemini'),
  estimated(/^gemini-(1\.5|2|3)/, 1_048_576, 'gemini'),
  estimated(/^gemini/, null, 'gemini'),
];

const UNKNOWN: ModelRow = estimated(/(?:)/, null, 'anthropic');

/**
 * The model id in lower case without provider path, region and vendor prefix, Claude's versions with dashes
 * (`us.anthropic.claude-…-v1:0` → `claude-…-v1:0`, `claude-opus-4.8` → `claude-opus-4-8`).
 */
export function bareModelId(model: string): string {
  const last = model.trim().toLowerCase().split('/').at(-1) ?? '';
  return last
    .replace(/^(?:(?:us|eu|apac|jp|au|global)\.)?(?:anthropic|openai|google)\./, '')
    .replace(/^ft:/, '')
    .replace(/^claude[\w.-]*/, (id) => id.replaceAll('.', '-'));
}

/** The label shown with counts. */
export function tokenizerLabel(tokenizer: TokenizerId, exact: boolean): string {
  if (tokenizer === 'estimate') return 'estimated as UTF-8 bytes / 4';
  return exact ? `exact with ${tokenizer}` : `estimated with ${tokenizer}`;
}

const PROVIDER = /^[a-z_]+:(?=[a-z])/i;

function rowOf(id: string): (typeof MODELS)[number] | undefined {
  return MODELS.find((row) => row.pattern.test(id));
}

/**
 * Facts of a model by its recorded id; an unknown or missing one is estimated with o200k_base, window null. A provider in
 * front of it (`anthropic:claude-sonnet-4`) is passed over where the whole is not known.
 */
export function modelFacts(model: string | null | undefined): ModelFacts {
  const id = bareModelId(model ?? '');
  const { tokenizer, exact, window, images } = rowOf(id) ?? rowOf(bareModelId(id.replace(PROVIDER, ''))) ?? UNKNOWN;
  return { tokenizer, exact, window, images, label: tokenizerLabel(tokenizer, exact) };
}
