import { describe, expect, it } from 'vitest';
import { findExchanges } from '../../core/model/exchanges.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { transcriptOf } from '../support/projecting.ts';

const calls = (...list: unknown[]) => ({ role: 'assistant', tool_calls: list });
const ok = (fields: object) => ({ role: 'tool', content: 'ok', ...fields });
const bad = (fields: object) => ({ role: 'tool', content: 'error: x', ...fields });

/** `call message.part (outcome): result message.part …` */
function brief(messages: readonly unknown[]): string[] {
  const source = transcriptOf(messages);
  return findExchanges(source.length, (index) => source.facts(index)).flatMap((exchange) =>
    exchange.calls.map((call) => {
      const results = call.results.map((place) => ` ${place.message}.${place.part}`).join('');
      return `${call.message}.${call.part} ${call.outcome}:${results}`;
    }),
  );
}

describe('which result answers which call', () => {
  it.each([
    [
      'by id, in any order',
      [calls({ id: 'a' }, { id: 'b' }), ok({ tool_call_id: 'b' }), bad({ tool_call_id: 'a' })],
      ['0.0 failed: 2.0', '0.1 succeeded: 1.0'],
    ],
    [
      'by the empty id as by any other: one that calls share is answered by each result with it',
      [calls({ id: '', name: 'r' }, { id: '', name: 's' }), ok({ tool_call_id: '' }), bad({ tool_call_id: '' })],
      ['0.0 succeeded: 1.0 2.0', '0.1 succeeded: 1.0 2.0'],
    ],
    ['by name where the result has no id', [calls({ id: 'a', name: 'r' }), ok({ name: 'r' })], ['0.0 succeeded: 1.0']],
    [
      'by name where the call has no id',
      [calls({ name: 'r' }), ok({ name: 'r', tool_call_id: 'x' })],
      ['0.0 succeeded: 1.0'],
    ],
    [
      'by name, each result once',
      [calls({ name: 'r' }, { name: 'r' }), ok({ name: 'r' }), bad({ name: 'r' })],
      ['0.0 succeeded: 1.0', '0.1 failed: 2.0'],
    ],
    [
      'an id is not taken by a neighbour of the same name',
      [calls({ name: 'r' }, { id: 'b', name: 'r' }), ok({ tool_call_id: 'b', name: 'r' })],
      ['0.0 open:', '0.1 succeeded: 1.0'],
    ],
    ['never with another id', [calls({ id: 'a', name: 'r' }), ok({ tool_call_id: 'b', name: 'r' })], ['0.0 open:']],
    [
      'not beyond the next assistant message',
      [calls({ id: 'a' }), { role: 'assistant', content: 'x' }, ok({ tool_call_id: 'a' })],
      ['0.0 open:'],
    ],
    [
      'across user messages',
      [calls({ id: 'a' }), { role: 'user', content: 'x' }, ok({ tool_call_id: 'a' })],
      ['0.0 succeeded: 2.0'],
    ],
    [
      'a repeated result too; it failed only if all did',
      [calls({ id: 'a' }), bad({ tool_call_id: 'a' }), ok({ tool_call_id: 'a' })],
      ['0.0 succeeded: 1.0 2.0'],
    ],
    [
      'a call written twice',
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }], tool_calls: [{ id: 'a' }] },
        bad({ tool_call_id: 'a' }),
      ],
      ['0.1 failed: 1.0', '0.0 failed: 1.0'],
    ],
    ['no calls, no exchange', [{ role: 'assistant', content: 'x' }, ok({})], []],
  ])('%s', (_name, messages, expected) => {
    expect(brief(messages)).toEqual(expected);
  });
});

it('turns begin at user messages that are more than results; call points stand before assistant messages', () => {
  const result = { type: 'tool_result', tool_use_id: 'a', content: 'ok' };
  const source = transcriptOf([
    { role: 'user', content: 'q' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] },
    { role: 'user', content: [result] },
    { role: 'assistant', content: 'x' },
    { role: 'user', content: [result, { type: 'text', text: 'more' }] },
  ]);
  expect(turnStarts(source)).toEqual([0, 4]);
  expect(callPoints(source)).toEqual([1, 3, 5]);
});
