// `lint`: what the rules of core/wire/requestRules object to in a request.

import { arrayAt, isRecord, ownAt, recordAt, stringAt } from '../../../../core/util/unknown.ts';
import { lintRequest, type ProviderRequest, type RequestFinding } from '../../../../core/wire/requestRules/index.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import type { ProviderVector } from './index.ts';

/** Runs one case: one of the accepted lists of findings must be ours, each with all that it says of a finding. */
export function runLint(vector: ProviderVector): VectorOutcome {
  const found = lintRequest(requestOf(vector)).map(asVector);
  const accepted = arrayAt(vector, 'accept') ?? [];
  const passed = accepted.some((each) => isRecord(each) && agree(arrayAt(each, 'findings') ?? [], found));
  const report = passed ? [] : [`accepts ${JSON.stringify(accepted)}`, `found ${JSON.stringify(found)}`];
  return { id: String(ownAt(vector, 'id')), passed, report };
}

/** The request of a case. */
export function requestOf(vector: ProviderVector): ProviderRequest {
  const { messages, input, ...settings } = recordAt(vector, 'request') ?? {};
  const isOpenAi = stringAt(vector, 'provider') === 'openai';
  const list: unknown = isOpenAi ? input : messages;
  const betas = arrayAt(vector, 'betas');
  const recorded = { block: ownAt(vector, 'recorded_block') ?? null, summarised: summarisedOf(vector) };
  return {
    provider: isOpenAi ? 'openai' : 'anthropic',
    model: stringAt(vector, 'model') ?? '',
    betas: betas === undefined ? null : betas.map(String),
    settings,
    messages: Array.isArray(list) ? list : [],
    recorded: () => recorded,
  };
}

// `recorded` is the conversation, `summarises` the part of it that the block stands for.
function summarisedOf(vector: ProviderVector): readonly unknown[] | null {
  const recorded = ownAt(vector, 'recorded');
  const messages = isRecord(recorded) ? arrayAt(recorded, 'messages') : arrayAt(vector, 'recorded');
  const [from, to] = arrayAt(vector, 'summarises') ?? [];
  if (messages === undefined || typeof from !== 'number' || typeof to !== 'number') return null;
  return messages.slice(from, to);
}

function asVector({ errorCode, ...finding }: RequestFinding) {
  return errorCode === undefined ? finding : { ...finding, error_code: errorCode };
}

type Fields = Readonly<Record<string, unknown>>;

function agree(expected: readonly unknown[], found: readonly Fields[]): boolean {
  const left = [...found];
  return (
    expected.length === found.length &&
    expected.every((each) => {
      const at = left.findIndex((one) => isRecord(each) && says(one, each));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    })
  );
}

/** Names of rules here. Names in vectors are proposals: of one that is not known here the place alone is compared. */
const NAMES: ReadonlySet<unknown> = new Set([
  'available_tools_limit_exceeded',
  'beta_missing',
  'compaction_cut',
  'compaction_edited',
  'compaction_leftover',
  'compaction_misplaced',
  'compaction_open_call',
  'compaction_repeated',
  'compaction_request',
  'edit_order',
  'edit_value',
  'system_placement',
  'system_unsupported',
  'tool_name_conflict',
  'tool_not_loaded',
  'tool_reference_unresolved',
  'tools_all_deferred',
  'turn_scoped_content',
  'turn_scoped_role',
  'turn_scoped_value',
]);

// `edits[1]` names an element where a rule here names the list.
function isCloser(own: string, value: unknown): boolean {
  return typeof value === 'string' && (value.startsWith(`${own}[`) || value.startsWith(`${own}.`));
}

// A member may be named by the end of its path: `format` of `output_config.format`.
function says(found: Fields, expected: Fields): boolean {
  return Object.entries(expected).every(([key, value]) => {
    const own = found[key];
    if (key === 'rule' && !NAMES.has(value)) return true;
    if (key === 'field' && typeof own === 'string')
      return own === value || own.endsWith(`.${value}`) || isCloser(own, value);
    return own === value;
  });
}
