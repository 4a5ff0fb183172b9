// The fields of a context policy under the names of the thread design, with its defaults.

import { modelFacts } from '../../tokens/models.ts';
import { isRecord } from '../../util/unknown.ts';
import { amount } from '../../view/amount.ts';
import { OptionReader } from '../../view/optionReader.ts';
import type { ParamSchema } from '../../view/types.ts';
import { type Pending, readPending } from './pending.ts';

/** What an entry of a thread is. */
export const ENTRY_KINDS = ['message', 'tool_call', 'tool_result', 'summary'] as const;
/** Kind of an entry. */
export type EntryKind = (typeof ENTRY_KINDS)[number];

const SUMMARIZATIONS = ['none', 'use_existing', 'request_new'] as const;
const SUMMARY_ROLES = ['system', 'user'] as const;
const ESTIMATORS = ['heuristic', 'exact'] as const;

/** A parsed context policy. Unit of tokens fields: tokens as the estimator counts them. */
export interface ContextPolicyParams {
  /** null = the window of `model`. */
  readonly maxInputTokens: number | null;
  readonly reserveOutputTokens: number;
  /** 0 = no limit. */
  readonly maxMessages: number;
  readonly keepLastTurns: number;
  readonly summarization: (typeof SUMMARIZATIONS)[number];
  readonly summaryRole: (typeof SUMMARY_ROLES)[number];
  readonly includeKinds: ReadonlySet<EntryKind>;
  readonly systemPrompt: string | null;
  readonly estimator: (typeof ESTIMATORS)[number];
  /** A model's name, or `auto` = the one the budget is for; null = not asked for. */
  readonly model: string | null;
  /** A summary is wanted when more entries than this came since the last one; 0 = not for that. */
  readonly summarizeThreshold: number;
  /** A summary is wanted when the whole thread takes more tokens than this; 0 = not for that. */
  readonly maxThreadTokens: number;
  /** What is being asked and not committed yet; null = nothing. */
  readonly pending: Pending | null;
  /** Where each value came from that is neither default nor the stage's own option. */
  readonly sources: Readonly<Record<string, ParamSource>>;
}

/** Where a value came from, the strongest first: the spec itself, the transcript's policy, the workspace's, the default. */
export const PARAM_SOURCES = ['request', 'transcript', 'workspace', 'default'] as const;
/** Source of a value. */
export type ParamSource = (typeof PARAM_SOURCES)[number];

/** The option in which a resolved policy says what came from where (see resolve.ts); it changes nothing else. */
export const RESOLVED_FROM = 'resolved_from';

