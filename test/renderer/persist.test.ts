import { describe, expect, it } from 'vitest';
import { INITIAL_STATE } from '../../renderer/state/initial.ts';
import {
  readLibrary,
  readSession,
  readUi,
  savedLibrary,
  savedSession,
  savedUi,
  toSelection,
} from '../../renderer/state/persist.ts';
import { resolveTheme } from '../../renderer/theme/resolveTheme.ts';

const ui = { ...INITIAL_STATE.ui, theme: 'light', layout: 'model', fold: true, policyOpen: false } as const;

describe('what survives a restart', () => {
  it('comes back as it was, through JSON', () => {
    const stored: unknown = JSON.parse(JSON.stringify(savedUi(ui)));
    expect(readUi(stored, INITIAL_STATE.ui)).toEqual(ui);
  });

  it('has the library as it was laid out and narrowed, without what was typed', () => {
    const view = { sort: 'tokens', descending: false, group: 'day' } as const;
    const facets = {
      values: { finding: ['none'], format: ['codex'], project: [''], model: [], tag: ['a b'] },
      flags: ['errors'],
    } as const;
    const stored: unknown = JSON.parse(
      JSON.stringify(savedLibrary({ ...INITIAL_STATE.library, view, facets, filter: 'x' })),
    );
    expect(readLibrary(stored)).toEqual({ view, facets });
  });

  it.each([[null], [[]], [{ view: { sort: 'pink', group: 3 }, facets: { values: { tag: 'x' }, flags: ['no', 1] } }]])(
    'lays the library out as at first where that is broken: %j',
    (stored) => {
      const { view, facets } = INITIAL_STATE.library;
      expect(readLibrary(stored)).toEqual({ view, facets });
    },
  );

  it('holds no open dialog', () => {
    expect(savedUi({ ...ui, dialog: { kind: 'export' } })).not.toHaveProperty('dialog');
  });

  it.each([[null], ['text'], [[]], [{ theme: 'pink', layout: 7, sizes: { library: 'wide' }, fold: 'yes' }]])(
    'is replaced by the defaults where it is broken: %j',
    (stored) => expect(readUi(stored, INITIAL_STATE.ui)).toEqual(INITIAL_STATE.ui),
  );

  it('keeps sizes within reason', () => {
    const read = readUi({ sizes: { library: 5, policy: 9999, drawer: 300.4, drawerRight: 1 } }, INITIAL_STATE.ui);
    expect(read.sizes).toEqual({ library: 160, policy: 560, drawer: 300, drawerRight: 280 });
  });

  it('holds the transcript, the place and the selection; what was chosen is kept with the transcript', () => {
    const state = {
      ...INITIAL_STATE,
      session: { ...INITIAL_STATE.session, id: 't1' },
      projection: { ...INITIAL_STATE.projection, at: 231 },
      selection: { kind: 'message', index: 214, part: 1 } as const,
    };
    const stored: unknown = JSON.parse(JSON.stringify(savedSession(state)));
    const read = readSession(stored);
    expect(read).toEqual({
      id: 't1',
      at: 231,
      selection: { index: 214, part: 1 },
    });
    expect(toSelection(read?.selection ?? null)).toEqual(state.selection);
  });

  it.each([[-1], [1.5], ['3'], [Number.NaN]])('takes no call point %s', (at) => {
    expect(readSession({ id: 't1', at })).toMatchObject({ at: null });
  });

  it('follows the system only when told to', () => {
    expect(resolveTheme('system', true)).toBe('dark');
    expect(resolveTheme('system', false)).toBe('light');
    expect(resolveTheme('light', true)).toBe('light');
  });
});
