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
