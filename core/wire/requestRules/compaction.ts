// Compaction on demand at Anthropic: where its block stands, that it came back as it was, and what a request that asks for
// one may not hold. Sources: platform.claude.com, build-with-claude/compaction-on-demand, …/keep-recent-turns (September
// 2026); codes of the refusals: types of @anthropic-ai/sdk 1.11.0.

import { claudeModel, isFrom } from '../../model/claudeModel.ts';
import { scalarCount } from '../../util/chars.ts';
import { grouped } from '../../util/counts.ts';
import { isRecord, ownAt, stringAt } from '../../util/unknown.ts';
import { COMPACTION_KEYS, isFailed, isOnDemand } from './compactionBlock.ts';
import { blocksOf, blocksOfType, isSame, type PlacedBlock, roleOf, settingAt, typeOf } from './reading.ts';
import type { ProviderRequest, RequestFinding, RequestRule } from './types.ts';

/** Models that compact on demand, by the page: no Haiku is listed. */
const COMPACTS_FROM = { opus: 406, sonnet: 406, fable: 500, mythos: 0 };

const MOST_INSTRUCTIONS = 16_384;

/** Members that a request for a compaction may not have: refused, or of no meaning beside it. */
const EXCLUDED: readonly { readonly field: string; readonly is: (value: unknown) => boolean }[] = [
  { field: 'context_management', is: isRecord },
  { field: 'stop_sequences', is: (value) => Array.isArray(value) && value.length > 0 },
  { field: 'output_config.format', is: isRecord },
  { field: 'output_format', is: isRecord },
  { field: 'tool_choice', is: (value) => /^(any|tool)$/.test(typeOf(value)) },
  { field: 'output_config.task_budget.remaining', is: (value) => typeof value === 'number' },
];

// A block of a failed compaction stands for nothing; those made at a threshold stand where they came.
function onDemandBlocks(request: ProviderRequest): readonly PlacedBlock[] {
  return blocksOfType(request, 'compaction').filter(({ value }) => isOnDemand(value) && !isFailed(value));
}

function* misplaced(request: ProviderRequest): Generator<RequestFinding> {
  const [first] = onDemandBlocks(request);
  if (first === undefined) return;
  const { message, block, role } = first;
  if (message === 0 && block === 0 && role !== 'system') return;
  const text = 'the compaction block must be the first of the conversation: something comes before it';
  const inSystem = 'the compaction block is in a system message: it must be in a user’s or the assistant’s';
  yield {
    rule: 'compaction_misplaced',
    severity: 'error',
    message,
    block,
    errorCode: 'compaction_block_misplaced',
    text: message === 0 && block === 0 ? inSystem : text,
  };
}

function* repeated(request: ProviderRequest): Generator<RequestFinding> {
  const [, ...others] = onDemandBlocks(request);
  for (const { message, block } of others) {
    const text = 'a second compaction block: only the newest may be sent, first and alone';
    yield {
      rule: 'compaction_repeated',
      severity: 'error',
      message,
      block,
      errorCode: 'compaction_block_ambiguous',
      text,
    };
  }
}

function* edited(request: ProviderRequest): Generator<RequestFinding> {
  for (const { message, block, value } of onDemandBlocks(request)) {
    const recorded = request.recorded?.(message, block)?.block;
    const fault = isRecord(recorded) ? changeOf(value, recorded) : strangeKey(value, COMPACTION_KEYS);
    if (fault !== null) yield { rule: 'compaction_edited', severity: 'error', message, block, ...fault };
  }
}

interface EditedBlock {
  readonly errorCode?: string;
  readonly text: string;
}

/** Members that clients add to blocks of any type: no answer gives a compaction block one of them. */
const NEVER: ReadonlySet<string> = new Set(['citations', 'text']);

const CODES = [
  ['signature', 'compaction_signature_invalid'],
  ['content', 'compaction_content_mismatch'],
  ['tool_changes', 'compaction_tool_changes_mismatch'],
] as const;

// Word for word: an absent member and one that is null or empty are not the same.
function changeOf(
  block: Readonly<Record<string, unknown>>,
  recorded: Readonly<Record<string, unknown>>,
): EditedBlock | null {
  for (const [key, errorCode] of CODES) {
    if (Object.hasOwn(block, key) === Object.hasOwn(recorded, key) && isSame(ownAt(block, key), ownAt(recorded, key)))
      continue;
    return {
      errorCode,
      text: `the compaction block's ${key} is not what the answer held: it must come back word for word`,
    };
  }
  const strange = strangeKey(
    block,
    new Set([...Object.keys(recorded).filter((key) => !NEVER.has(key)), 'cache_control']),
  );
  if (strange !== null) return strange;
  const lost = Object.keys(recorded).find((key) => !isSame(ownAt(block, key), recorded[key]));
  if (lost === undefined || lost === 'cache_control') return null;
  return { text: `the compaction block's ${lost} is not what the answer held: it must come back word for word` };
}

