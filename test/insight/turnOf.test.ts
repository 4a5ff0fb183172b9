// A turn holds its messages and requests: over all turns each message, and each request that was made, is counted once.
import { expect, it } from 'vitest';
import { turnOf } from '../../core/insight/turnOf.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import { seededRng } from '../../core/util/rng.ts';

const NO_META = (): MessageMeta => ({});

it('over random sessions every message lies in one turn, and every request in that of its answer', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const rng = seededRng(seed);
    const messages = 1 + rng.below(40);
    const starts: number[] = [];
    const answers: number[] = [];
    for (let at = 0; at < messages; at++) {
      const kind = rng.below(4);
      if (kind === 0) starts.push(at);
      else if (kind < 3) answers.push(at);
    }
    const places = { messages, turnStarts: starts, callPoints: [...answers, messages] };
    for (let at = 0; at < messages; at++) {
      const turn = turnOf(places, NO_META, at);
      const begun = starts.filter((start) => start <= at);
      expect(turn?.turn ?? 0, `seed ${seed} message ${at}`).toBe(begun.length);
      if (turn === null) continue;
      const own = answers.filter((answer) => answer >= turn.from && answer < turn.to);
      expect(places.callPoints.slice(turn.calls.from, turn.calls.to), `seed ${seed} turn ${turn.turn}`).toEqual(own);
      expect([turn.from, turn.to]).toEqual([begun.at(-1), starts[begun.length] ?? messages]);
    }
    expect(turnOf(places, NO_META, messages)).toBeNull();
  }
});

it('names models and times as they are recorded, and none that is not one', () => {
  const metas: readonly MessageMeta[] = [
    { timestamp: '2026-07-26T15:00:00Z' },
    { model: '<synthetic>', timestamp: 'yesterday' },
    { model: 'claude-opus-5', timestamp: '2026-07-26T15:00:09Z' },
    { model: 'claude-opus-5' },
  ];
  const places = { messages: 4, turnStarts: [0], callPoints: [1, 2, 3, 4] };
  expect(turnOf(places, (at) => metas[at] ?? {}, 3)).toEqual({
    ...{ turn: 1, from: 0, to: 4, calls: { from: 0, to: 3 }, models: ['claude-opus-5'] },
    ...{ begins: '2026-07-26T15:00:00Z', ends: '2026-07-26T15:00:09Z' },
  });
});

it('over times in any order and zone, no message of the turn is earlier than its begin or later than its end', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const rng = seededRng(seed);
    const zone = (minute: number) =>
      rng.below(2) === 0
        ? `2026-07-26T12:${String(minute).padStart(2, '0')}:00Z`
        : `2026-07-26T14:${String(minute).padStart(2, '0')}:00+02:00`;
    const metas = Array.from({ length: 1 + rng.below(12) }, (): MessageMeta => {
      return rng.below(4) === 0 ? {} : { timestamp: zone(rng.below(60)) };
    });
    const places = { messages: metas.length, turnStarts: [0], callPoints: [metas.length] };
    const turn = turnOf(places, (at) => metas[at] ?? {}, 0);
    const times = metas.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [Date.parse(timestamp)]));
    const range = [turn?.begins, turn?.ends].map((iso) => (iso == null ? null : Date.parse(iso)));
    expect(range, `seed ${seed}`).toEqual(times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)]);
  }
});
