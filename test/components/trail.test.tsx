// @vitest-environment happy-dom
// The trail of the selected message: marks on rows, words, and the keys that go along it.
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TrailPlace } from '../../core/protocol/types.ts';
import { rulerWords, trailMarksAt } from '../../renderer/ruler/marks.ts';
import { trailMarks } from '../../renderer/state/trailMarks.ts';
import type { TrailState } from '../../renderer/state/types.ts';
import { TrailChip } from '../../renderer/uses/TrailChip.tsx';
import { describeTrail } from '../../renderer/uses/trail.ts';
import { draw } from './support.tsx';

const place = (index: number, outcome: TrailPlace['outcome'], more: Partial<TrailPlace> = {}): TrailPlace => ({
  ...{ index, part: 0, outcome, kinds: ['quote'], confidence: 'certain', changed: false },
  ...more,
});

const TRAIL: TrailState = {
  of: 9,
  step: null,
  found: {
    sources: [place(2, 'elsewhere')],
    users: [place(12, 'original'), place(20, 'gone', { part: 1, kinds: ['anchor'], confidence: 'probable' })],
  },
  state: 'known',
  error: null,
};

it('says on a row what it has to do with the selected message, and whether it was in the request', async () => {
  const { app, getAllByTestId } = draw([2, 5, 12].map((index) => <TrailChip key={index} index={index} part={0} />));
  app.store.setState({ trail: TRAIL });
  await waitFor(() => expect(getAllByTestId('trail-chip')).toHaveLength(2));
  const [source, user] = getAllByTestId('trail-chip');
  expect(source?.title).toBe('Used by #9: quotes · was in the request elsewhere');
  expect(user?.title).toBe('Uses #9: quotes · was in the request');
  expect(user?.dataset).toMatchObject({ side: 'user', outcome: 'original' });
});

it('says that an outcome is not known yet while another policy is looked through', async () => {
  const { app, getByTestId } = draw(<TrailChip index={20} part={1} />);
  app.store.setState({ trail: TRAIL });
  await waitFor(() =>
    expect(getByTestId('trail-chip').title).toBe('Uses #9: names · was not in the request · probable'),
  );
  const pending: TrailState = { ...TRAIL, state: 'pending' };
  app.store.setState({ trail: pending });
  await waitFor(() => expect(getByTestId('trail-chip').dataset['outcome']).toBe('unknown'));
  expect(getByTestId('trail-chip').title).toContain('not known yet');
  expect(trailMarks(pending).map(({ outcome }) => outcome)).toEqual([null, null, null]);
  expect(describeTrail(pending)).not.toContain('not in the request');
});

it('describes a trail, and what is not known of it', () => {
  expect(describeTrail(TRAIL)).toBe('#9 relied on 1 message · 2 relied on it, 1 while it was not in the request');
  expect(describeTrail({ ...TRAIL, found: null, state: 'pending' })).toBe('Looking for uses of #9…');
  expect(describeTrail({ ...TRAIL, found: null, state: 'failed', error: 'The disk is full.' })).toContain(
    'disk is full',
  );
  const none = { sources: [], users: [] };
  expect(describeTrail({ ...TRAIL, found: none })).toBe('No use of #9 was found, nor by it');
});

it('marks beside the rows, the worst where several are in one row', () => {
  const marks = trailMarksAt([
    { row: 3, outcome: 'original' },
    { row: 3, outcome: 'gone' },
    { row: null, outcome: 'gone' },
    { row: 7, outcome: 'elsewhere' },
  ]);
  expect(marks).toEqual([
    { kind: 'use', row: 3, count: 2, outcome: 'gone' },
    { kind: 'use', row: 7, count: 1, outcome: 'elsewhere' },
  ]);
  expect(rulerWords(marks)).toBe(
    '3 on the trail of the selected message, 1 where the request did not hold it. Click to go there.',
  );
});

it('a step leaves the trail, and another selection has its own', () => {
  const { app } = draw(null);
  const select = (index: number) => app.store.setState({ selection: { kind: 'message', index, part: 0 } });
  select(9);
  expect(app.store.getState().trail).toMatchObject({ of: 9, step: null, found: null, state: 'pending' });
  app.store.setState({ trail: TRAIL });
  void app.actions.stepTrail(1);
  expect(app.store.getState().trail).toMatchObject({ of: 9, step: 12 });
  select(12);
  expect(app.store.getState().trail).toMatchObject({ of: 9, step: 12 });
  void app.actions.stepTrail(1);
  expect(app.store.getState().trail.step).toBe(20);
  select(20);
  void app.actions.stepTrail(1);
  expect(app.store.getState().toasts.at(-1)?.text).toBe('No later use on the trail of #9.');
  select(5);
  expect(app.store.getState().trail).toMatchObject({ of: 5, step: null, found: null });
  app.store.setState({ selection: null });
  expect(app.store.getState().trail).toMatchObject({ of: null, found: null });
});
