// Which provider asks for which rules: the matrix of detections and, for each, an ordered list of rules with options.
// Source: hygiene facts, 4 (the first published version); what is marked a defect there is built as it was meant.

import { entryOf } from '../../util/unknown.ts';
import type { StageMemo } from '../../view/types.ts';
import { Findings } from './findings.ts';
import { type IdMode, RULE_NAMES, type RuleName, type RuleOptions, type Target, type Wire } from './types.ts';

/** The named profiles. `auto` stands for the detection. */
export const PROFILE_NAMES = [
  'openai',
  'openai-responses',
  'google',
  'google-antigravity-claude',
  'anthropic',
  'mistral',
  'openrouter-gemini',
  'other',
] as const;

/** The name of a profile. */
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** What holds of a target. Several can hold at once. */
export interface Detection {
  readonly openai: boolean;
  readonly responses: boolean;
  readonly google: boolean;
  readonly antigravityClaude: boolean;
  readonly anthropic: boolean;
  readonly mistral: boolean;
  readonly routedGemini: boolean;
  /** What would hold if OpenAI did not win over it. */
  readonly overruled?: Pick<Detection, 'google' | 'antigravityClaude' | 'anthropic' | 'mistral'>;
}

/** Rules in order, with the options that the profile sets, and the wire format its requests have. */
export interface Profile {
  readonly detection: Detection;
  readonly wire: Wire;
  readonly rules: readonly RuleName[];
  readonly options: RuleOptions;
}

const DEFAULTS: RuleOptions = {
  idMode: 'keep',
  maxIdLength: 64,
  keepNativeIds: false,
  fillMissingIds: false,
  camelCallsOnly: false,
  signatures: 'msg_prefix',
  imageMaxSide: 1200,
  imageMaxBytes: 5 * 1024 * 1024,
  allowedTools: null,
  keepSignedTurnsWhole: false,
  erroredResults: 'preserve',
  dropErroredCalls: false,
  historyLimit: 0,
  route: { provider: '', modelApi: '', modelId: '' },
};

/** The options of a rule that was given none. */
export const DEFAULT_OPTIONS = DEFAULTS;

const ALIASES: Readonly<Record<string, string>> = {
  'z.ai': 'zai',
  'z-ai': 'zai',
  'opencode-zen': 'opencode',
  qwen: 'qwen-portal',
  'kimi-code': 'kimi-coding',
};

const OPENAI_APIS = ['openai', 'openai-completions', 'openai-responses', 'openai-codex-responses'];
const RESPONSES_APIS = ['openai-responses', 'openai-codex-responses'];
const GOOGLE_APIS = ['google-generative-ai', 'google-gemini-cli', 'google-antigravity'];
const MISTRAL_MODELS = ['mistral', 'mixtral', 'codestral', 'pixtral', 'devstral', 'ministral', 'mistralai'];

/** Providers and APIs that the matrix has rules for, or says that they have none. */
export const MATRIX_NAMES = {
  providers: ['anthropic', 'google-antigravity', 'mistral', 'openai', 'openai-codex', 'opencode', 'openrouter'],
  apis: [...OPENAI_APIS, ...GOOGLE_APIS, 'anthropic-messages'],
} as const;

/** The provider's name as the matrix spells it. */
export function canonicalProvider(provider: string): string {
  const name = provider.trim().toLowerCase();
  return entryOf(ALIASES, name) ?? name;
}

/** What holds of a target. OpenAI wins over all others; the rest combine. */
export function detect(target: Target): Detection {
  const provider = canonicalProvider(target.provider);
  const api = target.modelApi.trim().toLowerCase();
  const model = target.modelId.trim().toLowerCase();
  const isOpenai =
    provider === 'openai' || provider === 'openai-codex' || (provider === '' && OPENAI_APIS.includes(api));
  const isGoogle = GOOGLE_APIS.includes(api);
  const isAntigravity = api === 'google-antigravity' || provider === 'google-antigravity';
  const isRouted = provider === 'openrouter' || provider === 'opencode';
  const found = {
    google: isGoogle,
    antigravityClaude: isAntigravity && model.includes('claude'),
    anthropic: api === 'anthropic-messages' || provider === 'anthropic',
    mistral: provider === 'mistral' || MISTRAL_MODELS.some((hint) => model.includes(hint)),
  };
  return {
    ...NOTHING,
    openai: isOpenai,
    responses: RESPONSES_APIS.includes(api),
    routedGemini: !isOpenai && isRouted && model.includes('gemini'),
    ...(isOpenai ? { overruled: found } : found),
  };
}

const NOTHING: Detection = {
  openai: false,
  responses: false,
  google: false,
  antigravityClaude: false,
  anthropic: false,
  mistral: false,
  routedGemini: false,
};

const NAMED: Readonly<Record<ProfileName, Partial<Detection>>> = {
  openai: { openai: true },
  'openai-responses': { openai: true, responses: true },
  google: { google: true },
  'google-antigravity-claude': { google: true, antigravityClaude: true },
  anthropic: { anthropic: true },
  mistral: { mistral: true },
  'openrouter-gemini': { routedGemini: true },
  other: {},
};

