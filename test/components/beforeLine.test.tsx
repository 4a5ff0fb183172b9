// @vitest-environment happy-dom
// The dashed line of a try: where it cannot be drawn, that is said.
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { EngineError } from '../../core/protocol/client.ts';
import { BeforeLine } from '../../renderer/keep/BeforeLine.tsx';
import { layOut } from '../../renderer/ui/chart.ts';
import { draw } from './support.tsx';

const POINT = { at: 2, turn: 1, byCategory: [10, 0, 0, 0, 0, 0, 0, 0] };

it('says that it is not known where the requests before the try cannot be followed', async () => {
  const { app, container } = draw(
    <svg>
      <title>chart</title>
      <BeforeLine chart={layOut([POINT], 400, null)} />
    </svg>,
    {
      'compare.along'() {
        throw new EngineError({ code: 'engine.fault', message: 'the disk is gone', expected: false });
      },
    },
  );
  await app.actions.open('p0');
  await waitFor(() => expect(app.store.getState().projection.info).not.toBeNull());
  const { spec } = app.store.getState().projection;
  app.actions.setTried({ words: 'Pin #1', base: spec, after: JSON.stringify(spec.stages), stages: [], subject: null });
  await waitFor(() =>
    expect(app.store.getState().toasts.map(({ text }) => text)).toEqual(['The line before the try is not known.']),
  );
  expect(container.querySelector('[data-testid="before-line"]')).toBeNull();
});