function strangeKey(block: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): EditedBlock | null {
  const key = Object.keys(block).find((each) => !known.has(each));
  if (key === undefined) return null;
  return {
    text: `the compaction block has a member "${key}" that the answer did not give it: it is refused, null or not`,
  };
}

function asks(request: ProviderRequest): Readonly<Record<string, unknown>> | null {
  const asked = settingAt(request, 'compaction');
  return isRecord(asked) ? asked : null;
}

function* askedRightly(request: ProviderRequest): Generator<RequestFinding> {
  const asked = asks(request);
  if (asked === null) return;
  const finding = (field: string, text: string): RequestFinding => {
    return { rule: 'compaction_request', severity: 'error', field, text };
  };
  for (const { field, is } of EXCLUDED) {
    if (is(settingAt(request, field)))
      yield finding(field, `${field} cannot be combined with a request for a compaction`);
  }
  const instructions = stringAt(asked, 'instructions') ?? '';
  const length = instructions.trim() === '' ? 0 : scalarCount(instructions);
  if (length > MOST_INSTRUCTIONS) {
    yield finding(
      'compaction.instructions',
      `the instructions are ${grouped(length)} characters long; ${grouped(MOST_INSTRUCTIONS)} are taken`,
    );
  }
  const model = claudeModel(request.model);
  if (model !== null && !isFrom(model, COMPACTS_FROM)) {
    yield finding('model', `${request.model} is not among the models that compact on demand`);
  }
  if (!request.messages.some(saysSomething)) {
    yield {
      ...finding('messages', 'there is nothing to summarise'),
      errorCode: 'compaction_nothing_to_summarize',
    };
  }
}

function saysSomething(message: unknown): boolean {
  if (!/^(user|assistant)$/.test(roleOf(message))) return false;
  return blocksOf(message).some((block) => !isRecord(block) || stringAt(block, 'text')?.trim() !== '');
}

const CALLS: ReadonlySet<string> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

function* openCall(request: ProviderRequest): Generator<RequestFinding> {
  if (asks(request) === null) return;
  const { messages } = request;
  const message = messages.findLastIndex((each) => roleOf(each) === 'assistant');
  if (message < 0) return;
  const answered = new Set(messages.slice(message).flatMap(blocksOf).flatMap(answeredId));
  const block = blocksOf(messages[message]).findIndex((each) => {
    return isRecord(each) && CALLS.has(typeOf(each)) && !answered.has(stringAt(each, 'id') ?? '');
  });
  if (block < 0) return;
  const text = 'the last turn ends in a call without its result: a compaction can be asked for once the turn is over';
  yield {
    rule: 'compaction_open_call',
    severity: 'error',
    message,
    block,
    errorCode: 'compaction_incomplete_turn',
    text,
  };
}

function answeredId(block: unknown): readonly string[] {
  const id = isRecord(block) ? stringAt(block, 'tool_use_id') : undefined;
  return id === undefined ? [] : [id];
}

/** What follows the compaction block that the conversation begins with; null if it does not begin with one. */
function keptTurns(request: ProviderRequest) {
  const [first] = onDemandBlocks(request);
  if (first === undefined || first.message !== 0 || first.block !== 0) return null;
  const from = blocksOf(request.messages[0]).length > 1 ? 0 : 1;
  return { from, summarised: request.recorded?.(0, 0)?.summarised ?? [] };
}

function* cut(request: ProviderRequest): Generator<RequestFinding> {
  const kept = keptTurns(request);
  const role = kept === null ? '' : roleOf(request.messages[kept.from]);
  if (kept === null || role === '') return;
  const finding = (text: string): RequestFinding => {
    const whole = `${text}: thinking in the kept turns is not carried over`;
    return { rule: 'compaction_cut', severity: 'info', message: kept.from, text: whole };
  };
  if (role === 'system') yield finding('the first message behind the compaction block is a system message');
  else if (role === roleOf(kept.summarised.at(-1))) {
    yield finding(`the first message kept and the last one summarised are both the ${role}’s`);
  }
}

function* leftover(request: ProviderRequest): Generator<RequestFinding> {
  const kept = keptTurns(request);
  if (kept === null || kept.summarised.length === 0) return;
  const { from, summarised } = kept;
  const first = summarised.findIndex((_, at) => {
    return summarised.slice(at).every((each, nth) => isSame(each, request.messages[from + nth]));
  });
  if (first < 0) return;
  const text = 'messages that the compaction block replaces are still here: they are not refused, but paid for again';
  yield { rule: 'compaction_leftover', severity: 'info', message: from, text };
}

/** The rules of compaction on demand. */
export const COMPACTION_RULES: readonly RequestRule[] = [
  misplaced,
  repeated,
  edited,
  askedRightly,
  openCall,
  cut,
  leftover,
];
