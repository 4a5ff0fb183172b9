// Turns of one role that follow each other become one, where a provider wants them to alternate. No text is lost: what
// was a string becomes a text block.

import { readMessage } from '../../../model/readMessage.ts';
import { jsonString, removeMember, replaceAt, setMember, valueTextAt } from '../../../util/json/index.ts';
import { isRecord, stringAt } from '../../../util/unknown.ts';
import type { Origins } from '../../../view/types.ts';
import type { Draft, Fields } from '../draft.ts';
import { blockTexts, elementTexts, listKey } from '../shape.ts';
import { holdsCompaction } from '../traits.ts';
import type { Change, RuleName, RuleResult } from '../types.ts';
import { defineRule, isSystem } from './rule.ts';

type PartPlaces = Origins[number];

/**
 * Runs of assistant turns become one: the fields of the first, but usage, stopReason and errorMessage of the later.
 * Source: hygiene facts, 3.7; ai.google.dev, "Generate content": roles alternate.
 */
export const mergeAssistantTurns = defineRule({
  name: 'merge_assistant_turns',
  title: 'Merge assistant turns',
  help: 'Joins assistant turns that follow each other: Google wants user and model to alternate.',
  fix: (messages) => mergeRuns('merge_assistant_turns', 'assistant', messages, joinAssistants),
});

/**
 * Runs of user turns become one: content in order, the fields of the later. One with a compaction block stays by itself:
 * the block goes back as it came. Source: hygiene facts, 3.8; platform.claude.com, "Messages": roles alternate.
 */
export const mergeUserTurns = defineRule({
  name: 'merge_user_turns',
  title: 'Merge user turns',
  help: 'Joins user turns that follow each other: Anthropic wants user and assistant to alternate.',
  fix: (messages) => mergeRuns('merge_user_turns', 'user', messages, joinUsers),
});

// System messages travel beside the turns on every wire, so they do not part a run.
function mergeRuns(
  rule: RuleName,
  role: string,
  messages: readonly Draft[],
  join: (first: Draft, later: Draft) => string | null,
): RuleResult {
  if (!followsItself(role, messages)) return { messages, changes: [] };
  const after: Draft[] = [];
  const changes: Change[] = [];
  let open = -1;
  let into: Draft | null = null;
  for (const draft of messages) {
    if (isSystem(draft.role)) {
      after.push(draft);
      continue;
    }
    const holder = after[open];
    const merged =
      draft.role === role && holder !== undefined
        ? holder.joinedWith(
            draft,
            () => join(holder, draft),
            (joined) => joinedOrigins(holder, draft, joined),
          )
        : null;
    if (merged === null || holder === undefined) {
      open = draft.role === role ? after.length : -1;
      into = draft;
      after.push(draft);
      continue;
    }
    after[open] = merged;
    changes.push(...said(rule, role, into ?? holder, merged, draft));
  }
  return changes.length === 0 ? { messages, changes } : { messages: after, changes };
}

function followsItself(role: string, messages: readonly Draft[]): boolean {
  let before = '';
  for (const draft of messages) {
    const own = draft.role;
    if (own === role && before === role) return true;
    if (!isSystem(own)) before = own;
  }
  return false;
}

// The parts of both, each list of the merged message filled from the first turn, then from the later one.
function joinedOrigins(holder: Draft, draft: Draft, joined: string): Origins {
  const waiting = new Map<string, PartPlaces[]>();
  for (const { facts, origins, text } of [holder, draft]) {
    for (const [at, { path }] of facts.parts.entries()) {
      const list = String(path[0] ?? 'content');
      if (list === 'content' && path.length === 1 && isBlankAnswer(text)) continue;
      const own = waiting.get(list);
      const places = origins[at] ?? [];
      if (own === undefined) waiting.set(list, [places]);
      else own.push(places);
    }
  }
  const taken = new Map<string, number>();
  return readMessage(JSON.parse(joined)).parts.map(({ path }) => {
    const list = String(path[0] ?? 'content');
    const own = waiting.get(list) ?? [];
    // Reasoning beside the content is one text of both; of two legacy calls the later one stands.
    if (path.length === 1 && list !== 'content') return list === 'function_call' ? (own.at(-1) ?? []) : own.flat();
    const next = taken.get(list) ?? 0;
    taken.set(list, next + 1);
    return own[next] ?? [];
  });
}

