// A target as people name it, made into what the matrix knows: names as they are typed, and what goes without saying.
// The matrix goes by exact names of APIs: without this, `google` alone would be one of "everything else".
import { canonicalProvider, MATRIX_NAMES } from './profiles.ts';
import type { Target } from './types.ts';

type Known = Readonly<{ provider?: string; modelApi?: string }>;

/** What a provider's name alone says. */
const PROVIDERS: Readonly<Record<string, Known>> = {
  claude: { provider: 'anthropic' },
  codex: { provider: 'openai-codex', modelApi: 'openai-codex-responses' },
  gemini: { provider: 'google', modelApi: 'google-generative-ai' },
  'gemini-cli': { provider: 'google-gemini-cli', modelApi: 'google-gemini-cli' },
  google: { modelApi: 'google-generative-ai' },
  'google-antigravity': { modelApi: 'google-antigravity' },
  'google-gemini-cli': { modelApi: 'google-gemini-cli' },
  'google-generative-ai': { provider: 'google', modelApi: 'google-generative-ai' },
  // Anthropic-compatible, as the seed of hygiene has it; over another API it says so.
  minimax: { modelApi: 'anthropic-messages' },
  'openai-codex': { modelApi: 'openai-codex-responses' },
  'openai-responses': { provider: 'openai', modelApi: 'openai-responses' },
  responses: { provider: 'openai', modelApi: 'openai-responses' },
};

/** Other names of APIs: those of `parallax export --wire`, and of the providers' own documentation. */
const APIS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-messages',
  messages: 'anthropic-messages',
  chat: 'openai-completions',
  'chat-completions': 'openai-completions',
  'openai-chat': 'openai-completions',
  responses: 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  codex: 'openai-codex-responses',
  gemini: 'google-generative-ai',
  google: 'google-generative-ai',
  'generate-content': 'google-generative-ai',
};

/** Where models are asked of whom nothing else is known. */
const MODELS: readonly (readonly [RegExp, string])[] = [
  [/^(anthropic\/)?claude/, 'anthropic'],
  [/^(google\/|models\/)?gemini/, 'google'],
];

/** The target in the matrix's own names, with the API that a provider named alone is asked by. */
export function spelledOut({ provider, modelApi, modelId }: Target): Target {
  const name = canonicalProvider(provider) || (modelApi.trim() === '' ? makerOf(modelId) : '');
  const known = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  const api = modelApi.trim().toLowerCase();
  return {
    provider: known?.provider ?? name,
    modelApi: api === '' ? (known?.modelApi ?? '') : Object.hasOwn(APIS, api) ? (APIS[api] ?? api) : api,
    modelId,
  };
}

/** Names that a target can be called by: of providers, and of APIs. */
export const TARGET_NAMES = {
  providers: [...new Set([...MATRIX_NAMES.providers, ...Object.keys(PROVIDERS)])].sort(),
  apis: [...new Set([...MATRIX_NAMES.apis, ...Object.keys(APIS)])].sort(),
} as const;

/** Which name of a target nothing is known of; null = none. A provider whose API is named may be any. */
export function unknownName({ provider, modelApi }: Omit<Target, 'modelId'>): 'provider' | 'api' | null {
  const api = modelApi.trim().toLowerCase();
  if (api !== '') return TARGET_NAMES.apis.includes(api) ? null : 'api';
  const name = canonicalProvider(provider);
  return name === '' || TARGET_NAMES.providers.includes(name) ? null : 'provider';
}

function makerOf(modelId: string): string {
  const model = modelId.trim().toLowerCase();
  return MODELS.find(([pattern]) => pattern.test(model))?.[1] ?? '';
}
