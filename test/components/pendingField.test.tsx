// @vitest-environment happy-dom
// What is pending is a text, or entries in a list: each is shown, and none is lost by an edit of another.
import { fireEvent } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ParamSchema } from '../../core/view/types.ts';
import { PendingField } from '../../renderer/context/PendingField.tsx';
import { useAppState } from '../../renderer/state/context.tsx';
import { PENDING_ENTRIES } from '../support/pendingEntries.ts';
import { draw } from './support.tsx';

const PARAM: ParamSchema = { name: 'pending', type: 'text', default: null, help: '' };

function Field() {
  const stage = useAppState((state) => state.projection.spec.stages[0]);
  return stage === undefined ? null : <PendingField stage={stage} at={0} param={PARAM} />;
}

function drawn(pending: unknown) {
  const all = draw(<Field />);
  all.app.store.setState(({ projection }) => ({
    projection: { ...projection, spec: { version: 1, stages: [{ kind: 'context_policy', options: { pending } }] } },
  }));
  all.redraw(<Field />);
  const given = () => all.app.store.getState().projection.spec.stages[0]?.options?.pending;
  return { ...all, given };
}

it('shows every entry with what it is, and edits the words of one alone', () => {
  const { getAllByTestId, getByLabelText, given } = drawn(PENDING_ENTRIES);
  const labels = getAllByTestId('pending-entry').map((entry) => entry.querySelector('.mono')?.textContent);
  expect(labels).toEqual(['call look', 'call look', 'result', 'result', 'system', 'user']);
  fireEvent.change(getByLabelText('Pending 6, user'), { target: { value: 'And now?' } });
  const last = { kind: 'message', payload: { content: 'And now?' }, refs: { request_id: 'r9' } };
  expect(given()).toEqual([...PENDING_ENTRIES.slice(0, 5), last]);
});

it('a text becomes a message of a list when another is added, and a text again when it is alone', () => {
  const { getByTestId, getByLabelText, given, app } = drawn('So?');
  fireEvent.click(getByTestId('pending-add'));
  fireEvent.change(getByLabelText('Pending 2, user'), { target: { value: 'Or so?' } });
  expect(given()).toEqual(
    ['So?', 'Or so?'].map((content) => ({ kind: 'message', payload: { role: 'user', content } })),
  );
  fireEvent.click(getByLabelText('Remove Pending 2, user'));
  expect(given()).toBe('So?');
  app.actions.undoSpec();
  expect(given()).toHaveLength(2);
});
