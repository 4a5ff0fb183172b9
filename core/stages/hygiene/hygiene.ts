// The stage: a provider's rules over the view, each change with its reason.

import { amount } from '../../view/amount.ts';
import { OptionReader } from '../../view/optionReader.ts';
import type { ParamChoice, ParamSchema, StageDefinition } from '../../view/types.ts';
import type { Draft } from './draft.ts';
import { type Found, HygieneRun, type ProfileFinder } from './hygieneRun.ts';
import { PROFILE_NAMES, type Profile, type ProfileName, profileOf } from './profiles.ts';
import { RULES, ruleNamed } from './rules/index.ts';
import { type Choice, detectBy, evidenceFor, type Home, profileNamed } from './target.ts';
import { RULE_NAMES, type RuleName } from './types.ts';

const RULE_CHOICES: readonly ParamChoice[] = RULE_NAMES.map((value) => ({ value, help: RULES[value].title }));

const PROFILE: ParamSchema = {
  name: 'profile',
  label: 'Profile',
  type: 'choice',
  default: 'auto',
  choices: [
    {
      value: 'auto',
      help: 'By provider, API and model, else as the last answer recorded them, else by the shape of the messages.',
    },
    ...PROFILE_NAMES.map((value) => ({ value, help: '' })),
  ],
  help: 'Whose rules apply: those of a provider and its API.',
};
const PROVIDER: ParamSchema = {
  name: 'provider',
  label: 'Provider',
  type: 'string',
  default: null,
  help: 'For auto: the provider the request goes to, e.g. anthropic.',
};
const MODEL_API: ParamSchema = {
  name: 'model_api',
  label: 'API',
  aliases: ['modelApi', 'api'],
  type: 'string',
  default: null,
  help: 'For auto: the API, e.g. anthropic-messages, openai-responses, google-generative-ai.',
};
const MODEL_ID: ParamSchema = {
  name: 'model',
  label: 'Model',
  aliases: ['model_id', 'modelId'],
  type: 'string',
  default: null,
  help: 'For auto: the model; some rules go by its name (Mistral, Gemini behind a router, Claude behind Antigravity).',
};
const VALID: ParamSchema = {
  name: 'make_valid',
  label: 'Fix what would be refused',
  type: 'boolean',
  default: true,
  relax: { values: [false] },
  help: 'Also repair what the provider’s documentation says it refuses. Off = only what the published profile does.',
};
const OFF: ParamSchema = {
  name: 'off',
  label: 'Rules to leave out',
  type: 'list',
  default: [],
  choices: RULE_CHOICES,
  relax: { adds: 'rule' },
  help: 'Rules of the profile to leave out.',
};
const ON: ParamSchema = {
  name: 'on',
  label: 'Rules to add',
  type: 'list',
  default: [],
  choices: RULE_CHOICES,
  help: 'Rules to run that the profile does not have.',
};
const ONLY: ParamSchema = {
  name: 'only',
  label: 'Only these rules',
  type: 'list',
  default: [],
  choices: RULE_CHOICES,
  help: 'Run these rules alone, and not the profile. None = the profile.',
};
const MAX_SIDE: ParamSchema = {
  name: 'image_max_side',
  label: 'Longest image side',
  aliases: ['imageMaxDimensionPx'],
  ...amount('px', 1200, { from: 1, to: 8000 }),
  help: 'The longest side an image may have. Larger images are made smaller, never the other way round.',
};
const MAX_BYTES: ParamSchema = {
  name: 'image_max_bytes',
  label: 'Largest image',
  ...amount('bytes', 5 * 1024 * 1024, { from: 1, to: 20 * 1024 * 1024 }),
  help: 'The bytes an image may have, decoded.',
};
const LIMIT: ParamSchema = {
  name: 'history_limit',
  label: 'User turns to keep',
  ...amount('turns', 0, { to: 100 }),
  relax: { towards: 'more', unlimited: 0 },
  help: 'How many user turns are kept, from the end; 0 = all. What is older goes, summaries too.',
};
const TOOLS: ParamSchema = {
  name: 'allowed_tools',
  label: 'Allowed tools',
  aliases: ['allowedToolNames'],
  type: 'list',
  default: [],
  offers: 'tools',
  relax: { adds: 'tools', unlessEmpty: true },
  help: 'The tools that may be called; calls of others are dropped. None = any may.',
};
const NATIVE_IDS: ParamSchema = {
  name: 'keep_native_ids',
  label: 'Keep Anthropic’s own ids',
  type: 'boolean',
  default: true,
  relax: { values: [true] },
  help: 'For Anthropic: leave the ids it made itself (toolu_…) as they are; others become letters and digits only. Off = as the first published version of these rules did.',
};

const PARAMS = [
  PROFILE,
  PROVIDER,
  MODEL_API,
  MODEL_ID,
  VALID,
  OFF,
  ON,
  ONLY,
  MAX_SIDE,
  MAX_BYTES,
  LIMIT,
  TOOLS,
  NATIVE_IDS,
];