function said(rule: RuleName, role: string, holder: Draft, merged: Draft, gone: Draft): readonly Change[] {
  const objection = `two ${role} turns follow each other`;
  const words = { rule, objection, severity: 'warning' as const };
  const where = holder.index === null ? 'the turn before it' : `#${holder.index}`;
  const because = holder.index === null ? {} : { because: holder.index };
  const what = gone.index === null ? 'the turn after it' : `#${gone.index}`;
  const into: Change = {
    ...words,
    ...because,
    kind: 'merged',
    before: gone,
    after: null,
    done: `it was merged into ${where}`,
    chip: 'merged',
  };
  const from: Change = {
    ...words,
    kind: 'rewritten',
    before: holder,
    after: merged,
    done: `${what} was merged into it`,
    chip: 'merged',
  };
  return [from, into];
}

function joinAssistants(holder: Draft, draft: Draft): string | null {
  const [first, later] = [holder.text, draft.text];
  const joined = withContent(first, first, later);
  if (joined === null) return null;
  const calls = [...listTexts(first, 'tool_calls'), ...listTexts(later, 'tool_calls')];
  let text = calls.length > 0 ? setMember(joined, [], 'tool_calls', `[${calls.join(',')}]`) : joined;
  for (const key of ['usage', 'stopReason', 'errorMessage', 'function_call']) {
    const value = memberText(later, key);
    if (value !== null && value !== 'null' && value !== '""') text = setMember(text, [], key, value);
  }
  for (const key of ['reasoning_content', 'reasoning', 'thinking_signature'])
    text = withJoined(text, first, later, key);
  return isUnlike(holder, draft) ? removeMember(removeMember(text, [], 'stopReason'), [], 'errorMessage') : text;
}

// That an earlier turn broke off says nothing of calls made after it: they have their results.
function isUnlike(holder: Draft, draft: Draft): boolean {
  return holder.traits.stop !== null && draft.pairing.calls && stringAt(draft.value, 'stopReason') === undefined;
}

function withJoined(text: string, first: string, later: string, key: string): string {
  const value = memberText(later, key);
  if (value === null || value === 'null') return text;
  const earlier = memberText(first, key);
  if (earlier === null || earlier === 'null') return setMember(text, [], key, value);
  const a: unknown = JSON.parse(earlier);
  const b: unknown = JSON.parse(value);
  return typeof a === 'string' && typeof b === 'string' ? setMember(text, [], key, jsonString(`${a}\n\n${b}`)) : text;
}

function joinUsers(holder: Draft, draft: Draft): string | null {
  if (holdsCompaction(holder) || holdsCompaction(draft)) return null;
  const [first, later] = [holder.text, draft.text];
  const joined = withContent(later, first, later);
  if (joined === null) return null;
  const timestamp = memberText(first, 'timestamp');
  const own = memberText(later, 'timestamp');
  const text =
    (own === null || own === 'null') && timestamp !== null ? setMember(joined, [], 'timestamp', timestamp) : joined;
  const calls = [...listTexts(first, 'tool_calls'), ...listTexts(later, 'tool_calls')];
  return calls.length > 0 ? setMember(text, [], 'tool_calls', `[${calls.join(',')}]`) : text;
}

/** `base` with the content of both; null if one has content and the other parts, which no message can hold together. */
function withContent(base: string, first: string, later: string): string | null {
  const both = [heldBy(first), heldBy(later)];
  const [key] = both.map((held) => held.key);
  if (both.some((held) => held.key !== key)) return null;
  if (key === 'parts') {
    const all = [...listTexts(first, 'parts'), ...listTexts(later, 'parts')];
    return replaceAt(base, ['parts'], `[${all.join(',')}]`);
  }
  const contents = both.map(({ text }) => valueTextAt(text, ['content']));
  const all = both.flatMap(({ isBlankAnswer }, at) => (isBlankAnswer ? [] : blockTexts(contents[at] ?? null)));
  const isBare = all.length === 0 && !contents.some((json) => json?.startsWith('['));
  return isBare ? base : setMember(base, [], 'content', `[${all.join(',')}]`);
}

/** What decides how a message joins another, from one reading of it. */
function heldBy(text: string) {
  const message: unknown = JSON.parse(text);
  const fields = isRecord(message) ? message : {};
  return { text, key: listKey(fields) === 'parts' ? 'parts' : 'content', isBlankAnswer: isBlankSaid(fields) } as const;
}

function isBlankAnswer(text: string): boolean {
  return heldBy(text).isBlankAnswer;
}

// A blank string of the assistant becomes no block: blank blocks of the assistant are taken out before.
function isBlankSaid(message: Fields): boolean {
  return stringAt(message, 'role') !== 'user' && stringAt(message, 'content')?.trim() === '';
}

function listTexts(text: string, key: string): readonly string[] {
  const list = memberText(text, key);
  return list?.startsWith('[') === true ? elementTexts(list) : [];
}

// Most messages have no such member, and to find that out by reading a merged turn takes longer than to look for its name.
function memberText(text: string, key: string): string | null {
  return text.includes(key) || text.includes('\\u') ? valueTextAt(text, [key]) : null;
}
