// Calls that were cut off before they were whole.
import type { Part } from '../../../model/message.ts';
import { callsOf } from '../../../model/readMessage.ts';
import { setMember } from '../../../util/json/index.ts';
import { callFault } from '../callFault.ts';
import type { Draft, Fields } from '../draft.ts';
import { callShape, withoutParts } from '../shape.ts';
import type { RuleOptions, RuleResult } from '../types.ts';
import { defineRule, editEach, editLocal, type RuleDecision } from './rule.ts';

const NAME = /^[A-Za-z0-9_:.-]+$/;
const NAME_LENGTH = 64;

/**
 * Drops calls without arguments, id or name, as a failure in mid-stream leaves them; a turn left with nothing goes.
 * With a list of allowed tools also calls of others. Source: hygiene facts, 3.4.
 */
export const malformedCalls = defineRule({
  name: 'malformed_calls',
  title: 'Malformed calls',
  help: 'Drops calls that were never finished: without arguments, without a name, without an id.',
  fix: (messages, context) =>
    context.options.keepSignedTurnsWhole
      ? keepWhole(messages, context.options)
      : editLocal('malformed_calls', messages, context, (draft) =>
          draft.pairing.calls ? judge(draft, context.options) : null,
        ),
});

// Turns with reasoning stay as they are or go: an id that an earlier one of them has is a fault too.
function keepWhole(messages: readonly Draft[], options: RuleOptions): RuleResult {
  const claimed = new Set<string>();
  return editEach('malformed_calls', messages, (draft) => {
    if (draft.role !== 'assistant' || !draft.pairing.calls) return null;
    const verdict = judge(draft, options);
    if (!hasReasoning(draft)) return verdict;
    const ids = callsOf(draft.facts).map(({ part }) => (part.callId ?? '').trim());
    const isRepeated = new Set(ids).size < ids.length || ids.some((id) => claimed.has(id));
    if (verdict !== null || isRepeated) return wholeTurn(verdict?.objection ?? 'two calls share an id');
    for (const id of ids) claimed.add(id);
    return null;
  });
}

function hasReasoning(draft: Draft): boolean {
  return draft.facts.parts.some((part) => part.category === 'thinking');
}

function wholeTurn(objection: string): RuleDecision {
  return { text: null, objection, done: 'the turn has reasoning and was dropped whole', chip: 'malformed call' };
}

function judge(draft: Draft, options: RuleOptions): RuleDecision | null {
  const calls = callsOf(draft.facts);
  if (calls.length === 0 || (draft.traits.wholeCalls && !looksAtNames(options))) return null;
  const { value } = draft;
  const faults = new Map<number, string>();
  for (const { at, part } of calls) {
    const fault = faultOf(value, part, options);
    if (fault !== null) faults.set(at, fault);
  }
  const renamed = looksAtNames(options) ? withTrimmedNames(draft, value) : draft.text;
  if (faults.size === 0 && renamed === draft.text) return null;
  if (faults.size === 0) return trimmedNames(renamed);
  const objection = [...new Set(faults.values())].join('; ');
  if (faults.size === draft.facts.parts.length) {
    return { text: null, objection, done: 'the turn held nothing else and was dropped', chip: 'malformed call' };
  }
  const gone = new Set(faults.keys());
  const text = withoutParts(renamed, draft.facts, gone);
  const origins = draft.originsWithout(gone);
  return {
    text,
    origins,
    objection,
    done: gone.size === 1 ? 'the call was dropped' : `${gone.size} calls were dropped`,
    chip: 'malformed call',
  };
}

function trimmedNames(text: string): RuleDecision {
  return { text, objection: 'a tool name has white space around it', done: 'it was trimmed', chip: 'tool name' };
}

function faultOf(message: Fields, part: Part, options: RuleOptions): string | null {
  const fault = callFault(message, part);
  if (fault !== null || !looksAtNames(options)) return fault;
  return nameFault((part.name ?? '').trim(), options.allowedTools ?? []);
}

function looksAtNames({ allowedTools, keepSignedTurnsWhole }: RuleOptions): boolean {
  return allowedTools !== null || keepSignedTurnsWhole;
}

// A list that names no tool allows any.
function nameFault(name: string, allowed: readonly string[]): string | null {
  if (!NAME.test(name) || name.length > NAME_LENGTH) return `"${name.slice(0, NAME_LENGTH)}" can be no tool's name`;
  const known = allowed.map((each) => each.trim().toLowerCase()).filter((each) => each !== '');
  return known.length === 0 || known.includes(name.toLowerCase()) ? null : `there is no tool ${name}`;
}

function withTrimmedNames(draft: Draft, message: Fields): string {
  let { text } = draft;
  for (const { part } of callsOf(draft.facts)) {
    const name = part.name ?? '';
    const trimmed = name.trim();
    if (trimmed === name || trimmed === '' || callShape(message, part) === 'tool_calls') continue;
    text = setMember(text, part.path, 'name', JSON.stringify(trimmed));
  }
  return text;
}
