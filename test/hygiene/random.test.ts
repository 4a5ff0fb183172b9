// Random broken histories in every shape × every profile: after a repair the lint finds nothing, pairs are whole, no
// text is lost, a second repair changes nothing, and a whole history is the same view. A failing case prints its seed.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import {
  type Draft,
  detectionOf,
  lint,
  openDrafts,
  PROFILE_NAMES,
  profileOf,
  repair,
} from '../../core/stages/hygiene/index.ts';
import { sha256Hex } from '../../core/util/hash.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import { closeDrafts } from '../support/closeDrafts.ts';
import { brokenInvariants } from '../support/hygieneInvariants.ts';

const CASES = 150;
const SHAPES = ['camel', 'anthropic', 'openai', 'gemini'] as const;
type Shape = (typeof SHAPES)[number];

const ids = ['a', 'b', 'call_1|fc_1', 'toolu_01X', '***', 'x'.repeat(70), ''];

function text(shape: Shape, rng: Rng, words: string): unknown {
  const said = rng.chance(0.1) ? '  ' : `${words} ${rng.below(1_000_000)}`;
  if (shape === 'gemini') return { text: said };
  return { type: 'text', text: said };
}

function callOf(shape: Shape, id: string, rng: Rng): unknown {
  const whole = !rng.chance(0.1);
  if (shape === 'camel') {
    const own = id === '' && rng.chance() ? {} : { id };
    return { type: 'toolCall', ...own, name: 'read', ...(whole && { arguments: {} }) };
  }
  if (shape === 'anthropic') return { type: 'tool_use', id, name: 'read', ...(whole && { input: {} }) };
  if (shape === 'gemini') return { functionCall: { name: `read${rng.below(3)}`, args: {} } };
  return { id, type: 'function', function: { name: 'read', ...(whole && { arguments: '{}' }) } };
}

function assistant(shape: Shape, rng: Rng): unknown {
  const blocks = Array.from({ length: rng.below(3) }, () => text(shape, rng, 'answer'));
  const calls = Array.from({ length: rng.below(3) }, () => callOf(shape, rng.pick(ids), rng));
  const stop = shape === 'camel' && rng.chance(0.3) ? { stopReason: rng.pick(['error', 'aborted', 'toolUse']) } : {};
  if (shape === 'gemini') return { role: 'model', parts: [...blocks, ...calls] };
  if (shape !== 'openai') return { role: 'assistant', content: [...blocks, ...calls], ...stop };
  const content = rng.chance() ? null : `answer ${rng.below(1_000_000)}`;
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
}

function resultOf(shape: Shape, rng: Rng): unknown {
  const id = rng.pick(ids);
  const words = `result ${rng.below(1_000_000)}`;
  const blocks = [{ type: 'text', text: words }];
  switch (shape) {
    case 'camel':
      return {
        role: 'toolResult',
        ...(id !== '' && { toolCallId: id }),
        toolName: 'read',
        content: blocks,
        details: 1,
      };
    case 'openai':
      return { role: 'tool', tool_call_id: id, content: words };
    case 'gemini': {
      const response = { name: `read${rng.below(3)}`, response: { output: words } };
      return {
        role: 'user',
        parts: [{ functionResponse: response }, ...(rng.chance() ? [text(shape, rng, 'and')] : [])],
      };
    }
    case 'anthropic': {
      const result = { type: 'tool_result', tool_use_id: id, content: words };
      const extra = rng.chance(0.3) ? [text(shape, rng, 'and')] : [];
      return { role: 'user', content: rng.chance() ? [...extra, result] : [result, ...extra] };
    }
  }
}

function user(shape: Shape, rng: Rng): unknown {
  if (shape === 'gemini') return { role: 'user', parts: [text(shape, rng, 'ask')] };
  return { role: 'user', content: rng.chance() ? `ask ${rng.below(1_000_000)}` : [text(shape, rng, 'ask')] };
}

function history(rng: Rng): readonly unknown[] {
  const shape = rng.pick(SHAPES);
  return Array.from({ length: 1 + rng.below(14) }, () => {
    const kind = rng.below(10);
    if (kind < 4) return assistant(shape, rng);
    if (kind < 8) return resultOf(shape, rng);
    return kind === 8 && rng.chance(0.3) ? { role: 'system', content: 'be brief' } : user(shape, rng);
  });
}

function faultsOf(messages: readonly unknown[], name: (typeof PROFILE_NAMES)[number]): readonly string[] {
  const texts = messages.map((message) => JSON.stringify(message));
  const source = memorySource(texts);
  const memo = createMemo();
  const view = rawView(source, source.length, memo);
  const before = openDrafts(view, source, memo);
  const profile = profileOf(detectionOf(name), true);
  const run = (list: readonly Draft[]) => {
    const step = repair(list, profile, sha256Hex).next();
    if (step.done !== true) throw new Error('there is no image here');
    return step.value;
  };
  const once = run(before);
  const again = run(once.messages);
  const context = { options: profile.options, sha256: sha256Hex, resized: new Map() };
  const found = lint({ messages: once.messages, wire: profile.wire, context, idMode: profile.options.idMode });
  const after = once.messages.map((draft): unknown => JSON.parse(draft.text));
  const asked = { callsNeedResults: true, distinctIds: true, changes: once.changes };
  return [
    ...found.map(({ text: said, position }) => `#${position} ${said}`),
    ...brokenInvariants(messages, after, asked),
    ...(again.messages === once.messages
      ? []
      : [`a second run: ${again.changes.map(({ rule, done }) => `${rule}: ${done}`)}`]),
    ...(once.changes.length > 0 || closeDrafts(view, once.messages, 0, source.length) === view ? [] : ['another view']),
    ...(texts.every((json, at) => source.text(at) === json) ? [] : ['the input was changed']),
  ];
}

// Which call it answers is another once those that were cut off are gone; without `make_valid` nobody pairs them.
function lacksId(message: unknown): boolean {
  return isRecord(message) && message.role === 'toolResult' && !Object.hasOwn(message, 'toolCallId');
}

function changedAgain(messages: readonly unknown[], name: (typeof PROFILE_NAMES)[number]): readonly string[] {
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  const memo = createMemo();
  const profile = profileOf(detectionOf(name), false);
  const run = (list: readonly Draft[]) => {
    const step = repair(list, profile, sha256Hex).next();
    if (step.done !== true) throw new Error('there is no image here');
    return step.value;
  };
  const once = run(openDrafts(rawView(source, source.length, memo), source, memo));
  return run(once.messages).changes.map(({ rule, objection, done }) => `${rule}: ${objection}; ${done}`);
}

describe.each(PROFILE_NAMES)('random histories under %s', (name) => {
  it('are changed once by what its published matrix promises', () => {
    for (let seed = 1; seed <= 4 * CASES; seed++) {
      const messages = history(seededRng(seed)).filter((message) => !lacksId(message));
      expect(changedAgain(messages, name), `seed ${seed}: ${JSON.stringify(messages)}`).toEqual([]);
    }
  });

  it('are valid after a repair', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const messages = history(seededRng(seed));
      const replay = `seed ${seed}: ${JSON.stringify(messages)}`;
      expect(faultsOf(messages, name), replay).toEqual([]);
    }
  });
});
