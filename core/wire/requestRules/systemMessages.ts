// System messages between turns at Anthropic: where they may stand, what a turn-scoped one may hold, which models take them.
// Source: platform.claude.com, build-with-claude/mid-conversation-system-messages (read in September 2026), and the types of
// @anthropic-ai/sdk 1.11.0.
import { claudeModel, isFrom } from '../../model/claudeModel.ts';
import { isRecord, ownAt } from '../../util/unknown.ts';
import { blocksOf, roleOf, typeOf } from './reading.ts';
import type { ProviderRequest, RequestFinding, RequestRule } from './types.ts';

/** Models that take system messages between turns, by the page: no Sonnet and no Haiku. */
const SYSTEM_FROM = { opus: 408, fable: 500, mythos: 500 };

/** True if the model takes system messages between turns; null = the name says nothing. */
export function takesSystemBetween(model: string): boolean | null {
  const known = claudeModel(model);
  return known === null ? null : isFrom(known, SYSTEM_FROM);
}

const CHANGES: ReadonlySet<string> = new Set(['tool_addition', 'tool_removal']);

// With nothing but a setting it is not part of the conversation, and may stand anywhere.
function isSettingAlone(message: unknown): boolean {
  return isRecord(message) && blocksOf(message).length === 0 && isRecord(ownAt(message, 'output_config'));
}

/** A run of system messages with content, judged together: [from, to). */
interface Run {
  readonly from: number;
  readonly to: number;
}

function* runsOf(messages: readonly unknown[]): Generator<Run> {
  let from: number | null = null;
  for (const [at, message] of messages.entries()) {
    if (roleOf(message) === 'system') {
      if (!isSettingAlone(message)) from ??= at;
    } else if (from !== null) {
      yield { from, to: at };
      from = null;
    }
  }
  if (from !== null) yield { from, to: messages.length };
}

function* placement({ model, messages }: ProviderRequest): Generator<RequestFinding> {
  if (takesSystemBetween(model) === false) return;
  for (const run of runsOf(messages)) {
    const text = describeMisplaced(messages, run);
    if (text !== null) yield { rule: 'system_placement', severity: 'error', message: run.from, text };
  }
}

function describeMisplaced(messages: readonly unknown[], { from, to }: Run): string | null {
  const before = messages.slice(0, from).findLast((message) => roleOf(message) !== 'system');
  if (before === undefined) return 'a system message with content may not be the first: it belongs into system';
  // Turns kept behind a compaction block may begin with one (compaction-on-demand/keep-recent-turns).
  const isBlock = blocksOf(before).length === 1 && typeOf(blocksOf(before)[0]) === 'compaction';
  const isAnswer = roleOf(before) === 'assistant' && !isBlock;
  const holdsChanges = messages
    .slice(from, to)
    .some((each) => blocksOf(each).some((block) => CHANGES.has(typeOf(block))));
  if (isAnswer && holdsChanges) return 'tools may not be changed behind an answer that is not finished';
  if (isAnswer && !endsInServerResult(before)) {
    return 'a system message must follow a user’s, or an answer that ends in a server tool’s result';
  }
  if (to < messages.length && roleOf(messages[to]) !== 'assistant') {
    return 'a system message must be followed by an answer, or be the last: a user’s message follows it';
  }
  return null;
}

function endsInServerResult(message: unknown): boolean {
  return /.+_tool_result$/.test(typeOf(blocksOf(message).at(-1)));
}

function* unsupported({ model, messages }: ProviderRequest): Generator<RequestFinding> {
  if (takesSystemBetween(model) !== false) return;
  for (const [message, each] of messages.entries()) {
    if (roleOf(each) !== 'system') continue;
    const text = `${model} takes no system messages between turns: they belong into system, or into a user’s message`;
    yield { rule: 'system_unsupported', severity: 'error', message, text };
  }
}

const CLEAR_AT: readonly unknown[] = ['next_user_message', 'never', undefined, null];

function* turnScoped({ messages }: ProviderRequest): Generator<RequestFinding> {
  for (const [message, each] of messages.entries()) {
    const clearAt = isRecord(each) ? (ownAt(each, 'clear_at') ?? undefined) : undefined;
    if (!isRecord(each) || clearAt === undefined) continue;
    if (roleOf(each) !== 'system') {
      const text = 'clear_at is only permitted on a system message';
      yield { rule: 'turn_scoped_role', severity: 'error', message, text };
    } else if (!CLEAR_AT.includes(clearAt)) {
      const text = 'clear_at must be "next_user_message" or "never"';
      yield { rule: 'turn_scoped_value', severity: 'error', message, text };
    } else if (clearAt === 'next_user_message') yield* contentOf(message, each);
  }
}

function* contentOf(message: number, each: Readonly<Record<string, unknown>>): Generator<RequestFinding> {
  const rule = 'turn_scoped_content';
  const place = { rule, severity: 'error', message } as const;
  if (isRecord(ownAt(each, 'output_config'))) {
    yield { ...place, text: 'output_config is not permitted on a turn-scoped system message' };
  }
  for (const [block, value] of blocksOf(each).entries()) {
    if (typeOf(value) !== 'text') {
      yield { ...place, block, text: 'a turn-scoped system message supports text blocks only' };
    } else if (isRecord(value) && isRecord(ownAt(value, 'cache_control'))) {
      yield { ...place, block, text: 'cache_control is not permitted in a turn-scoped system message' };
    }
  }
}

/** The rules of system messages between turns. */
export const SYSTEM_RULES: readonly RequestRule[] = [unsupported, placement, turnScoped];
