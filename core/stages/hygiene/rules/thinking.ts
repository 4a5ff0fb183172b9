// Reasoning that a provider would not take back.
import { removeElements, replaceAt, setMember } from '../../../util/json/index.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { Draft } from '../draft.ts';
import { listKey, partsAt } from '../shape.ts';
import { blocksOf } from '../traits.ts';
import { defineRule, editEach, editLocal, type RuleDecision } from './rule.ts';

const SIGNATURE_KEYS = ['thinkingSignature', 'signature', 'thought_signature', 'thoughtSignature'];

type Block = Readonly<Record<string, unknown>>;

function typeOf(block: unknown): string {
  return isRecord(block) ? (stringAt(block, 'type') ?? '') : '';
}

function hasThinking(draft: Draft): boolean {
  return (
    draft.role === 'assistant' &&
    draft.facts.parts.some((part) => part.category === 'thinking' && part.path.length === 2)
  );
}

/** The text without the blocks at these places; null if nothing would be left. */
function without(draft: Draft, text: string, gone: ReadonlySet<number>): string | null {
  const { value } = draft;
  const list = listKey(value);
  if (list === null || gone.size === 0) return text;
  const isAll = blocksOf(value).length === gone.size && !Object.hasOwn(value, 'tool_calls');
  return isAll ? null : removeElements(text, [list], gone);
}

/**
 * Claude behind Antigravity: thinking with a valid signature gets it under `thinkingSignature`, other thinking goes.
 * Source: hygiene facts, 3.11.
 */
export const antigravityThinking = defineRule({
  name: 'antigravity_thinking',
  title: 'Antigravity thinking',
  help: 'Spells thinking signatures as Antigravity’s Claude expects them, and drops thinking that has none.',
  fix: (messages, context) =>
    editLocal('antigravity_thinking', messages, context, (draft) => {
      if (isEmptyTurn(draft))
        return { text: null, objection: 'the turn is empty', done: 'it was dropped', chip: 'empty' };
      if (!hasThinking(draft) || listKey(draft.value) !== 'content') return null;
      return normalise(draft);
    }),
});

function isEmptyTurn({ role, facts, value }: Draft): boolean {
  return (
    role === 'assistant' && facts.parts.length === 0 && listKey(value) === 'content' && blocksOf(value).length === 0
  );
}

function normalise(draft: Draft): RuleDecision | null {
  const gone = new Set<number>();
  let { text } = draft;
  for (const [at, block] of blocksOf(draft.value).entries()) {
    if (!isRecord(block) || typeOf(block) !== 'thinking') continue;
    const signature = signatureOf(block);
    if (signature === null) gone.add(at);
    else if (ownAt(block, 'thinkingSignature') !== signature) {
      text = setMember(text, ['content', at], 'thinkingSignature', JSON.stringify(signature));
    }
  }
  if (gone.size === 0 && text === draft.text) return null;
  const objection = gone.size > 0 ? 'a thinking block has no valid signature' : 'a signature is spelt otherwise';
  const after = without(draft, text, gone);
  const left = after === null ? 'the turn held nothing else and was dropped' : 'the block was dropped';
  const done = gone.size > 0 ? left : 'it is now under thinkingSignature';
  const origins = draft.originsWithout(partsAt(draft.facts, 'content', gone));
  return { text: after, origins, objection, done, chip: gone.size > 0 ? 'unsigned thinking' : 'thinking' };
}

function signatureOf(block: Block): string | null {
  const given = SIGNATURE_KEYS.map((key) => ownAt(block, key)).find((value) => value !== undefined && value !== null);
  if (typeof given !== 'string') return null;
  const signature = given.trim();
  const isValid = signature !== '' && signature.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(signature);
  return isValid ? given : null;
}

/**
 * Anthropic takes thinking only with its signature (platform.claude.com, "Extended thinking"); such a block without one
 * is sent as text, so that no thought is lost.
 */
export const unsignedThinking = defineRule({
  name: 'unsigned_thinking',
  title: 'Unsigned thinking',
  help: 'Turns thinking without a signature into text: the provider refuses it as thinking.',
  fix: (messages, context) =>
    editLocal('unsigned_thinking', messages, context, (draft) => {
      if (!hasThinking(draft) || listKey(draft.value) !== 'content') return null;
      return toText(draft);
    }),
});

function toText(draft: Draft): RuleDecision | null {
  const gone = new Set<number>();
  let { text } = draft;
  for (const [at, part] of draft.facts.parts.entries()) {
    const [list, place] = part.path;
    if (list !== 'content' || typeof place !== 'number' || part.category !== 'thinking' || part.signed === true)
      continue;
    const block = draft.facts.parts[at] === part ? blocksOf(draft.value)[place] : null;
    if (typeOf(block) !== 'thinking' || !isRecord(block)) continue;
    const thought = stringAt(block, 'thinking') ?? stringAt(block, 'text') ?? '';
    if (thought.trim() === '') gone.add(place);
    else text = replaceAt(text, ['content', place], JSON.stringify({ type: 'text', text: thought }));
  }
  if (gone.size === 0 && text === draft.text) return null;
  const after = without(draft, text, gone);
  const isText = text !== draft.text;
  const left = [...(isText ? ['it is sent as text'] : []), ...(gone.size > 0 ? ['a blank one was removed'] : [])];
  const done = after === null ? 'the turn held nothing else and was dropped' : left.join('; ');
  const origins = draft.originsWithout(partsAt(draft.facts, 'content', gone));
  return { text: after, origins, objection: 'a thinking block has no signature', done, chip: 'thinking' };
}

/**
 * Reasoning of all turns but the latest is removed: what some providers advise. Off unless switched on. Source: hygiene
 * facts, 3.15.
 */
export const dropOldThinking = defineRule({
  name: 'drop_old_thinking',
  title: 'Old thinking',
  help: 'Removes the reasoning of all assistant turns but the latest.',
  fix(messages, { around }) {
    const latest = around?.answersLater === true ? messages.length : messages.findLastIndex(isListedAnswer);
    return editEach('drop_old_thinking', messages, (draft, position) => {
      if (position >= latest || !hasThinking(draft) || listKey(draft.value) !== 'content') return null;
      const blocks = blocksOf(draft.value);
      const gone = new Set(blocks.flatMap((block, at) => (isThinking(typeOf(block)) ? [at] : [])));
      if (gone.size === 0) return null;
      const left = without(draft, draft.text, gone);
      const text =
        left ?? replaceAt(draft.text, ['content'], '[{"type":"text","text":"[assistant reasoning omitted]"}]');
      const rest = draft.originsWithout(partsAt(draft.facts, 'content', gone));
      return {
        text,
        // The line that says so stands where all blocks stood: behind reasoning beside the content.
        origins: left === null ? [...rest, []] : rest,
        objection: 'old reasoning is not needed again',
        done: 'it was removed',
        chip: 'thinking',
        severity: 'info',
      };
    });
  },
});

/** True for an answer as {@link dropOldThinking} looks for the latest. */
export function isListedAnswer(draft: Draft): boolean {
  return draft.role === 'assistant' && listKey(draft.value) !== null;
}

function isThinking(type: string): boolean {
  return type === 'thinking' || type === 'redacted_thinking' || type === 'reasoning';
}
