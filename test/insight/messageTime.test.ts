import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageTime } from '../../core/insight/messageTime.ts';
import { requestSpan, type TimedMessages } from '../../core/insight/requestSpan.ts';
import { readMessage } from '../../core/model/readMessage.ts';

type Kind = 'user' | 'assistant' | 'result';

const MESSAGE: Readonly<Record<Kind, unknown>> = {
  user: { role: 'user', content: 'x' },
  assistant: { role: 'assistant', content: 'x', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
  result: { role: 'tool', tool_call_id: 'c', content: 'x' },
};

/** Messages, each some seconds after the one before; null = without a time. */
function session(messages: readonly (readonly [Kind, number | null])[]): TimedMessages {
  let now = Date.UTC(2026, 0, 1);
  const stamps = messages.map(([, seconds]) => {
    if (seconds === null) return undefined;
    now += seconds * 1000;
    return new Date(now).toISOString();
  });
  const facts = (index: number) => readMessage(MESSAGE[messages[index]?.[0] ?? 'user']);
  return {
    length: messages.length,
    isAnswer: (index) => facts(index).role === 'assistant',
    beginsTurn: (index) => facts(index).beginsTurn,
    hasResults: (index) => facts(index).parts.some(({ kind }) => kind === 'tool_result'),
    timestamp: (index) => stamps[index],
  };
}

describe('how long a message took', () => {
  it('is since its request, its call, or what came before a person wrote', () => {
    const messages = session([
      ['user', 0],
      ['assistant', 3],
      ['result', 7],
      ['result', 2],
      ['assistant', 4],
      ['user', 60],
      ['assistant', 1],
    ]);
    expect(Array.from({ length: 7 }, (_, index) => messageTime(messages, index))).toEqual([
      null,
      { kind: 'answer', ms: 3000 },
      { kind: 'tool', ms: 7000 },
      { kind: 'tool', ms: 9000 },
      { kind: 'answer', ms: 4000 },
      { kind: 'person', ms: 60_000 },
      { kind: 'answer', ms: 1000 },
    ]);
  });

  it('is not told where a time is missing', () => {
    const messages = session([
      ['user', null],
      ['assistant', null],
      ['result', 3],
      ['assistant', null],
    ]);
    expect([0, 1, 2, 3].map((index) => messageTime(messages, index))).toEqual([null, null, null, null]);
  });

  it('is what the lane of the chart shows', () => {
    const kind = fc.constantFrom<Kind>('user', 'assistant', 'result');
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, fc.integer({ min: 0, max: 90 })), { maxLength: 24 }), (all) => {
        const messages = session(all);
        let before: number | null = null;
        for (let at = 0; at < all.length; at++) {
          if (all[at]?.[0] !== 'assistant') continue;
          const span = requestSpan(messages, before, at);
          const times = Array.from({ length: at - (before ?? -1) }, (_, n) =>
            messageTime(messages, (before ?? -1) + 1 + n),
          );
          const longest = (of: string) => Math.max(-1, ...times.flatMap((one) => (one?.kind === of ? [one.ms] : [])));
          expect(longest('answer')).toBe(span?.took ?? -1);
          expect(longest('tool')).toBe(span?.tools ?? -1);
          before = at;
        }
      }),
    );
  });
});
