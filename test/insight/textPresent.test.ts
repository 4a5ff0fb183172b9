import { describe, expect, it } from 'vitest';
import { type AskedPlace, presenceSteps } from '../../core/insight/text/present.ts';
import { project } from '../../core/projection/project.ts';
import { textPattern } from '../../core/util/textPattern.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

const said = (role: string, content: unknown) => ({ role, content });

const SOURCE = transcriptOf([
  said('user', 'first question'),
  said('user', 'second in a row'),
  said('assistant', [
    { type: 'text', text: '  ' },
    { type: 'text', text: 'look' },
  ]),
  said('user', 'the word is heliotrope'),
  said('assistant', 'fine'),
]);
const HYGIENE = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };
const SUMMARY = { policy: 'summary_prefix', keep_last: 1, summary: 'They said: second in a row.' };

function presence(spec: unknown, places: readonly AskedPlace[], text?: string, at = SOURCE.length): readonly string[] {
  const { view } = project(SOURCE, stagesOf(spec), at);
  const pattern = text === undefined ? null : textPattern(text);
  const steps = presenceSteps({ source: SOURCE, view, at, places, pattern, inFront: false });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

const all = [0, 1, 2, 3, 4].map((index) => ({ index, part: null }));

describe('whether the words of places stand in a request', () => {
  it('as they are, merged, and without a blank block', () => {
    expect(presence(HYGIENE, all)).toEqual(['here', 'here', 'here', 'here', 'here']);
    expect(
      presence(HYGIENE, [
        { index: 2, part: 0 },
        { index: 2, part: 1 },
      ]),
    ).toEqual(['gone', 'here']);
    expect(presence(HYGIENE, [{ index: 2, part: 1 }], 'look')).toEqual(['here']);
  });

  it('in a summary only, not at all, and said later', () => {
    expect(presence(SUMMARY, all)).toEqual(['gone', 'elsewhere', 'gone', 'gone', 'here']);
    expect(presence(SUMMARY, all, 'second  in')).toEqual(all.map(() => 'elsewhere'));
    expect(presence(SUMMARY, all, 'heliotrope')).toEqual(all.map(() => 'gone'));
    expect(presence('raw', all, undefined, 3)).toEqual(['here', 'here', 'here', 'after', 'after']);
    expect(presence('raw', [{ index: 99, part: 0 }])).toEqual(['after']);
  });
});
