// A title is the first words of a session, cut off. What is cut within a secret still begins as it does.
import { expect, test } from 'vitest';
import { titleOf } from '../../core/importers/reading/shared.ts';
import { Scrubber, type ScrubOptions } from '../../core/scrub/scrubber.ts';
import { seededRng } from '../../core/util/rng.ts';
import { fillTemplate } from '../support/vectors/secrets.ts';

const SAID = [
  'key is sk-ant-api03-{AN40}{AN40}, use it',
  'the token is ghp_{AN36}, use it',
  'take DB_PASSWORD=Q{AN20}, all of it',
  'clone https://bot:{AN20}@git.acme.io/a.git now',
  'my mail is w{HEX8}.{HEX6}@firm.io, write there',
  'all is in /home/zq{HEX8}/work, see there',
  'connect to 81.2.69.142 and log in there',
];
/** A title holds so many characters before the sign that it is cut off. */
const TITLE = 79;
/** So few characters of a value say nothing of it. */
const FEW = 3;

/** The title of a session that begins with this text, as it leaves, and as it was. */
function titled(text: string, options: ScrubOptions = {}): { readonly was: string; readonly leaves: string } {
  const was = titleOf(text) ?? '';
  const [front, message] = [JSON.stringify({ title: was }), JSON.stringify({ role: 'user', content: text })];
  const scrubber = new Scrubber(options);
  for (const json of [front, message]) scrubber.learn(json);
  const { title }: { title: string } = JSON.parse(scrubber.mask(front));
  return { was, leaves: title };
}

/** How much of a value stands at the end of a title. */
function leftOf(title: string, value: string): number {
  const said = title.replace(/…$/, '');
  const lengths = Array.from({ length: value.length }, (_, at) => value.length - at);
  return lengths.find((length) => said.endsWith(value.slice(0, length))) ?? 0;
}

function valueIn(text: string): string {
  const scrubber = new Scrubber();
  const json = JSON.stringify({ role: 'user', content: text });
  scrubber.learn(json);
  const [value, ...others] = scrubber.found(json).flatMap(({ found }) => found);
  if (value === undefined || others.length > 0) throw new Error(`not one finding in ${text}`);
  return value.value;
}

test.each(SAID)('%s', (template) => {
  const rng = seededRng(31);
  for (let round = 0; round < 5; round++) {
    const { text: said, drawn } = fillTemplate(template, rng);
    const value = valueIn(said);
    // What a vendor writes before its tokens is no secret, and stays.
    const few = FEW + Math.max(0, value.indexOf(drawn[0] ?? value));
    const before = said.slice(0, said.indexOf(value));
    for (let kept = 1; kept <= Math.min(value.length, TITLE - before.length); kept++) {
      const text = `${'a '.repeat(TITLE).slice(0, TITLE - before.length - kept)}${before}${said.slice(before.length)} and so on`;
      const { was, leaves } = titled(text);
      expect(leftOf(was, value)).toBe(kept);
      expect([leaves, leftOf(leaves, value) > few]).toEqual([leaves, false]);
      expect(leaves).toHaveLength(was.length);
    }
  }
});

test('what is decided about a value holds for its beginning', () => {
  const text = `${'a '.repeat(28)} the password: canyonquartz868 and all that follows it here`;
  expect(titled(text)).toEqual({
    was: expect.stringMatching(/canyonqua…$/),
    leaves: expect.stringMatching(/canyonqua…$/),
  });
  expect(titled(text, { choices: { maskCandidates: true } }).leaves).not.toMatch(/canyon/);
  const key = `${'a '.repeat(28)} the token ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA2cD4 and so on`;
  expect(titled(key).leaves).not.toMatch(/ghp_aB3/);
  expect(titled(key, { choices: { keep: new Set(['secret']) } }).leaves).toMatch(/ghp_aB3/);
});
