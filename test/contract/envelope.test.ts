import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodeEnvelope, parseEnvelope } from '../../core/protocol/envelope.ts';

const error = z.object({
  code: z.string(),
  message: z.string(),
  expected: z.boolean(),
  cause: z.string().exactOptional(),
});

/** What an envelope is, said by a schema: the oracle of the reader, which is written by hand. */
const ENVELOPE = z.union([
  z.object({ type: z.literal('request'), id: z.number(), method: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('response'), id: z.number(), error }),
  z.object({ type: z.literal('response'), id: z.number(), result: z.unknown() }),
  z.object({ type: z.literal('event'), event: z.string(), payload: z.unknown() }),
  z.object({ type: z.literal('hello'), protocol: z.number() }),
]);

function bySchema(text: string): unknown {
  const parsed = ENVELOPE.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

const any = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue());
const wrong = <T>(right: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: any });
const failure = fc.record(
  { code: wrong(fc.string()), message: wrong(fc.string()), expected: wrong(fc.boolean()), cause: wrong(fc.string()) },
  { requiredKeys: [] },
);
const envelope = fc.record(
  {
    type: wrong(fc.constantFrom('request', 'response', 'event', 'hello')),
    id: wrong(fc.integer()),
    method: wrong(fc.string()),
    params: any,
    error: wrong(failure),
    result: any,
    event: wrong(fc.string()),
    payload: any,
    protocol: wrong(fc.integer()),
    __proto__: any,
    more: any,
  },
  { requiredKeys: ['type'] },
);

describe('an envelope', () => {
  it('is read as the schema would read it, whatever arrives', () => {
    let read = 0;
    fc.assert(
      fc.property(envelope, (value) => {
        const text = JSON.stringify(value);
        const expected = bySchema(text);
        if (expected !== null) read++;
        expect(parseEnvelope(text)).toEqual(expected);
      }),
      { numRuns: 5000, seed: 11 },
    );
    expect(read).toBeGreaterThan(1000);
  });

  it.each([
    ['no text', 7],
    ['no JSON', '{'],
    ['no object', '[{"type":"hello","protocol":1}]'],
    ['a number no double holds', '{"type":"hello","protocol":1e999}'],
    ['a response with neither', '{"type":"response","id":1}'],
    ['an event without a payload', '{"type":"event","event":"job"}'],
    ['another type', '{"type":"constructor"}'],
  ])('is not %s', (_what, message) => {
    expect(parseEnvelope(message)).toBeNull();
  });

  it('comes back as it was sent', () => {
    const refused = { type: 'response', id: 3, error: { code: 'a.b', message: 'no', expected: true } } as const;
    expect(parseEnvelope(encodeEnvelope(refused))).toEqual(refused);
    const asked = { type: 'request', id: 4, method: 'engine.info', params: {} } as const;
    expect(parseEnvelope(encodeEnvelope(asked))).toEqual(asked);
  });
});
