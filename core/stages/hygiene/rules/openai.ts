// Reasoning and calls as OpenAI's Responses API takes them back.
import { callsOf, resultsOf } from '../../../model/readMessage.ts';
import { removeElements } from '../../../util/json/index.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { Draft } from '../draft.ts';
import type { IdSet } from '../ids.ts';
import { lastSwitch } from '../routes.ts';
import { listKey, partsAt, withId } from '../shape.ts';
import { blocksOf } from '../traits.ts';
import { defineRule, editEach, type RuleDecision } from './rule.ts';

/** A reasoning item's id and type, read from the block itself or from the signature that carries it. */
function reasoningItem(block: unknown): { readonly id: string; readonly type: string } | null {
  if (!isRecord(block)) return null;
  const type = stringAt(block, 'type') ?? '';
  if (type === 'reasoning') return { id: stringAt(block, 'id') ?? 'rs_', type };
  if (type !== 'thinking') return null;
  const item = parsedSignature(ownAt(block, 'thinkingSignature'));
  if (!isRecord(item)) return null;
  return { id: stringAt(item, 'id') ?? '', type: stringAt(item, 'type') ?? '' };
}

function parsedSignature(signature: unknown): unknown {
  if (typeof signature !== 'string') return signature;
  const text = signature.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isReplayable(block: unknown): boolean {
  const item = reasoningItem(block);
  if (item === null) return false;
  return item.id.startsWith('rs_') && (item.type === 'reasoning' || item.type.startsWith('reasoning.'));
}

function isReasoningBlock(block: unknown): boolean {
  const type = isRecord(block) ? (stringAt(block, 'type') ?? '') : '';
  return type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking';
}

/**
 * Reasoning items are for the model that made them: those of answers before the last switch of provider, API or model go.
 * Source: the reference document on transcript hygiene, OpenAI; hygiene facts, 3.12.
 */
export const switchedReasoning = defineRule({
  name: 'switched_reasoning',
  title: 'Reasoning before a switch of model',
  help: 'Drops reasoning items of answers from before the last switch of provider, API or model: only the model that made them takes them back.',
  fix(messages, { around, options }) {
    const { later = null, behind = options.route } = around?.switched ?? {};
    const found = later === null ? lastSwitch(messages, behind) : { end: messages.length, words: later };
    if (found === null) return { messages, changes: [] };
    const objection = `the reasoning was made before a switch (${found.words})`;
    return editEach('switched_reasoning', messages, (draft, position) => {
      if (position >= found.end || !mayHoldReasoning(draft) || listKey(draft.value) !== 'content') return null;
      const blocks = blocksOf(draft.value);
      const gone = new Set(blocks.flatMap((block, at) => (isReplayable(block) ? [at] : [])));
      return withoutItems(draft, blocks.length, gone, objection);
    });
  },
});

/**
 * A reasoning item must be followed by the item it led to ("was provided without its required following item"): alone
 * it is dropped. Source: hygiene facts, 3.12; platform.openai.com, "Reasoning models".
 */
export const orphanReasoning = defineRule({
  name: 'orphan_reasoning',
  title: 'Orphaned reasoning',
  help: 'Drops reasoning items that nothing follows in their turn; the Responses API refuses them.',
  fix: (messages, { around }) =>
    editEach('orphan_reasoning', messages, (draft, position) =>
      mayHoldReasoning(draft) ? dropLone(draft, messages[position + 1] ?? around?.next ?? null) : null,
    ),
});

/** True for messages of which {@link orphanReasoning} asks what follows. */
export function mayHoldReasoning(draft: Draft): boolean {
  return draft.role === 'assistant' && draft.facts.parts.some((part) => part.category === 'thinking');
}

// In the items of the API itself a turn may be written as several messages: what follows may be in the next one.
// Reasoning kept in a thinking block is in its whole turn.
function dropLone(draft: Draft, next: Draft | null): RuleDecision | null {
  const { value } = draft;
  if (listKey(value) !== 'content') return null;
  const blocks = blocksOf(value);
  const last = blocks.findLastIndex((block) => !isReasoningBlock(block));
  const continues = next?.role === 'assistant' && !Object.hasOwn(value, 'stopReason');
  const isGone = (block: unknown, at: number): boolean =>
    at > last && isReplayable(block) && !(continues && isRecord(block) && stringAt(block, 'type') === 'reasoning');
  const gone = new Set(blocks.flatMap((block, at) => (isGone(block, at) ? [at] : [])));
  return withoutItems(draft, blocks.length, gone, 'a reasoning item is not followed by what it led to');
}

function withoutItems(draft: Draft, all: number, gone: ReadonlySet<number>, objection: string): RuleDecision | null {
  if (gone.size === 0) return null;
  const isAll = gone.size === all;
  return {
    text: isAll ? null : removeElements(draft.text, ['content'], gone),
    origins: draft.originsWithout(partsAt(draft.facts, 'content', gone)),
    objection,
    done: isAll ? 'the turn held nothing else and was dropped' : 'the item was dropped',
    chip: 'reasoning',
  };
}

/**
 * An id `call_X|fc_Y` names an item that the API knows only with its reasoning; where none precedes it in its turn,
 * the second half goes, also from the results. Off unless switched on. Source: hygiene facts, 3.12.
 */
export const functionCallPairs = defineRule({
  name: 'function_call_pairs',
  title: 'Ids of function call items',
  help: 'Shortens ids `call_…|fc_…` to their first half where the reasoning that goes with the item is gone.',
  fix(messages, { around }) {
    const shortened = around?.shortened ?? new Set<string>();
    return editEach('function_call_pairs', messages, (draft) =>
      draft.role === 'assistant' ? shortenCalls(draft, shortened) : shortenResults(draft, shortened),
    );
  },
});

const PAIR = /^([^|]+)\|fc_/;

function shortenCalls(draft: Draft, shortened: IdSet): RuleDecision | null {
  const { value, facts } = draft;
  const blocks = blocksOf(value);
  const firstReasoning = blocks.findIndex(isReplayable);
  let { text } = draft;
  for (const { part } of callsOf(facts)) {
    const id = part.callId ?? '';
    const short = PAIR.exec(id)?.[1];
    const [, at] = part.path;
    const hasReasoning = firstReasoning >= 0 && typeof at === 'number' && firstReasoning < at;
    shortened.delete(id);
    if (short === undefined || hasReasoning) continue;
    shortened.add(id);
    text = withId(text, value, part, short);
  }
  return text === draft.text ? null : shorter(text);
}

function shortenResults(draft: Draft, shortened: IdSet): RuleDecision | null {
  let { text } = draft;
  for (const { part } of resultsOf(draft.facts)) {
    const id = part.callId ?? '';
    const short = PAIR.exec(id)?.[1];
    if (short !== undefined && shortened.has(id)) text = withId(text, draft.value, part, short);
  }
  return text === draft.text ? null : shorter(text);
}

function shorter(text: string): RuleDecision {
  return {
    text,
    objection: 'the id names an item whose reasoning is gone',
    done: 'it was shortened to the call',
    chip: 'tool id',
  };
}
