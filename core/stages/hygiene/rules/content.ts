// Content that a provider refuses because there is none, or because it is in the wrong order.
import { elements, replaceAt, setMember, valueTextAt } from '../../../util/json/index.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { Origins } from '../../../view/types.ts';
import type { Draft } from '../draft.ts';
import { listKey, withoutParts } from '../shape.ts';
import { holdsCompaction } from '../traits.ts';
import { defineRule, editEach, editLocal, type RuleDecision } from './rule.ts';

const OMITTED = '[empty content omitted]';
const FAILED = '[assistant turn failed before producing content]';

/**
 * Blank text blocks of all roles go; a turn that says nothing at all goes with them. Anthropic: "text content blocks
 * must be non-empty"; Gemini: contents need a part.
 */
export const emptyContent = defineRule({
  name: 'empty_content',
  title: 'Empty content',
  help: 'Removes blank text blocks, and messages that say nothing: providers refuse them.',
  fix: (messages, context) =>
    editLocal('empty_content', messages, context, (draft) => {
      if (draft.role !== 'user' && draft.role !== 'assistant') return null;
      const { traits, facts } = draft;
      if (traits.empty && isBare(draft.value)) {
        return { text: null, objection: 'the message says nothing', done: 'it was dropped', chip: 'empty' };
      }
      if (traits.blankTexts.length === 0) return null;
      const gone = new Set(traits.blankTexts);
      if (listKey(draft.value) === null && gone.size > 0) return bareBlank(draft);
      const done = 'the block was removed';
      return {
        text: withoutParts(draft.text, facts, gone),
        origins: draft.originsWithout(gone),
        objection: 'a text block is blank',
        done,
        chip: 'blank text',
      };
    }),
});

// A blank string beside calls: the calls are the content.
function bareBlank(draft: Draft): RuleDecision | null {
  const text = setMember(draft.text, [], 'content', 'null');
  if (text === draft.text) return null;
  const origins = draft.originsWithout(new Set(draft.traits.blankTexts));
  return { text, origins, objection: 'the text is blank', done: 'it was removed', chip: 'blank text' };
}

function isBare(message: Readonly<Record<string, unknown>>): boolean {
  const calls = ownAt(message, 'tool_calls');
  return (!Array.isArray(calls) || calls.length === 0) && !ownAt(message, 'function_call');
}

/** In one message results come before anything else. Source: platform.claude.com, "Handle tool calls". */
export const resultsFirst = defineRule({
  name: 'results_first',
  title: 'Results first',
  help: 'Puts tool results before the text of the same message, as Anthropic asks for.',
  fix: (messages, context) =>
    editLocal('results_first', messages, context, (draft) => {
      const text = withResultsFirst(draft);
      if (text === draft.text) return null;
      const isResult = (_: unknown, at: number): boolean => draft.facts.parts[at]?.kind === 'tool_result';
      const others = draft.origins.filter((places, at) => !isResult(places, at));
      const objection = 'text precedes the tool results of the same message';
      const origins = [...draft.origins.filter(isResult), ...others];
      return { text, origins, objection, done: 'the results were put first', chip: 'order' };
    }),
});

/** True if something stands before a result in its message; a compaction block may: it is the first of all. */
export function isOutOfOrder(draft: Draft): boolean {
  const isResult = draft.facts.parts.map((part) => part.kind === 'tool_result');
  const first = isResult.indexOf(false);
  if (first < 0 || first > isResult.lastIndexOf(true)) return false;
  return !(first === 0 && isResult.lastIndexOf(false) === 0 && holdsCompaction(draft));
}

function withResultsFirst(draft: Draft): string {
  const { text, role, facts } = draft;
  if (role !== 'user' || !isOutOfOrder(draft)) return text;
  const [list] = facts.parts[0]?.path ?? [];
  const isResult = facts.parts.map((part) => part.kind === 'tool_result');
  if (list !== 'content' && list !== 'parts') return text;
  const json = valueTextAt(text, [list]);
  if (json === null || !json.startsWith('[')) return text;
  const blocks = elements(json, 0).map(({ start, end }) => json.slice(start, end));
  if (blocks.length !== isResult.length) return text;
  const sorted = [...blocks.filter((_, at) => isResult[at]), ...blocks.filter((_, at) => !isResult[at])];
  return replaceAt(text, [list], `[${sorted.join(',')}]`);
}

/**
 * The later published version's clean-up: strings of the assistant become blocks, blank user turns go, reasoning alone
 * that was cut off goes, a failed turn without content says so. Off unless switched on. Source: hygiene facts, 3.13.
 */
