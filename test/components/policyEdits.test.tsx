// @vitest-environment happy-dom
// One drag of a slider, or one time in a field, is one step of undo; keys in a field belong to the field.
import { act, fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { ParamSchema } from '../../core/view/types.ts';
import { useGlobalKeys } from '../../renderer/app/useGlobalKeys.ts';
import { NoteField } from '../../renderer/drawer/NoteField.tsx';
import { useLibraryKeys } from '../../renderer/library/useLibraryKeys.ts';
import { IntegerParam } from '../../renderer/policy/params/IntegerParam.tsx';
import { useAppState } from '../../renderer/state/context.tsx';
import { setOption } from '../../renderer/state/editSpec.ts';
import { usePolicyEdit } from '../../renderer/state/usePolicyEdit.ts';
import { draw } from './support.tsx';

const PARAM: ParamSchema = { name: 'keep_turns', type: 'integer', min: 0, softMax: 10, default: 3, help: '' };

const optionOf = (spec: ProjectionSpec, name: string): number => {
  const value = spec.stages[0]?.options?.[name];
  return typeof value === 'number' ? value : 3;
};

/** A slider that edits an option of the first stage, as its card does. */
function Slider({ name }: { readonly name: string }) {
  const edit = usePolicyEdit();
  const param = { ...PARAM, name };
  const value = useAppState((state) => optionOf(state.projection.spec, name));
  return (
    <IntegerParam
      param={param}
      value={value}
      id={name}
      helpId="help"
      onChange={(next, history) => edit((spec) => setOption(spec, 0, param, next), history)}
    />
  );
}

/** Sliders 100 px wide that hold the pointer, as a browser's do; happy-dom lays nothing out. */
function laidOut(): void {
  let held: Element | null = null;
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 100, 10));
  Object.assign(HTMLElement.prototype, {
    setPointerCapture(this: Element) {
      held = this;
    },
    hasPointerCapture(this: Element) {
      return held === this;
    },
    releasePointerCapture(this: Element) {
      if (held !== this) return;
      held = null;
      fireEvent.lostPointerCapture(this);
    },
  });
}

afterEach(() => vi.restoreAllMocks());

function drag(slider: HTMLElement, ...xs: readonly number[]): void {
  const [from = 0, ...rest] = xs;
  fireEvent.pointerDown(slider, { pointerId: 1, clientX: from });
  for (const x of rest) fireEvent.pointerMove(slider, { pointerId: 1, clientX: x });
  fireEvent.pointerUp(slider, { pointerId: 1, clientX: rest.at(-1) ?? from });
}

describe('a slider', () => {
  const drawn = () => {
    laidOut();
    const { app, container } = draw(
      <>
        <Slider name="first" />
        <Slider name="second" />
      </>,
    );
    app.store.setState(({ projection }) => ({
      projection: { ...projection, spec: { version: 1, stages: [{ kind: 'anthropic_clear_thinking', options: {} }] } },
    }));
    const [first, second] = [...container.querySelectorAll<HTMLElement>('.slider')];
    if (!first || !second) throw new Error('two sliders were drawn');
    const options = () => app.store.getState().projection.spec.stages[0]?.options;
    return { app, first, second, options };
  };

  it('makes one step of undo of one drag', () => {
    const { app, first, options } = drawn();
    drag(first, 30, 40, 50, 60);
    expect(options()).toEqual({ first: 6 });
    app.actions.undoSpec();
    expect(options()).toEqual({});
  });

  it('that is dragged out and back ends its step: what comes after is undone alone', () => {
    const { app, first, second, options } = drawn();
    drag(first, 30, 80, 30);
    drag(second, 30, 50);
    expect(options()).toMatchObject({ second: 5 });
    drag(first, 30, 90);
    expect(options()).toMatchObject({ first: 9, second: 5 });
    app.actions.undoSpec();
    expect(options()).toMatchObject({ second: 5 });
    expect(options()?.first ?? 3).toBe(3);
  });
});

function Keyed() {
  useGlobalKeys();
  const { onKey } = useLibraryKeys([]);
  return (
    <>
      <button type="button" data-testid="list" onKeyDown={(event) => onKey(event) && event.preventDefault()}>
        list
      </button>
      <NoteField id="t1" index={3} mark={null} />
      <button type="button">elsewhere</button>
    </>
  );
}

describe('Ctrl+Z', () => {
  const withAStep = () => {
    const drawn = draw(<Keyed />);
    drawn.app.actions.setSpec({ version: 1, name: 'changed', stages: [] });
    return { ...drawn, name: () => drawn.app.store.getState().projection.spec.name };
  };

  it('takes the policy back, but not from within a field', () => {
    const { getByRole, getByTestId, name } = withAStep();
    const before = name();
    expect(fireEvent.keyDown(getByTestId('note-field'), { key: 'z', ctrlKey: true })).toBe(true);
    expect(name()).toBe(before);
    fireEvent.keyDown(getByRole('button', { name: 'elsewhere' }), { key: 'z', ctrlKey: true });
    expect(name()).not.toBe(before);
  });

  it('takes back a removal in the library, and never the policy', () => {
    const { app, getByTestId, name } = withAStep();
    const before = name();
    const undo = vi.spyOn(app.actions, 'undoRemove').mockResolvedValue();
    fireEvent.keyDown(getByTestId('list'), { key: 'z', ctrlKey: true });
    expect(app.store.getState().toasts.map(({ text }) => text)).toEqual(['Nothing to undo in the library.']);
    act(() =>
      app.store.setState(({ library }) => ({ library: { ...library, removed: { ids: ['t2'], openId: null } } })),
    );
    fireEvent.keyDown(getByTestId('list'), { key: 'z', ctrlKey: true });
    expect(undo).toHaveBeenCalledOnce();
    expect(name()).toBe(before);
  });

  it('Ctrl+K and F6 work in a field, letters do not', () => {
    const { app, getByTestId } = withAStep();
    fireEvent.keyDown(getByTestId('note-field'), { key: '?' });
    expect(app.store.getState().ui.dialog).toBeNull();
    fireEvent.keyDown(getByTestId('note-field'), { key: 'k', ctrlKey: true });
    expect(app.store.getState().ui.dialog).toEqual({ kind: 'palette' });
  });
});
