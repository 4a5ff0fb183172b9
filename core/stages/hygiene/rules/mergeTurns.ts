// Turns of one role that follow each other become one, where a provider wants them to alternate. No text is lost: what
// was a string becomes a text block.

import { Growing } from '../../../util/growing.ts';
import { removeMember, setMember } from '../../../util/json/index.ts';
import { isRecord, stringAt } from '../../../util/unknown.ts';
import type { Draft } from '../draft.ts';
import type { Change, RuleName, RuleResult } from '../types.ts';
import { Joint, memberText, type Pieces, type Places, reasoningKey, WORDS, type Words } from './joint.ts';
import { defineRule, isSystem } from './rule.ts';

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

/** Two turns as one; null = they do not join. */
type Join = (first: Joint, later: Joint) => Joint | null;

// System messages travel beside the turns on every wire, so they do not part a run.
function mergeRuns(rule: RuleName, role: string, messages: readonly Draft[], join: Join): RuleResult {
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
    const merged = draft.role === role && holder !== undefined ? holder.joinedWith(draft, Joint.open, join) : null;
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

function joinAssistants(first: Joint, later: Joint): Joint | null {
  const content = withContent(first, first, later);
  if (content === null) return null;
  const joined = withCalls(content, first, later);
  let { frame } = joined;
  for (const key of ['usage', 'stopReason', 'errorMessage', 'function_call']) {
    const value = memberText(later.pieces.frame, key);
    if (value !== null && value !== 'null' && value !== '""') frame = setMember(frame, [], key, value);
  }
  const words = new Map(first.pieces.words);
  for (const key of WORDS) frame = withJoined(frame, words, first, later, key);
  if (isUnlike(first, later)) frame = removeMember(removeMember(frame, [], 'stopReason'), [], 'errorMessage');
  const whole = withReasoning({ ...joined, frame, words });
  return new Joint(memberText(frame, 'stopReason') === '"error"' ? whole : withoutBlanks(whole));
}

// What a failed turn was let keep, a turn that did not fail has lost before.
function withoutBlanks(whole: Pieces): Pieces {
  if (whole.failedBlanks === 0) return whole;
  const kept = [...whole.blocks].flatMap((block, at) => (isBlank(block) ? [] : [{ block, at }]));
  const places = kept.map(({ at }) => whole.places.blocks.at(at) ?? []);
  return {
    ...whole,
    blocks: Growing.of(kept.map(({ block }) => block)),
    places: { ...whole.places, blocks: Growing.of(places) },
    failedBlanks: 0,
  };
}

function isBlank(json: string): boolean {
  const block: unknown = JSON.parse(json);
  return isRecord(block) && stringAt(block, 'type') === 'text' && stringAt(block, 'text')?.trim() === '';
}

// That an earlier turn broke off says nothing of calls made after it: they have their results.
function isUnlike(first: Joint, later: Joint): boolean {
  const stop = stringAt(first.fields, 'stopReason');
  const isStopped = stop === 'error' || stop === 'aborted';
  return isStopped && later.pieces.makesCalls && stringAt(later.fields, 'stopReason') === undefined;
}

// Of the words of both; gives the frame that has a place for them.
function withJoined(frame: string, words: Map<string, Words>, first: Joint, later: Joint, key: string): string {
  const own = later.pieces.words.get(key);
  const value = own === undefined ? memberText(later.pieces.frame, key) : '""';
  if (value === null || value === 'null') return frame;
  const earlier = first.pieces.words.get(key);
  if (earlier !== undefined && own !== undefined) {
    words.set(key, { all: earlier.all.with(own.all), literal: null });
    return frame;
  }
  const known = earlier === undefined ? memberText(first.pieces.frame, key) : '""';
  if (known !== null && known !== 'null') return frame;
  if (own !== undefined) words.set(key, own);
  return setMember(frame, [], key, value);
}

function joinUsers(first: Joint, later: Joint): Joint | null {
  if (first.pieces.holdsCompaction || later.pieces.holdsCompaction) return null;
  const joined = withContent(later, first, later);
  if (joined === null) return null;
  let { frame } = joined;
  const timestamp = memberText(first.pieces.frame, 'timestamp');
  const own = memberText(frame, 'timestamp');
  if ((own === null || own === 'null') && timestamp !== null) frame = setMember(frame, [], 'timestamp', timestamp);
  return new Joint(withReasoning(withCalls({ ...joined, frame }, first, later)));
}

/** `base` with the content of both; null if one has content and the other parts, which no message can hold together. */
function withContent(base: Joint, first: Joint, later: Joint): Pieces | null {
  const [a, b] = [first.pieces, later.pieces];
  if (a.key !== b.key) return null;
  const { key, words, frame } = base.pieces;
  const blocks = a.blocks.with(b.blocks);
  const isList = blocks.length > 0 || a.isList || b.isList;
  return {
    ...{ key, words, isList, blocks, calls: base.pieces.calls },
    frame: isList ? setMember(frame, [], key, '[]') : frame,
    places: placesOfBoth(a.places, b.places),
    holdsCompaction: a.holdsCompaction || b.holdsCompaction,
    makesCalls: a.makesCalls || b.makesCalls,
    failedBlanks: a.failedBlanks + b.failedBlanks,
    chars: a.chars + b.chars,
    text: null,
  };
}

function withCalls(joined: Pieces, first: Joint, later: Joint): Pieces {
  const calls = first.pieces.calls.with(later.pieces.calls);
  return calls.length === 0 ? joined : { ...joined, calls, frame: setMember(joined.frame, [], 'tool_calls', '[]') };
}

// Each list is filled from the first turn, then from the later one. Reasoning beside the content is one text of both; of
// two calls of the oldest form the later one stands.
function placesOfBoth(a: Places, b: Places): Places {
  const beside = new Map(a.beside);
  for (const [name, places] of b.beside) {
    const known = name === LEGACY_CALL ? undefined : beside.get(name);
    beside.set(name, known?.with(places) ?? places);
  }
  return { blocks: a.blocks.with(b.blocks), calls: a.calls.with(b.calls), beside };
}

const LEGACY_CALL = 'function_call';

// What is not read as reasoning any more is from nowhere.
function withReasoning(joined: Pieces): Pieces {
  const read = reasoningKey(joined.words);
  const { beside } = joined.places;
  const isRead = (name: string): boolean => name === LEGACY_CALL || name === read;
  const kept = new Map([...beside].filter(([name]) => isRead(name)));
  return kept.size === beside.size ? joined : { ...joined, places: { ...joined.places, beside: kept } };
}
