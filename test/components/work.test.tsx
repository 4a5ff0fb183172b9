// @vitest-environment happy-dom
// What is computed for a screen that waits for it stands in the status line, for as long as it is.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CompactionsMode } from '../../renderer/compactions/CompactionsMode.tsx';
import { StatusLine } from '../../renderer/status/StatusLine.tsx';
import { draw } from './support.tsx';

it('says that compactions are looked at until they are, or nobody looks any more', async () => {
  const answers: ((found: never) => void)[] = [];
  const drawn = draw(<CompactionsMode />, {
    'autopsy.session': () => new Promise((resolve) => void answers.push(resolve as (found: never) => void)),
  });
  const { store } = drawn.app;
  const work = () => Object.values(store.getState().work).map(({ text }) => text);
  const project = (spec: string) =>
    store.setState(({ session, projection }) => ({
      session: { ...session, id: 'mock' },
      projection: { ...projection, info: { spec: [spec], final: true } as never },
    }));
  project('raw');
  drawn.redraw(<CompactionsMode />);
  await expect.poll(work).toEqual(['looking at compactions']);
  answers[0]?.({ compactions: [], more: false, provenance: 'exact' } as never);
  await expect.poll(work).toEqual([]);
  project('hygiene');
  await expect.poll(work).toEqual(['looking at compactions']);
  drawn.redraw(<p />);
  await expect.poll(work).toEqual([]);
});

it('says how far a sweep is, whatever screen is shown', async () => {
  const { app, engine } = draw(<StatusLine />);
  app.store.setState(({ library }) => ({ library: { ...library, transcripts: [], error: null } }));
  const activity = () => screen.getByTestId('status-activity').textContent;
  const said = (state: 'running' | 'done', points: number, size: number | null) =>
    engine.emit('tune', { sweepId: 's', state, points, size });
  said('running', 0, null);
  await expect.poll(activity).toBe('trying values…');
  said('running', 40, 120);
  await expect.poll(activity).toBe('trying values 40 of 120');
  said('done', 120, 120);
  await expect.poll(activity).toBe('idle');
});
