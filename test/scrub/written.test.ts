// Whatever is masked, what is written is JSON of the same build: also where a value has signs that JSON escapes.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ownDetector } from '../../core/scrub/own.ts';
import { Scrubber, type ScrubOptions } from '../../core/scrub/scrubber.ts';
import { seededRng } from '../../core/util/rng.ts';
import { fillTemplate } from '../support/vectors/secrets.ts';

const ODD = ['"', '\\', '\n', '\t', '\u0000', '\u2028', '/', 'é', '😀', ' ', '&quot;', '%22', '\\n', '\\"'];

function masked(message: unknown, options: ScrubOptions = {}): unknown {
  const json = JSON.stringify(message);
  const scrubber = new Scrubber(options);
  scrubber.learn(json);
  const written = scrubber.mask(json);
  expect(written).not.toBe(json);
  return JSON.parse(written);
}

/** Strings as their lengths: what is written has as many units as what was there. */
function buildOf(value: unknown): unknown {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.map(buildOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, buildOf(each)]));
}

test.each([
  ['encrypted content', (text: string) => ({ type: 'reasoning', encrypted_content: text })],
  ['redacted thinking', (text: string) => ({ type: 'redacted_thinking', data: text })],
  ['a signature of edited thinking', (text: string) => thinking(text)],
  ['encrypted content, a layer down', (text: string) => ({ content: [{ encrypted_stdout: text, type: 'x' }] })],
])('%s', (_, messageOf) => {
  const rng = seededRng(21);
  for (let round = 0; round < 40; round++) {
    const odd = Array.from({ length: 6 }, () => `${fillTemplate('{AN8}', rng).text}${rng.pick(ODD)}`).join('');
    const message = messageOf(`${odd}${odd}`);
    expect(buildOf(masked(message)), JSON.stringify(message)).toEqual(buildOf(message));
  }
});

function thinking(signature: string): unknown {
  return {
    type: 'thinking',
    thinking: `in /home/mirandak, with ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA2cD4'}`,
    signature,
  };
}

test('own words and expressions with signs that are escaped, more of them than there are others of their length', () => {
  const detector = ownDetector({ words: [], patterns: ['"[0-9]"', 'q\\n[0-9]', '\\\\w[0-9]'] });
  if (!detector.ok) throw new Error(detector.error);
  const digits = Array.from('0123456789');
  const message = {
    content: digits.map((digit) => `say "${digit}" or q\n${digit} or \\w${digit} or &quot;${digit}&quot;`),
  };
  const written = z.object({ content: z.array(z.string()) }).parse(masked(message, { detectors: [detector.value] }));
  expect(new Set(written.content).size).toBe(10);
  for (const [at, line] of message.content.entries()) {
    for (const [nth, word] of line.split(' or ').entries())
      expect(written.content[at]?.split(' or ')[nth]).not.toBe(word);
  }
});
