// What the policy in use is compared with. The screen asks the engine itself; here is what outlives it, and what commands say.
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { type Core, patch } from './core.ts';
import type { ProjectionActions } from './projectionActions.ts';
import type { ComparedPolicy, CompareOrder } from './types.ts';

export interface CompareActions {
  /** Compares the policy in use with another one. */
  compareWith(policy: ComparedPolicy): void;
  /** With the policy before the last change; nothing if there was none. */
  compareWithLast(): void;
  /** The other policy is in use then, and this one is the other: one step of undo. */
  swapCompared(title: string): void;
  /** Shows what the compaction that took a message out lost; null = it was shown. */
  showCompactionOf(index: number | null): void;
  /** Says to the screen what a command asked for. */
  orderCompare(what: CompareOrder): void;
}

/** The policy before the last change, as one to compare with. */
export function lastPolicy(spec: ProjectionSpec): ComparedPolicy {
  return { name: 'last', title: 'Before the last change', spec };
}

export function compareActions(core: Core, { setPolicy }: Pick<ProjectionActions, 'setPolicy'>): CompareActions {
  const get = () => core.store.getState();
  const compareWith = (b: ComparedPolicy): void => {
    core.store.setState(({ compare }) => ({ compare: { ...compare, b } }));
    patch(core, 'ui', { mode: 'compare', libraryWide: false });
  };
  return {
    compareWith,
    compareWithLast() {
      const last = get().projection.past.at(-1);
      if (last !== undefined) compareWith(lastPolicy(last.spec));
    },
    swapCompared(title) {
      const { compare, projection } = get();
      if (compare.b === null) return;
      const { spec } = projection;
      setPolicy(compare.b.spec);
      core.store.setState({ compare: { ...compare, b: { name: 'swapped', title, spec } } });
    },
    showCompactionOf(index) {
      core.store.setState({ compactionOf: index });
      if (index !== null) patch(core, 'ui', { mode: 'compactions' });
    },
    orderCompare: (what) =>
      core.store.setState(({ compare }) => ({ compare: { ...compare, order: { seq: compare.order.seq + 1, what } } })),
  };
}