export const normalizeContent = defineRule({
  name: 'normalize_content',
  title: 'Normalise content',
  help: 'Turns the assistant’s strings into text blocks, drops blank user turns and reasoning that was cut off, and lets failed turns say so; at the end they go.',
  fix(messages, context) {
    const local = editLocal('normalize_content', messages, context, (draft) => {
      if (draft.role === 'assistant') return assistantContent(draft);
      if (draft.role === 'user') return userContent(draft);
      return draft.role === 'toolResult' && isEmptyList(draft) ? filled(draft, OMITTED, 'the result is empty') : null;
    });
    if (context.around?.contentLater === true) return local;
    const tail = local.messages.findLastIndex((draft) => !isFailedTurn(draft)) + 1;
    if (tail === local.messages.length) return local;
    const cut = editEach('normalize_content', local.messages, (_, position) => (position < tail ? null : FAILED_LAST));
    return { messages: cut.messages, changes: [...local.changes, ...cut.changes] };
  },
});

const FAILED_LAST: RuleDecision = {
  text: null,
  objection: 'a failed turn without content is last',
  done: 'it was dropped',
  chip: 'empty',
};

function isFailedTurn(draft: Draft): boolean {
  if (draft.role !== 'assistant' || draft.traits.stop !== 'error') return false;
  if (isUnsaid(draft)) return true;
  const content = ownAt(draft.value, 'content');
  if (!Array.isArray(content) || content.length > 1) return false;
  const [block]: readonly unknown[] = content;
  return block === undefined || (isRecord(block) && ownAt(block, 'text') === FAILED);
}

// Neither text nor a list, and nothing beside it.
function isUnsaid({ traits, value }: Draft): boolean {
  const content = ownAt(value, 'content');
  return (content === undefined || content === null) && traits.empty && isBare(value) && !Object.hasOwn(value, 'parts');
}

/** True for a message behind which {@link normalizeContent} leaves failed turns as they are. */
export function holdsContent(draft: Draft): boolean {
  if (draft.role === 'user') return !isBlankTurn(draft);
  return draft.role !== 'assistant' || !(isFailedTurn(draft) || isBlankString(draft) || isCutShort(draft));
}

function userContent(draft: Draft): RuleDecision | null {
  const { blankTexts } = draft.traits;
  if (isBlankTurn(draft))
    return { text: null, objection: 'the user turn is blank', done: 'it was dropped', chip: 'empty' };
  if (blankTexts.length === 0 || listKey(draft.value) === null) return null;
  const gone = new Set(blankTexts);
  const text = withoutParts(draft.text, draft.facts, gone);
  const origins = draft.originsWithout(gone);
  return { text, origins, objection: 'a text block is blank', done: 'the block was removed', chip: 'blank text' };
}

function isBlankTurn({ traits, value }: Draft): boolean {
  const content = ownAt(value, 'content');
  return traits.empty && (typeof content === 'string' || Array.isArray(content));
}

// Reasoning alone that the limit cut off: the provider's state of it is not whole.
function isCutShort({ value }: Draft): boolean {
  const content = ownAt(value, 'content');
  if (stringAt(value, 'stopReason') !== 'length' || !Array.isArray(content) || content.length === 0) return false;
  return content.every((block) => isRecord(block) && REASONING.has(stringAt(block, 'type') ?? ''));
}

const REASONING: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

function isBlankString({ traits, value }: Draft): boolean {
  return traits.empty && typeof ownAt(value, 'content') === 'string' && isBare(value);
}

function assistantContent(draft: Draft): RuleDecision | null {
  const content = ownAt(draft.value, 'content');
  if (typeof content === 'string' && content.trim() !== '') return filled(draft, content, 'the content is a string');
  if (isBlankString(draft)) {
    return { text: null, objection: 'the turn is blank', done: 'it was dropped', chip: 'empty' };
  }
  if (isCutShort(draft)) {
    return { text: null, objection: 'the turn is reasoning that was cut off', done: 'it was dropped', chip: 'empty' };
  }
  const isFailed = draft.traits.stop === 'error';
  if (isFailed && (isEmptyList(draft) || isUnsaid(draft))) return filled(draft, FAILED, 'the failed turn is empty');
  if (!isUnsaid(draft)) return null;
  const text = setMember(draft.text, [], 'content', '[]');
  return {
    text,
    objection: 'the turn has no content',
    done: 'it has an empty list now',
    chip: 'content',
    severity: 'info',
  };
}

// The block stands where the text stood: behind reasoning beside the content, before the calls.
function filledOrigins({ facts, origins }: Draft): Origins {
  const isBeside = (at: number): boolean => facts.parts[at]?.path[0] !== 'content';
  const isCall = (at: number): boolean => facts.parts[at]?.kind === 'tool_call';
  const before = origins.filter((_, at) => isBeside(at) && !isCall(at));
  const own = origins.flatMap((places, at) => (isBeside(at) ? [] : places));
  return [...before, own, ...origins.filter((_, at) => isBeside(at) && isCall(at))];
}

function isEmptyList(draft: Draft): boolean {
  const content = ownAt(draft.value, 'content');
  return Array.isArray(content) && content.length === 0;
}

function filled(draft: Draft, line: string, objection: string): RuleDecision {
  const text = setMember(draft.text, [], 'content', JSON.stringify([{ type: 'text', text: line }]));
  const origins = filledOrigins(draft);
  return { text, origins, objection, done: 'it is one text block now', chip: 'content', severity: 'warning' };
}
