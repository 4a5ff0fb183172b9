// What a text's follower searches, and when: a call point at which a thousand texts are new delays no click.
import { expect, it } from 'vitest';
import { TextFollower } from '../../core/insight/text/follow.ts';
import { callPoints } from '../../core/model/turns.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { textPattern } from '../../core/util/textPattern.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

/** Blank answers between questions: hygiene merges the questions, so that each call point brings texts it made. */
const SOURCE = transcriptOf(
  Array.from({ length: 30 }, (_, nth) =>
    nth % 3 === 2
      ? { role: 'assistant', content: `answer ${nth}` }
      : { role: 'user', content: `say heliotrope ${nth}` },
  ),
);
const SPEC = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };

it('texts that are new at a call point are searched one between pauses, and none when it is taken', () => {
  const pattern = textPattern('heliotrope');
  if (pattern === null) throw new Error('no text');
  let searched = 0;
  const counting = {
    ...pattern,
    mayStandIn(json: string) {
      searched++;
      return pattern.mayStandIn(json);
    },
  };
  const raw = { first: null, messages: new Map(), named: [], parts: 0 };
  const query = { pattern: counting, finder: null };
  const text = { query, raw, inFront: false, anchors: new Set<number>() };
  const follower = new TextFollower({ ...text, anchorsInFront: [] });
  const between: number[] = [];
  const look = function* (point: Parameters<TextFollower['look']>[0]) {
    for (const _ of follower.look(point)) {
      between.push(searched);
      searched = 0;
      yield;
    }
  };
  const taken: number[] = [];
  const input = { source: SOURCE, stages: stagesOf(SPEC), points: callPoints(SOURCE) };
  const take = (point: Parameters<TextFollower['take']>[0]) => {
    searched = 0;
    follower.take(point);
    taken.push(searched);
  };
  const run = followCallPoints(input, take, look);
  for (let step = run.next(null); step.done !== true; step = run.next(null));
  expect(between.length).toBeGreaterThan(5);
  expect(Math.max(...between)).toBe(1);
  expect(taken).toEqual(callPoints(SOURCE).map(() => 0));
});
