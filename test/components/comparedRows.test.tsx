// @vitest-environment happy-dom
// Rows of a comparison that the engine does not hand out: made again where it forgot them, said where it failed.
import { act } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ComparedInfo } from '../../core/protocol/compareTypes.ts';
import { PAGE, useComparedRows } from '../../renderer/compare/useCompared.ts';
import { useCursor } from '../../renderer/compare/useCursor.ts';
import { draw } from './support.tsx';

const INFO = { comparisonId: 'c1', at: 10, rows: { rows: [] } } as unknown as ComparedInfo;

function Probe({ onLost }: { readonly onLost: () => void }) {
  const rows = useComparedRows(INFO, onLost);
  const cursor = useCursor(INFO, null);
  return (
    <>
      <button type="button" onClick={() => rows.ensure(PAGE, PAGE + 1)}>
        rows
      </button>
      <button type="button" onClick={() => cursor.go('next')}>
        next
      </button>
    </>
  );
}

function drawn(code: string) {
  const fail = () => Promise.reject(Object.assign(new Error('the disk is gone'), { code, expected: true }));
  const onLost = vi.fn();
  const asked = { 'compare.rows': fail as never, 'compare.next': fail as never };
  const { app, engine, getByText } = draw(<Probe onLost={onLost} />, asked);
  const press = (text: string) => act(async () => getByText(text).click());
  const toasts = () => app.store.getState().toasts.map(({ text, detail }) => [text, detail]);
  const calls = (method: string) => engine.calls.filter((call) => call.method === method).length;
  return { onLost, press, toasts, calls };
}

describe('rows of a comparison', () => {
  it('that the engine forgot are made again, and nothing is said', async () => {
    const { onLost, press, toasts } = drawn('compare.unknown');
    await press('rows');
    await press('next');
    expect(onLost).toHaveBeenCalledOnce();
    expect(toasts()).toEqual([]);
  });

  it('that could not be read are said to be, once', async () => {
    const { onLost, press, toasts, calls } = drawn('library.damaged');
    await press('rows');
    await press('rows');
    expect(onLost).not.toHaveBeenCalled();
    expect(calls('compare.rows')).toBe(1);
    expect(toasts()).toEqual([['Some rows could not be read.', 'the disk is gone']]);
  });

  it('have a next difference, or it is said why not', async () => {
    const { press, toasts } = drawn('library.damaged');
    await press('next');
    expect(toasts()).toEqual([['The next difference was not found.', 'the disk is gone']]);
  });
});
