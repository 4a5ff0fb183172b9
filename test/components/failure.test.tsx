// @vitest-environment happy-dom
// What fails is kept to its part, is said, and its details can be copied.
import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Overlays } from '../../renderer/app/Overlays.tsx';
import { Toasts } from '../../renderer/app/Toasts.tsx';
import { useFailures } from '../../renderer/app/useFailures.ts';
import { FailureBoundary } from '../../renderer/ui/FailureBoundary.tsx';
import { lazily, loadAhead } from '../../renderer/ui/lazily.tsx';
import { draw } from './support.tsx';

let copied = '';

/** A list of transcripts that fails when it is drawn. */
const BROKEN: never[] = new Proxy([], {
  get: (list, key) => {
    if (key === 'slice') throw new TypeError('no such list');
    return key === 'length' ? 1 : Reflect.get(list, key);
  },
});

beforeEach(() => {
  copied = '';
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    copied = text;
  });
});
afterEach(() => vi.restoreAllMocks());

function Part({ fails }: { readonly fails: boolean }) {
  if (fails) throw new TypeError('no such field');
  return <p>all well</p>;
}

describe('a part that fails', () => {
  const drawn = (fails: boolean, shown = 1) => (
    <>
      <FailureBoundary what="This tab" shown={shown}>
        <Part fails={fails} />
      </FailureBoundary>
      <p>the rest</p>
    </>
  );

  it('leaves the rest alone, and its details can be copied', async () => {
    const { getByText, getByRole } = draw(drawn(true));
    expect(getByText('the rest')).toBeTruthy();
    expect(getByRole('alert').textContent).toContain('This tab could not be shown.');
    await act(async () => fireEvent.click(getByText('Copy details')));
    expect(copied).toMatch(/TypeError: no such field\nwhere: This tab\n/);
    expect(copied).toMatch(/components:\s+at Part/);
  });

  it('is drawn again when asked, and when something else is shown', () => {
    const { getByText, queryByText, redraw } = draw(drawn(true));
    redraw(drawn(false));
    expect(queryByText('all well')).toBeNull();
    fireEvent.click(getByText('Try again'));
    expect(getByText('all well')).toBeTruthy();
    redraw(drawn(true));
    expect(queryByText('all well')).toBeNull();
    redraw(drawn(false, 2));
    expect(getByText('all well')).toBeTruthy();
  });
});

function Window() {
  useFailures();
  return <Toasts />;
}

describe('an error that nothing caught', () => {
  it('is said, with details to copy', async () => {
    const { getByText } = draw(<Window />);
    const error = new Error('out of luck');
    act(() => void window.dispatchEvent(new ErrorEvent('error', { error, message: error.message })));
    expect(getByText('out of luck')).toBeTruthy();
    fireEvent.click(getByText('Copy details'));
    expect(copied).toContain('Error: out of luck');
  });

  it('shows its details where the clipboard is refused, and tells of no further error', async () => {
    vi.mocked(navigator.clipboard.writeText).mockRejectedValue(new Error('Document is not focused'));
    const { getByText, queryByText } = draw(<Window />);
    const error = new Error('out of luck');
    act(() => void window.dispatchEvent(new ErrorEvent('error', { error, message: error.message })));
    await act(async () => fireEvent.click(getByText('Copy details')));
    expect(getByText(/Could not copy/)).toBeTruthy();
    expect(getByText(/where: window/)).toBeTruthy();
    expect(queryByText('Document is not focused')).toBeNull();
  });

  it('of a promise is said too', () => {
    const { getByText } = draw(<Window />);
    const event = Object.assign(new Event('unhandledrejection'), { reason: new Error('nobody waits') });
    act(() => void window.dispatchEvent(event));
    expect(getByText('nobody waits')).toBeTruthy();
  });

  it('is passed over where nothing failed', () => {
    const { queryByTestId } = draw(<Window />);
    const message = 'ResizeObserver loop completed with undelivered notifications.';
    act(() => void window.dispatchEvent(new ErrorEvent('error', { message })));
    expect(queryByTestId('toast')).toBeNull();
  });
});

describe('an overlay that fails', () => {
  it('leaves the window alone, says so, and can be opened again', async () => {
    const { app, container, getByText, queryByText } = draw(
      <>
        <p>the window</p>
        <Overlays />
      </>,
    );
    act(() => app.store.setState({ library: { ...app.store.getState().library, transcripts: BROKEN } }));
    act(() => app.actions.openDialog({ kind: 'palette' }));
    expect(getByText('The palette could not be shown.')).toBeTruthy();
    expect(container.textContent).toContain('the window');
    await act(async () => fireEvent.click(getByText('Copy details')));
    expect(copied).toContain('where: The palette');
    act(() => app.actions.openDialog(null));
    act(() => app.store.setState({ library: { ...app.store.getState().library, transcripts: [] } }));
    act(() => app.actions.openDialog({ kind: 'palette' }));
    expect(queryByText('The palette could not be shown.')).toBeNull();
    expect(document.querySelector('[data-testid="palette"]')).not.toBeNull();
  });
});

describe('a part whose code is loaded when it is drawn', () => {
  const Said = ({ text }: { readonly text: string }) => <p>{text}</p>;

  it('is drawn as soon as it is there, and at once from then on', async () => {
    let asked = 0;
    const Late = lazily(async () => {
      asked++;
      return Said;
    });
    const { findByText, getByText, unmount } = draw(<Late text="one" />);
    await findByText('one');
    unmount();
    draw(<Late text="two" />);
    expect(getByText('two')).toBeTruthy();
    expect(asked).toBe(1);
  });

  it('that could not be loaded says so, and is asked for again', async () => {
    let online = false;
    const Late = lazily(async () => {
      if (!online) throw new TypeError('Failed to fetch dynamically imported module');
      return Said;
    });
    const { findByText, getByText } = draw(
      <FailureBoundary what="This dialog">
        <Late text="there" />
      </FailureBoundary>,
    );
    await findByText('This dialog could not be shown.');
    online = true;
    fireEvent.click(getByText('Try again'));
    await findByText('there');
  });

  it('is there before it is asked for, once everything was loaded ahead', async () => {
    const Late = lazily(async () => Said);
    lazily(async () => {
      throw new Error('not this one');
    });
    await loadAhead();
    const { getByText } = draw(<Late text="ready" />);
    expect(getByText('ready')).toBeTruthy();
  });

  it('that could not be loaded ahead is loaded the next time', async () => {
    let online = false;
    const Late = lazily(async () => {
      if (!online) throw new TypeError('Failed to fetch dynamically imported module');
      return Said;
    });
    await loadAhead();
    online = true;
    await loadAhead();
    const { getByText } = draw(<Late text="ready" />);
    expect(getByText('ready')).toBeTruthy();
  });
});
