import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractPayloads, payloadText, restoreAt } from '../../core/store/transcript/payloads.ts';

/** Bytes that look like no run of one thing, the same for the same seed. */
function noise(seed: number, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let i = 0; i * 32 < length; i++) blocks.push(createHash('sha256').update(`${seed}/${i}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}

function roundTrip(text: string): string {
  const { rest, payloads } = extractPayloads(text);
  const places = payloads.map(({ start, bytes, encoding }) => ({ start, text: payloadText(bytes, encoding) }));
  return restoreAt(rest, places);
}

const PAYLOAD = noise(1, 1200);

describe('taking payloads out', () => {
  const base64 = PAYLOAD.toString('base64');
  const found: readonly [what: string, text: string, mime: string | null, encoding: string][] = [
    ['Anthropic', `{"source":{"type":"base64","media_type":"image/png","data":"${base64}"}}`, 'image/png', 'base64'],
    ['white space', `{ "data" :\n "${base64}", "mimeType" : "audio/wav" }`, 'audio/wav', 'base64'],
    ['a data URL', `{"image_url":{"url":"data:image/webp;base64,${base64}"}}`, 'image/webp', 'base64'],
    ['base64url', `{"data":"${noise(2, 1201).toString('base64url')}"}`, null, 'base64url'],
    ['escaped slashes', `{"data":"${base64.replaceAll('/', '\\/')}"}`, null, 'raw'],
    ['wrong padding', `{"data":"${base64}="}`, null, 'raw'],
  ];
  test.each(found)('finds %s', (_what, text, mime, encoding) => {
    const { rest, payloads } = extractPayloads(text);
    expect(payloads).toHaveLength(1);
    expect(payloads[0]).toMatchObject({ mime, encoding });
    expect(rest.length).toBe(text.length - payloads[0]!.length);
    expect(() => JSON.parse(rest)).not.toThrow();
    expect(roundTrip(text)).toBe(text);
  });

  const left: readonly [what: string, text: string][] = [
    ['short strings', `{"data":"${base64.slice(0, 900)}"}`],
    ['other keys', `{"signature":"${base64}"}`],
    ['text that is no base64', `{"data":"${'not base64. '.repeat(200)}"}`],
    ['a string that does not end', `{"data":"${base64}`],
  ];
  test.each(left)('leaves %s', (_what, text) => {
    expect(extractPayloads(text)).toEqual({ rest: text, payloads: [] });
  });

  test('stores decoded bytes', () => {
    expect(extractPayloads(`{"data":"${base64}"}`).payloads[0]!.bytes.equals(PAYLOAD)).toBe(true);
  });
});

test('what is taken out comes back exactly, whatever it was', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"data":"', '"data": "', '"', '=', '==', '\\/', '\\n', '"data:image/png;base64,', '","data":"'),
    fc.tuple(fc.nat(50), fc.integer({ min: 600, max: 2500 })).map(([seed, n]) => noise(seed, n).toString('base64')),
    fc.tuple(fc.nat(50), fc.integer({ min: 600, max: 2500 })).map(([seed, n]) => noise(seed, n).toString('base64url')),
  );
  const whole = fc
    .tuple(piece, fc.constantFrom('"data":"', '"data:image/png;base64,'), piece)
    .map(([a, b, c]) => `${a}${b}${c}"`);
  let taken = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, whole), { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      taken += extractPayloads(text).payloads.length;
      expect(roundTrip(text)).toBe(text);
    }),
    { seed: 20_261, numRuns: 1500 },
  );
  expect(taken).toBeGreaterThan(100);
});
