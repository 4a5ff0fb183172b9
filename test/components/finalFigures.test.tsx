// @vitest-environment happy-dom
// Figures that were made before all was counted and calibrated are asked for again once they are final: a plain count is
// never shown as the provider's.
import { act } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { FindingsTab } from '../../renderer/findings/FindingsTab.tsx';
import { useKeep } from '../../renderer/keep/useKeep.ts';
import { useMessageUses } from '../../renderer/uses/useMessageUses.ts';
import { draw } from './support.tsx';

const SPEC = { version: 1, stages: [] } as const;
const CHANGE = { words: 'Pin #0', patch: [], spec: SPEC, proved: true, less: [] };

/** Draws with a projection whose figures are not final, counts the questions, makes them final, and counts again. */
async function askedBeforeAndAfter(what: Parameters<typeof draw>[0], method: string, answers: object) {
  vi.useFakeTimers();
  try {
    let asked = 0;
    const counted = Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [
        name,
        () => {
          if (name === method) asked++;
          return Promise.resolve(answer);
        },
      ]),
    );
    const { app } = draw(what, counted as never);
    const show = (final: boolean) =>
      act(async () => {
        app.store.setState(({ session, projection }) => ({
          session: { ...session, id: 't' },
          projection: { ...projection, info: { spec: SPEC, final, raw: { provenance: 'exact' }, at: 3 } as never },
        }));
        await vi.advanceTimersByTimeAsync(1000);
      });
    await show(false);
    const before = asked;
    await show(true);
    return [before, asked];
  } finally {
    vi.useRealTimers();
  }
}

it('the prices of what would keep a message', async () => {
  function Probe() {
    return <p>{useKeep({ message: 0 }, SPEC).rows.length}</p>;
  }
  const found = { state: 'found', changes: [CHANGE], takers: [], useless: [], tried: 1 };
  const price = { tokensHere: 1, tokensSession: 1, costSession: null, usesSaved: 0, usesLost: 0 };
  expect(await askedBeforeAndAfter(<Probe />, 'keep.price', { 'keep.find': found, 'keep.price': price })).toEqual([
    1, 2,
  ]);
});

it('the findings of a session', async () => {
  const none = { findings: [], looksAtCache: false };
  expect(await askedBeforeAndAfter(<FindingsTab />, 'findings.session', { 'findings.session': none })).toEqual([1, 2]);
});

it('the uses of a message', async () => {
  function Probe() {
    return <p>{useMessageUses(0).value?.laterTotal}</p>;
  }
  const uses = { later: [], laterTotal: 0, laterGone: 0, earlier: [], earlierTotal: 0 };
  expect(await askedBeforeAndAfter(<Probe />, 'uses.message', { 'uses.message': uses })).toEqual([1, 2]);
});