const MAX_INPUT: ParamSchema = {
  name: 'max_input_tokens',
  label: 'Most input tokens',
  ...amount('tokens', 8000, { to: 200_000 }),
  help: 'The hard total: system, summary, history and pending together never take more. With a model and no number here, the model’s window.',
};
const RESERVE: ParamSchema = {
  name: 'reserve_output_tokens',
  label: 'Reserved for output',
  ...amount('tokens', 2000, { to: 32_000 }),
  relax: { towards: 'less' },
  help: 'Kept free for the answer. max_input_tokens without it is the token budget, which history fills from its newest end.',
};
const MAX_MESSAGES: ParamSchema = {
  name: 'max_messages',
  label: 'Most messages',
  ...amount('messages', 0, { to: 200 }),
  relax: { towards: 'more', unlimited: 0 },
  help: 'At most so many messages of history; 0 = no limit. Counts before everything else, keep_last_turns too.',
};
const KEEP_TURNS: ParamSchema = {
  name: 'keep_last_turns',
  label: 'Turns to keep',
  ...amount('turns', 3, { to: 40 }),
  help: 'The last turns stay even over the token budget, up to the hard total. A turn is a user message and all up to the next one.',
};
const SUMMARIZATION: ParamSchema = {
  name: 'summarization',
  label: 'Summaries',
  type: 'choice',
  default: 'use_existing',
  choices: [
    { value: 'none', help: 'No summary; those that the history holds leave.' },
    { value: 'use_existing', help: 'The latest summary replaces the messages it covers.' },
    {
      value: 'request_new',
      help: 'As use_existing; where history is cut off and no summary covers it, a placeholder says so and a summary is asked for.',
    },
  ],
  help: 'What replaces the part of the history that is not shown. A summary is recorded or written by you, never made up here.',
};
const THRESHOLD: ParamSchema = {
  name: 'summarize_threshold',
  label: 'Summary after entries',
  type: 'integer',
  default: 0,
  min: 0,
  softMax: 200,
  unit: 'entries',
  when: { param: 'summarization', is: ['use_existing', 'request_new'] },
  help: 'The report asks for a summary when more entries than this came since the last one, even if nothing was cut off; 0 = not for that.',
};
const MAX_THREAD: ParamSchema = {
  name: 'max_thread_tokens',
  label: 'Summary above tokens',
  type: 'integer',
  default: 0,
  min: 0,
  softMax: 200_000,
  unit: 'tokens',
  when: { param: 'summarization', is: ['use_existing', 'request_new'] },
  help: 'The report asks for a summary when the whole thread takes more tokens than this, even if nothing was cut off; 0 = not for that.',
};
const SUMMARY_ROLE: ParamSchema = {
  name: 'summary_role',
  label: 'Role of the summary',
  type: 'choice',
  default: 'system',
  choices: [
    { value: 'system', help: 'As a system message.' },
    { value: 'user', help: 'As a user message, for providers with one system message at most.' },
  ],
  when: { param: 'summarization', is: ['use_existing', 'request_new'] },
  help: 'The role that the summary is presented under.',
};
const INCLUDE: ParamSchema = {
  name: 'include_kinds',
  label: 'Kinds to include',
  type: 'list',
  default: [...ENTRY_KINDS],
  choices: [
    { value: 'message', help: 'What user and assistant say.' },
    { value: 'tool_call', help: 'Calls; together with their results only.' },
    { value: 'tool_result', help: 'Results; together with their calls only.' },
    { value: 'summary', help: 'Summaries of what came before.' },
  ],
  relax: { adds: 'choices' },
  help: 'The kinds of entry that are shown. Calls and results are one unit: without one of the two kinds both leave.',
};
const SYSTEM_PROMPT: ParamSchema = {
  name: 'system_prompt',
  label: 'System prompt',
  type: 'text',
  default: null,
  relax: { values: [null] },
  help: 'Comes first, in place of system messages at the head of the history. Empty: those stay.',
};
const ESTIMATOR: ParamSchema = {
  name: 'token_estimator',
  label: 'Count tokens by',
  type: 'choice',
  default: 'heuristic',
  choices: [
    { value: 'heuristic', help: 'A quarter of the bytes, and 10 for each entry.' },
    { value: 'exact', help: 'The transcript’s tokenizer.' },
  ],
  relax: { values: ['exact', 'heuristic'] },
  help: 'How tokens are counted against the budget.',
};
const MODEL: ParamSchema = {
  name: 'model',
  label: 'Model',
  type: 'string',
  default: null,
  help: 'Takes max_input_tokens from this model’s context window unless a number is given; auto = the model the budget is for.',
};
const PENDING: ParamSchema = {
  name: 'pending',
  label: 'Pending question',
  type: 'text',
  default: null,
  help: 'What would the model see if you asked this now? A text comes last, as a user message; so do entries of a thread, in a list. If it does not fit the budget, that is an error.',
};

/** All options, in the order in which they are shown. */
export const PARAMS: readonly ParamSchema[] = [
  MAX_INPUT,
  RESERVE,
  KEEP_TURNS,
  MAX_MESSAGES,
  SUMMARIZATION,
  SUMMARY_ROLE,
  THRESHOLD,
  MAX_THREAD,
  INCLUDE,
  ESTIMATOR,
  MODEL,
  SYSTEM_PROMPT,
  PENDING,
];

/** Options of the design for a runtime that has a model write summaries. */
const FOR_A_RUNTIME: readonly string[] = ['auto_summarize', 'summarization_model'];

