// Whether requests hold a message: what was merged or moved is there where it stands. Along the call points as in a
// projection at each of them.
import { describe, expect, it } from 'vitest';
import { StateFollower } from '../../core/insight/followed.ts';
import { observe } from '../../core/insight/visibility.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { noHost } from '../support/textTrace.ts';

const said = (role: string, content: unknown) => ({ role, content });
const HYGIENE = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };

const DIRTY = transcriptOf([
  said('user', 'first question'),
  said('user', 'second in a row'),
  said('assistant', [
    { type: 'text', text: '  ' },
    { type: 'text', text: 'look' },
    { type: 'tool_use', id: 'call|1', name: 'read', input: { path: 'a' } },
  ]),
  said('user', [{ type: 'tool_result', tool_use_id: 'call|1', content: 'the file' }]),
  said('assistant', 'done'),
]);

function stateOf(source: TranscriptSource, spec: unknown, index: number, part: number | null): string {
  return observe(source, project(source, stagesOf(spec), source.length), { index, part }).state;
}

describe('a message stands in the request', () => {
  it.each<[string, number, number | null, string]>([
    ['it was merged into', 0, null, 'visible'],
    ['merged into another', 1, null, 'visible'],
    ['merged into another, its part', 1, 0, 'visible'],
    ['without its blank part', 2, null, 'visible'],
    ['a blank part', 2, 0, 'absent'],
    ['the part behind a blank one', 2, 1, 'visible'],
    ['a call with another id', 2, 2, 'visible'],
    ['a result with another id', 3, null, 'visible'],
    ['as it was', 4, null, 'visible'],
  ])('%s', (_what, index, part, expected) => {
    expect(stateOf(DIRTY, HYGIENE, index, part)).toBe(expected);
  });

  it('changed, or not at all', () => {
    const source = transcriptOf([
      said('user', 'q'),
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'x'.repeat(900) },
      said('assistant', 'a'),
      said('user', 'r'),
      said('assistant', 'b'),
    ]);
    const gc = { policy: 'reachability_gc', root_window: 1, min_chars: 20 };
    expect(stateOf(source, gc, 2, null)).toBe('changed');
    expect(stateOf(source, { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] }, 0, null)).toBe(
      'absent',
    );
  });
});

describe('along the call points as in a projection at each', () => {
  const specs = presetsFor(PRESETS, true).map(({ name, spec }) => [name, spec] as const);
  it.each(specs)('%s', (name, spec) => {
    const stages = stagesOf(spec);
    for (let seed = 1; seed <= 3; seed++) {
      const shape = SHAPES[seed % SHAPES.length] ?? 'mixed';
      const source = memorySource(randomTranscript({ seed, turns: 6, shape, broken: seed === 2, signed: true }));
      const rng = seededRng(seed + name.length);
      const memo = createMemo();
      for (let n = 0; n < 6; n++) {
        const index = rng.below(source.length);
        const parts = source.facts(index).parts.length;
        const subject = { index, part: parts === 0 || rng.chance() ? null : rng.below(parts) };
        const follower = new StateFollower(source, subject);
        const points = callPoints(source).filter((at) => at > index);
        const run = followCallPoints(
          { source, stages, points, options: { memo } },
          (point) => [point.at, follower.at(point)] as const,
        );
        let step = run.next(null);
        while (step.done !== true) {
          if (step.value.kind === 'point') {
            const [at, state] = step.value.figures;
            const expected = observe(source, project(source, stages, at, { memo }), subject).state;
            expect(state, `${name} ${shape} ${seed} #${index}.${subject.part} at ${at}`).toBe(expected);
          }
          step = run.next(step.value.kind === 'effect' ? noHost(step.value.effect) : null);
        }
      }
    }
  });
});
