// What the engine computes for a screen that waits for it, beside its jobs; the status line shows it.
import type { Events } from '../../core/protocol/methods.ts';
import type { Core } from './core.ts';

/** Something that is being computed; how far it is, where that is known. */
export interface Work {
  /** In the words of the status line: `looking at compactions`. */
  readonly text: string;
  readonly done: number | null;
  readonly total: number | null;
}

export interface WorkActions {
  /** Takes note of what is at work under a key; null = it is over. */
  setWork(key: string, work: Work | null): void;
}

export function workActions(core: Core): WorkActions & { receiveSweep(sweep: Events['tune']): void } {
  const setWork = (key: string, work: Work | null): void => {
    const { [key]: _over, ...others } = core.store.getState().work;
    core.store.setState({ work: work === null ? others : { ...others, [key]: work } });
  };
  return {
    setWork,
    // One sweep at most is at work, here or in another window.
    receiveSweep({ state, points, size }) {
      const work = { text: 'trying values', done: size === null ? null : points, total: size };
      setWork('sweep', state === 'running' ? work : null);
    },
  };
}
