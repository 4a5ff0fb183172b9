// @vitest-environment happy-dom
// Parts of the screen, each drawn alone: what it shows, and what its keys and buttons do.
import { act, fireEvent, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../core/model/problem.ts';
import type { MarkInfo, StageInfo } from '../../core/protocol/types.ts';
import type { StageReport } from '../../core/view/types.ts';
import { Drawer } from '../../renderer/app/Drawer.tsx';
import { TABS } from '../../renderer/app/features.ts';
import { Toasts } from '../../renderer/app/Toasts.tsx';
import { NoteField } from '../../renderer/drawer/NoteField.tsx';
import { Picture } from '../../renderer/parts/PartImage.tsx';
import { StageCard } from '../../renderer/policy/StageCard.tsx';
import type { StageDrag } from '../../renderer/policy/useStageDrag.ts';
import { loadAhead } from '../../renderer/ui/lazily.tsx';
import { Modal } from '../../renderer/ui/Modal.tsx';
import { draw } from './support.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const MARK: MarkInfo = {
  transcriptId: 't1',
  title: 'title',
  index: 3,
  state: 'here',
  note: 'as it was',
  notedAt: null,
  bookmarkedAt: null,
  label: 'user',
  text: 'text',
};

describe('the drawer', () => {
  const problem: Problem = { code: 'x', severity: 'warning', text: 'odd', where: {} };
  const drawn = () =>
    draw(<Drawer />, {
      'transcript.problems': () => ({ problems: [problem, { ...problem, text: 'odder' }] }),
      'marks.list': () => ({ marks: [MARK] }),
    });
  const tab = (container: HTMLElement, id: string) =>
    container.querySelector<HTMLElement>(`[data-tab="${id}"]`)?.textContent;

  it('counts notes and problems on their own tabs, and nowhere else', async () => {
    const { app, container } = drawn();
    await act(async () => app.store.setState(({ session }) => ({ session: { ...session, id: 't1' } })));
    await expect.poll(() => tab(container, 'problems')).toBe('Problems2');
    await expect.poll(() => tab(container, 'notes')).toBe('Notes1');
    for (const { id, title } of TABS) {
      if (id !== 'problems' && id !== 'notes') expect(tab(container, id)).toBe(title);
    }
  });

  it.each(['why', 'rendered', 'json', 'diff'] as const)(
    'has its own words while nothing is selected: %s',
    async (id) => {
      await loadAhead();
      const { app, container } = drawn();
      act(() => app.actions.showDrawer(id));
      const words = container.querySelector('.drawer-note')?.textContent;
      expect(words).toMatch(/^Select a message /);
      act(() => app.actions.showDrawer(id === 'why' ? 'json' : 'why'));
      expect(container.querySelector('.drawer-note')?.textContent).not.toBe(words);
    },
  );

  it.each(['why', 'rendered', 'json', 'diff'] as const)('says that what is selected is folded: %s', async (id) => {
    await loadAhead();
    const { app, container } = drawn();
    act(() => app.actions.showDrawer(id));
    act(() => app.store.setState({ selection: { kind: 'fold', index: 3, to: 9 } }));
    expect(container.querySelector('.drawer-note')?.textContent).toMatch(/^These messages are folded/);
  });

  it('says whether a tab is about the message or the transcript', () => {
    const { app, container } = drawn();
    act(() => app.actions.showDrawer('events'));
    expect(container.querySelector('.drawer-title')?.textContent).toBe('Whole transcript');
    act(() => app.actions.showDrawer('why'));
    expect(container.querySelector('.drawer-title')?.textContent).toBe('');
  });
});

const ignore = () => undefined;
const NO_DRAG: StageDrag = {
  over: null,
  side: 'before',
  target: () => ({ onDragOver: ignore, onDrop: ignore }),
  handle: () => ({ onDragStart: ignore, onDragEnd: ignore }),
};
const EMPTY_REPORT: StageReport = {
  ...{ stage: 0, kind: 'raw', title: 'Raw', enabled: true, summary: 'nothing to do', reason: '', counts: {} },
  ...{ reclaimedChars: 0, reclaimedTokens: 0, rootsConsulted: [], blockedBy: null, problems: [] },
};