const KNOWN: ReadonlySet<string> = new Set([...PARAMS.map(({ name }) => name), RESOLVED_FROM, ...FOR_A_RUNTIME]);

type Options = Readonly<Record<string, unknown>>;

/** Reads a context policy's options; params are null if one of them is in error. */
export function parseContextPolicy(options: Options) {
  const reader = new OptionReader(options);
  reader.warnOfUnknown(KNOWN);
  const model = reader.text(MODEL);
  const params: ContextPolicyParams = {
    maxInputTokens: model !== null && !isGiven(options, MAX_INPUT.name) ? null : reader.count(MAX_INPUT),
    reserveOutputTokens: reader.count(RESERVE),
    maxMessages: reader.count(MAX_MESSAGES),
    keepLastTurns: reader.count(KEEP_TURNS),
    summarization: reader.choice(SUMMARIZATION, SUMMARIZATIONS),
    summaryRole: reader.choice(SUMMARY_ROLE, SUMMARY_ROLES),
    summarizeThreshold: reader.count(THRESHOLD),
    maxThreadTokens: reader.count(MAX_THREAD),
    includeKinds: readKinds(reader),
    systemPrompt: reader.text(SYSTEM_PROMPT),
    estimator: reader.choice(ESTIMATOR, ESTIMATORS),
    model,
    pending: readPending(options, PENDING.name, reader),
    sources: readSources(options, reader),
  };
  if (model !== null && model !== 'auto' && params.maxInputTokens === null && modelWindow(model) === null) {
    reader.error(MODEL.name, `The context window of ${model} is not known: give max_input_tokens.`);
  }
  for (const name of FOR_A_RUNTIME) {
    if (!isGiven(options, name) || options[name] === false) continue;
    const text = `${name} has no effect: no model is called here. Where a summary is wanted the report says for which span; write it, or take the recorded one.`;
    reader.problems.push({ code: 'context.no_model_called', severity: 'warning', text, where: { path: name } });
  }
  return { params: reader.ok ? params : null, problems: reader.problems };
}

/**
 * Context window of a model by its name (`anthropic:claude-sonnet-4`, `gpt-4o`), from the table of models
 * (core/tokens/models.ts: one row a family); null = not known.
 */
export function modelWindow(model: string): number | null {
  return modelFacts(model).window;
}

function isGiven(options: Options, name: string): boolean {
  return options[name] !== undefined && options[name] !== null;
}

function readKinds(reader: OptionReader): ReadonlySet<EntryKind> {
  const kinds = new Set<EntryKind>();
  for (const name of reader.list(INCLUDE)) {
    const kind = ENTRY_KINDS.find((each) => each === name.replace(/^:/, ''));
    if (kind !== undefined) kinds.add(kind);
    else reader.error(INCLUDE.name, `There is no kind of entry "${name}"; there are ${ENTRY_KINDS.join(', ')}.`);
  }
  if (kinds.has('tool_call') === kinds.has('tool_result')) return kinds;
  const [given, missing] = kinds.has('tool_call') ? ['tool_call', 'tool_result'] : ['tool_result', 'tool_call'];
  const text = `include_kinds names ${given} without ${missing}: a call and its results are one unit, so both leave.`;
  reader.problems.push({ code: 'context.half_a_pair', severity: 'warning', text, where: { path: INCLUDE.name } });
  return kinds;
}

function readSources(options: Options, reader: OptionReader): Readonly<Record<string, ParamSource>> {
  const given = options[RESOLVED_FROM];
  if (given === undefined || given === null) return {};
  const sources: Record<string, ParamSource> = {};
  for (const [name, value] of Object.entries(isRecord(given) ? given : { '': given })) {
    const source = PARAM_SOURCES.find((each) => each === value);
    if (source !== undefined && KNOWN.has(name)) sources[name] = source;
    else reader.error(RESOLVED_FROM, `${RESOLVED_FROM} must name for each option one of ${PARAM_SOURCES.join(', ')}.`);
  }
  return sources;
}