/** The detection that a named profile stands for. */
export function detectionOf(name: ProfileName): Detection {
  return { ...NOTHING, ...NAMED[name] };
}

/** The policy in the words of the matrix: for those who know it from there. */
export function policyOf(detection: Detection): Readonly<Record<string, unknown>> {
  const { google, anthropic, mistral, routedGemini } = detection;
  // The mode of ids and Antigravity's Claude are reported even where nothing is done about them.
  const found = { ...detection, ...detection.overruled };
  const { antigravityClaude } = found;
  const ids = idModeOf(found);
  return {
    sanitizeMode: google || anthropic || mistral || routedGemini ? 'full' : 'images-only',
    sanitizeToolCallIds: idModeOf(detection) !== null,
    ...(ids === null ? {} : { toolCallIdMode: ids }),
    repairToolUseResultPairing: google || anthropic,
    preserveSignatures: antigravityClaude,
    ...(routedGemini ? { sanitizeThoughtSignatures: { allowBase64Only: true, includeCamelCase: true } } : {}),
    normalizeAntigravityThinkingBlocks: antigravityClaude,
    applyGoogleTurnOrdering: google,
    validateGeminiTurns: google,
    validateAnthropicTurns: anthropic,
    allowSyntheticToolResults: google || anthropic,
  };
}

function idModeOf({ mistral, google, anthropic }: Detection): IdMode | null {
  if (mistral) return 'strict9';
  return google || anthropic ? 'strict' : null;
}

function wireOf({ google, anthropic, responses }: Detection): Wire {
  if (google) return 'gemini';
  if (anthropic) return 'anthropic';
  return responses ? 'openai-responses' : 'openai-chat';
}

/**
 * The profile of a detection. `valid` adds what the provider's documentation asks for beyond the matrix (pairs, ids,
 * content), so that the request would be taken; without it the profile does what the matrix promises, no more.
 */
export function profileOf(detection: Detection, valid: boolean): Profile {
  const rules = new Set<RuleName>(matrixRules(detection));
  const wire = wireOf(detection);
  if (valid) for (const rule of validRules(wire)) rules.add(rule);
  const ids = idModeOf(detection);
  const options: RuleOptions = {
    ...DEFAULTS,
    idMode: ids ?? 'keep',
    maxIdLength: wire === 'openai-chat' ? 40 : 64,
    fillMissingIds: valid,
    signatures: detection.routedGemini ? 'base64' : 'msg_prefix',
    erroredResults: valid ? 'preserve' : 'drop',
    // Nobody answers them; with their results gone they would stand open.
    dropErroredCalls: valid || detection.google || detection.anthropic,
  };
  return { detection, wire, rules: inOrder(rules), options };
}

function matrixRules(detection: Detection): readonly RuleName[] {
  const { google, anthropic, mistral, routedGemini, antigravityClaude, openai, responses } = detection;
  const isFull = google || anthropic || mistral || routedGemini;
  const rules: RuleName[] = ['inter_session_marker', 'images', 'malformed_calls', 'result_details', 'history_limit'];
  if (isFull) rules.push('blank_text');
  if (isFull && !antigravityClaude) rules.push('thought_signatures');
  if (idModeOf(detection) !== null) rules.push('tool_ids');
  if (antigravityClaude) rules.push('antigravity_thinking');
  if (google || anthropic) rules.push('pairing', 'pairing_again');
  if (openai && responses) rules.push('switched_reasoning', 'orphan_reasoning');
  if (google) rules.push('google_bootstrap', 'merge_assistant_turns');
  if (anthropic) rules.push('merge_user_turns');
  return rules;
}

function validRules(wire: Wire): readonly RuleName[] {
  const always: RuleName[] = ['tool_ids', 'pairing', 'pairing_again', 'empty_content'];
  if (wire === 'anthropic') return [...always, 'results_first', 'unsigned_thinking'];
  return wire === 'openai-responses' ? [...always, 'switched_reasoning', 'orphan_reasoning'] : always;
}

function inOrder(rules: ReadonlySet<RuleName>): readonly RuleName[] {
  return RULE_NAMES.filter((rule) => rules.has(rule));
}

const OPTIONS_KEPT = 3;

/**
 * The same object for the same options, for RuleContext.same: so that what rules said of a message is found again by
 * identity. Limits are left out: the rules that hold messages against them keep nothing.
 */
export function sameOptions({ options }: Profile, memo: StageMemo): Findings {
  const known = memo.get('hygiene.options', () => new Map<string, Findings>());
  const { imageMaxSide: _side, imageMaxBytes: _bytes, historyLimit: _limit, ...others } = options;
  const key = JSON.stringify(others);
  const same = known.get(key) ?? new Findings();
  // The last ones only: with each goes what was kept under it.
  known.delete(key);
  known.set(key, same);
  for (const oldest of known.keys()) {
    if (known.size <= OPTIONS_KEPT) break;
    known.delete(oldest);
  }
  return same;
}