describe('a stage card', () => {
  const info: StageInfo = {
    kind: 'reachability_gc',
    title: 'Reachability GC',
    keepsThinking: 'no',
    traits: {},
    family: 'harn',
    help: 'help',
    params: [],
  };
  const drawn = (at = 1) => {
    const moves: (readonly number[])[] = [];
    const removed: number[] = [];
    const stages = [{ kind: 'raw' }, { kind: 'reachability_gc' }, { kind: 'raw' }];
    const { app, ...rest } = draw(
      <StageCard
        stage={stages[at] ?? { kind: 'raw' }}
        at={at}
        count={3}
        info={info}
        report={null}
        problems={[]}
        isDeciding={false}
        isTried={false}
        isNew={false}
        drag={NO_DRAG}
        move={(...way) => moves.push(way)}
        remove={(gone) => removed.push(gone)}
      />,
    );
    act(() => app.actions.setSpec({ version: 1, stages }));
    return { app, moves, removed, ...rest };
  };

  it('is drawn again for what it shows, and for no answer that says the same', () => {
    let titles = 0;
    const counted: StageInfo = {
      ...info,
      get title() {
        titles++;
        return info.title;
      },
    };
    const report = { ...EMPTY_REPORT, kind: 'reachability_gc', title: info.title };
    const still = {
      ...{
        stage: { kind: 'reachability_gc' },
        at: 0,
        count: 1,
        info: counted,
        isDeciding: false,
        isTried: false,
        isNew: false,
      },
      ...{ drag: NO_DRAG, move: () => undefined, remove: () => undefined },
    };
    const { redraw } = draw(<StageCard {...still} report={report} problems={[]} />);
    const first = titles;
    expect(first).toBeGreaterThan(0);
    redraw(<StageCard {...still} report={structuredClone(report)} problems={[]} />);
    expect(titles).toBe(first);
    redraw(<StageCard {...still} report={{ ...report, summary: '3 results reclaimed' }} problems={[]} />);
    expect(titles).toBeGreaterThan(first);
    const second = titles;
    const problem = { code: 'spec.bad_option', severity: 'error', text: 'no number' } as const;
    redraw(<StageCard {...still} report={{ ...report, summary: '3 results reclaimed' }} problems={[problem]} />);
    expect(titles).toBeGreaterThan(second);
  });

  it('moves up with Alt+↑ and down with Alt+↓', () => {
    const { getByTestId, moves } = drawn();
    fireEvent.keyDown(getByTestId('stage-card'), { key: 'ArrowUp', altKey: true });
    fireEvent.keyDown(getByTestId('stage-card'), { key: 'ArrowDown', altKey: true });
    fireEvent.keyDown(getByTestId('stage-card'), { key: 'ArrowDown' });
    expect(moves).toEqual([
      [1, 0],
      [1, 2],
    ]);
  });

  it('is switched off by its own switch, and removed with Del', () => {
    const { app, getByTestId, removed } = drawn();
    fireEvent.click(getByTestId('stage-switch'));
    expect(app.store.getState().projection.spec.stages.map((one) => one.enabled)).toEqual([
      undefined,
      false,
      undefined,
    ]);
    fireEvent.keyDown(getByTestId('stage-toggle'), { key: 'Delete' });
    expect(removed).toEqual([1]);
  });
});

