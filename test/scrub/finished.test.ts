import { expect, test } from 'vitest';
import { leakPlace, leaksIn } from '../../core/scrub/finished.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';
import { seededRng } from '../../core/util/rng.ts';
import { fillTemplate } from '../support/vectors/secrets.ts';

function leaks(scrubber: Scrubber, text: string): readonly string[] {
  const steps = leaksIn(scrubber, text);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value.map((leak) => `${leak.kind} at ${leakPlace(leak)}`);
  }
}

test('what was not masked is found in the finished bytes, with its place and without its value; stand-ins are not', () => {
  const token = fillTemplate('ghp_{AN36}', seededRng(2)).text;
  const message = JSON.stringify({ role: 'user', content: `see ${token} in /home/mirandak` });
  const scrubber = new Scrubber();
  scrubber.learn(message);
  const masked = scrubber.mask(message);
  const finished = (...texts: string[]) => `{"raw":{"messages":[${texts.join(',')}]}}`;
  expect(leaks(scrubber, finished(masked))).toEqual([]);
  const nested = JSON.stringify({ role: 'tool', content: JSON.stringify({ out: `\n${token}` }) });
  expect(leaks(scrubber, finished(masked, nested))).toEqual(['github_token at raw.messages[1].content']);
});

// A stand-in of one kind may read as a token of another; the export would be stopped for nothing.
test.each(['dop_v1_{HEX64}', 'lsv2_pt_{HEX32}_{HEX10}', 'hvs.{AN90}', 'M{AN23}.{AN6}.{AN27}', 'r8_{AN37}'])(
  'stand-ins are what is left of nothing: %s',
  (template) => {
    const rng = seededRng(4);
    const texts = Array.from({ length: 600 }, () => `use ${fillTemplate(template, rng).text} now`);
    const message = JSON.stringify({ role: 'user', content: texts });
    const scrubber = new Scrubber();
    scrubber.learn(message);
    expect(leaks(scrubber, scrubber.mask(message))).toEqual([]);
  },
);

test('what replaces encrypted content is not searched: its signs are those of the content', () => {
  const rng = seededRng(5);
  const messages = Array.from({ length: 50 }, () => {
    const text = fillTemplate('for fixture postgres://admin:{AN18}@db.example.com:5432/app of {AN40}', rng).text;
    return JSON.stringify({ type: 'reasoning', encrypted_content: text });
  });
  const scrubber = new Scrubber();
  for (const message of messages) scrubber.learn(message);
  for (const message of messages) expect(leaks(scrubber, scrubber.mask(message))).toEqual([]);
});
