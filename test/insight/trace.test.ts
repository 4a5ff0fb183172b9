import { describe, expect, it } from 'vitest';
import { traceSteps } from '../../core/insight/trace.ts';
import type { Trace, TracePoint } from '../../core/insight/types.ts';
import type { Observation } from '../../core/insight/visibility.ts';

type State = TracePoint['state'];

/** Runs a trace of message `index` over a transcript with a call point at every message; counts what it looks at. */
function traced(options: {
  length: number;
  index: number;
  now?: number;
  samples?: number;
  state: (at: number) => State;
}) {
  const callPoints = Array.from({ length: options.length }, (_, i) => i + 1);
  const run = traceSteps({
    subject: { index: options.index, part: 0 },
    callPoints,
    turnStarts: [0],
    now: options.now ?? options.length,
    samples: options.samples ?? 200,
  });
  const looked: number[] = [];
  let step = run.next();
  while (!step.done) {
    looked.push(step.value);
    step = run.next(observation(step.value, options.state(step.value)));
  }
  return { trace: step.value, looked };
}

function observation(at: number, state: State): Observation {
  if (state === 'visible' || state === 'not_yet') return { state, loss: null };
  const fate = state === 'changed' ? ('redacted' as const) : ('dropped' as const);
  return { state, loss: { at, fate, stage: 0, stageTitle: 'A stage', rule: 'r', reason: 'because', replacedBy: null } };
}

const statesOf = (trace: Trace) => trace.points.map(({ state }) => state[0]).join('');

describe('a trace', () => {
  it('looks at every call point of a small transcript, and at none before the message', () => {
    const { trace, looked } = traced({ length: 10, index: 3, state: (at) => (at < 7 ? 'visible' : 'absent') });
    expect(statesOf(trace)).toBe('nnnvvvaaaa');
    expect(looked).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(trace).toMatchObject({ sampled: false, firstLoss: { at: 7, fate: 'dropped', turn: 1 }, returns: [] });
  });

  it('tells of what comes back', () => {
    const { trace } = traced({ length: 8, index: 0, state: (at) => (at === 4 || at === 6 ? 'changed' : 'visible') });
    expect(trace.returns).toEqual([5, 7]);
    expect(trace.firstLoss?.at).toBe(4);
    expect(trace.now).toEqual({ state: 'visible', loss: null });
  });

  it('finds no loss where there is none', () => {
    const { trace } = traced({ length: 8, index: 7, state: () => 'visible' });
    expect(trace.firstLoss).toBeNull();
    expect(statesOf(trace)).toBe('nnnnnnnv');
  });

  it('finds the exact first loss between samples', () => {
    const lost = 1234;
    const { trace, looked } = traced({
      length: 3000,
      index: 10,
      samples: 50,
      state: (at) => (at < lost ? 'visible' : 'changed'),
    });
    expect(trace.sampled).toBe(true);
    expect(trace.firstLoss?.at).toBe(lost);
    expect(looked.length).toBeLessThan(150);
    expect(new Set(looked).size).toBe(looked.length);
  });

  it('is lost from the start if it never was visible', () => {
    const { trace } = traced({ length: 3000, index: 10, samples: 50, state: () => 'absent' });
    expect(trace.firstLoss?.at).toBe(11);
  });

  it('looks at the call point shown, which may be none of the points', () => {
    const { trace } = traced({ length: 3000, index: 10, now: 777, samples: 20, state: () => 'absent' });
    expect(trace.now).toMatchObject({ state: 'absent', loss: { at: 777 } });
    expect(traced({ length: 30, index: 10, now: 5, state: () => 'absent' }).trace.now.state).toBe('not_yet');
  });
});