describe('a toast', () => {
  const drawn = (tone: 'info' | 'error', action?: { label: string; run: () => void }) => {
    vi.useFakeTimers();
    const all = draw(<Toasts />);
    act(() => void all.app.actions.toast({ tone, text: 'said', ...(action ? { action } : {}) }));
    return { ...all, isThere: () => all.queryByTestId('toast') !== null };
  };

  it('goes by itself, an error does not', () => {
    const info = drawn('info');
    act(() => vi.advanceTimersByTime(9000));
    expect(info.isThere()).toBe(false);
    info.unmount();
    const error = drawn('error');
    act(() => vi.advanceTimersByTime(60_000));
    expect(error.isThere()).toBe(true);
  });

  it('stays while it is held', () => {
    const { getByTestId, isThere } = drawn('info');
    fireEvent.mouseEnter(getByTestId('toast'));
    act(() => vi.advanceTimersByTime(60_000));
    expect(isThere()).toBe(true);
    fireEvent.mouseLeave(getByTestId('toast'));
    act(() => vi.advanceTimersByTime(9000));
    expect(isThere()).toBe(false);
  });

  it('does what its button says, once, and goes', () => {
    const run = vi.fn();
    const { getByText, isThere } = drawn('error', { label: 'Undo', run });
    fireEvent.click(getByText('Undo'));
    expect(run).toHaveBeenCalledOnce();
    expect(isThere()).toBe(false);
  });
});

describe('the field of a note', () => {
  const drawn = () => {
    const all = draw(<NoteField id="t1" index={3} mark={MARK} />);
    const set = vi.spyOn(all.app.actions, 'setMark').mockResolvedValue(true);
    const field = all.getByTestId('note-field') as HTMLTextAreaElement;
    return { ...all, set, field, type: (value: string) => fireEvent.change(field, { target: { value } }) };
  };

  it('is kept with Ctrl+Enter, when it is left, and when it goes away', () => {
    for (const leave of [
      ({ field }: ReturnType<typeof drawn>) => fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true }),
      ({ field }: ReturnType<typeof drawn>) => fireEvent.blur(field),
      ({ unmount }: ReturnType<typeof drawn>) => unmount(),
    ]) {
      const one = drawn();
      one.type(' changed ');
      leave(one);
      expect(one.set).toHaveBeenCalledWith('t1', 3, { note: 'changed' });
      one.unmount();
      vi.restoreAllMocks();
    }
  });

  it('takes the change back with Esc, and keeps nothing that did not change', () => {
    const { field, set, type, queryByTestId } = drawn();
    expect(queryByTestId('note-keys')).toBeNull();
    type('changed');
    expect(queryByTestId('note-keys')?.textContent).toMatch(/keeps it, Esc takes it back$/);
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(field.value).toBe('as it was');
    fireEvent.blur(field);
    expect(set).not.toHaveBeenCalled();
  });
});

describe('a dialog', () => {
  const drawn = (unsaved: string | null) => {
    const onClose = vi.fn();
    const all = draw(
      <Modal title="Title" onClose={onClose} unsaved={unsaved} testId="dialog">
        <input aria-label="name" />
      </Modal>,
    );
    return { ...all, onClose, dialog: within(all.getByTestId('dialog')) };
  };

  it('has its first field focused, and closes with Esc', () => {
    const { dialog, getByTestId, onClose } = drawn(null);
    expect(document.activeElement).toBe(dialog.getByLabelText('name'));
    fireEvent.keyDown(getByTestId('dialog'), { key: 'Escape' });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('asks before something is lost', () => {
    const { dialog, getByTestId, onClose } = drawn('The name is not saved.');
    fireEvent.keyDown(getByTestId('dialog'), { key: 'Escape' });
    expect(onClose).not.toHaveBeenCalled();
    expect(dialog.getByText('The name is not saved.')).toBeTruthy();
    fireEvent.click(getByTestId('modal-discard'));
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('an image', () => {
  const GIF = Buffer.from('GIF89a\x14\0\x14\0\xf0\0\0!\xff\x0bNETSCAPE2.0', 'latin1').toString('base64');
  it('that moves stands still until it is played, and has its name then too', () => {
    const { getByRole, container } = draw(<Picture mime="image/gif" base64={GIF} bytes={40} />);
    const name = 'In the transcript, image/gif 20×20 · 40 B';
    expect(getByRole('img', { name }).tagName).toBe('CANVAS');
    fireEvent.click(getByRole('button', { name: 'Play' }));
    expect(getByRole('img', { name }).tagName).toBe('IMG');
    fireEvent.click(getByRole('button', { name: 'Play' }));
    expect(container.querySelector('img')).toBeNull();
  });
});