/** The parsed parameters. */
export interface HygieneParams {
  readonly profile: ProfileName | 'auto';
  readonly provider: string;
  readonly modelApi: string;
  readonly modelId: string;
  readonly makeValid: boolean;
  readonly off: readonly RuleName[];
  readonly on: readonly RuleName[];
  /** Empty = the profile's. */
  readonly only: readonly RuleName[];
  readonly imageMaxSide: number;
  readonly imageMaxBytes: number;
  readonly historyLimit: number;
  readonly allowedTools: readonly string[];
  readonly keepNativeIds: boolean;
}

/**
 * What a runtime does to a history before it sends it: rules by provider, in the order of the reference document on
 * transcript hygiene. Nothing stored is changed. Each change is a fate with its rule, and what the provider objects to.
 */
export const hygiene: StageDefinition<HygieneParams> = {
  kind: 'hygiene',
  title: 'Provider hygiene',
  aliases: ['transcript_hygiene'],
  family: 'hygiene',
  traits: { readsAhead: 'messages', repairs: true },
  help: 'Repairs the history as the provider asks for it: ids, pairs of calls and results, order of turns, signatures, images. Put it last.',
  params: PARAMS,
  parse(options) {
    const reader = new OptionReader(options);
    const params = readParams(reader);
    reader.warnOfUnknown(new Set(PARAMS.flatMap(({ name, aliases = [] }) => [name, ...aliases])));
    return { params: reader.ok ? params : null, problems: reader.problems };
  },
  incremental: (params, context) => new HygieneRun(finderOf(params), context),
};

function readParams(reader: OptionReader): HygieneParams {
  const given = reader.text(PROFILE) ?? 'auto';
  const profile = given === 'auto' ? given : profileNamed(given);
  if (profile === null) {
    reader.error('profile', `Option profile must be one of auto, ${PROFILE_NAMES.join(', ')}; given: "${given}".`);
  }
  return {
    profile: profile ?? 'auto',
    provider: reader.text(PROVIDER) ?? '',
    modelApi: reader.text(MODEL_API) ?? '',
    modelId: reader.text(MODEL_ID) ?? '',
    makeValid: reader.flag(VALID),
    off: readRules(reader, OFF),
    on: readRules(reader, ON),
    only: readRules(reader, ONLY),
    imageMaxSide: reader.count(MAX_SIDE),
    imageMaxBytes: reader.count(MAX_BYTES),
    historyLimit: reader.count(LIMIT),
    allowedTools: reader
      .texts(TOOLS)
      .flatMap((text) => text.split(/[\n,]/).map((name) => name.trim()))
      .filter((name) => name !== ''),
    keepNativeIds: reader.flag(NATIVE_IDS),
  };
}

function readRules(reader: OptionReader, schema: ParamSchema): readonly RuleName[] {
  const names = reader.texts(schema).flatMap((text) => text.split(/[\s,]+/).filter((name) => name !== ''));
  return names.flatMap((name) => {
    const rule = ruleNamed(name);
    if (rule !== null) return [rule.name];
    reader.error(
      schema.name,
      `Option ${schema.name} names "${name}", which is not a rule; rules are ${RULE_NAMES.join(', ')}.`,
    );
    return [];
  });
}

/**
 * The profile that parameters choose for these messages, and how it was found. `homeFor`: where they were recorded, by the shape
 * that they have; absent = not known.
 */
export function profileFor(
  params: HygieneParams,
  messages: readonly Draft[],
  homeFor: (shape: ProfileName) => Home | null = () => null,
): Found {
  const evidence = evidenceFor(choiceOf(params), () => messages);
  return finderOf(params).find({ ...evidence, home: homeFor(evidence.shape) });
}

function choiceOf({ profile, provider, modelApi, modelId }: HygieneParams): Choice {
  return { profile, target: { provider, modelApi, modelId } };
}

function finderOf(params: HygieneParams): ProfileFinder {
  const choice = choiceOf(params);
  return {
    evidence: (messages) => evidenceFor(choice, messages),
    find(evidence) {
      const { detection, how } = detectBy(choice, evidence);
      return { profile: profileWith(params, profileOf(detection, params.makeValid)), how };
    },
  };
}

// The profile of a detection with the rules and options that were set.
function profileWith(params: HygieneParams, base: Profile): Profile {
  const { provider, modelApi, modelId } = params;
  const own = params.only.length > 0 ? params.only : base.rules;
  const wanted = new Set([...own, ...params.on].filter((rule) => !params.off.includes(rule)));
  return {
    ...base,
    rules: RULE_NAMES.filter((rule) => wanted.has(rule)),
    options: {
      ...base.options,
      imageMaxSide: params.imageMaxSide,
      imageMaxBytes: params.imageMaxBytes,
      historyLimit: params.historyLimit,
      allowedTools: params.allowedTools.length > 0 ? params.allowedTools : null,
      keepNativeIds: params.keepNativeIds && base.wire === 'anthropic',
      route: { provider, modelApi, modelId },
    },
  };
}
