// The texts that are watched in the open transcript: kept by the engine, loaded with the transcript, changed one at a time.
import type { TextSwitches } from '../../core/protocol/types.ts';
import type { NewWatchpoint, Watchpoint } from '../../core/protocol/watchTypes.ts';
import { type Core, patch, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { newestAnswers } from './inOrder.ts';

export interface WatchActions {
  loadWatchpoints(): Promise<void>;
  receiveWatchpoints(id: string): void;
  /** Watches a text in the open transcript; what is watched already stays as it is. */
  watchText(text: string, switches?: Partial<TextSwitches>): Promise<void>;
  /** The same of a message's longest text; part null = of all its parts. */
  watchMessage(index: number, part: number | null): Promise<void>;
  setWatchpoint(watchpoint: string, change: WatchpointChange): Promise<void>;
  /** Watches a text no longer; a message offers to watch it again. */
  removeWatchpoint(watchpoint: string): Promise<void>;
}

export interface WatchpointChange {
  /** null = called by its text. */
  readonly name?: string | null;
  readonly color?: number;
  readonly position?: number;
}

type Listed = { readonly watchpoints: readonly Watchpoint[] };

export function watchActions(core: Core): WatchActions {
  const get = () => core.store.getState();
  const asked = newestAnswers();

  /** Runs for the open transcript, and takes over the list that comes back. Its failure is said in words. */
  const change = async <A extends Listed>(what: string, run: (id: string) => Promise<A>): Promise<A | null> => {
    const { id } = get().session;
    if (id === null) return null;
    const isNewest = asked();
    try {
      const answer = await run(id);
      if (get().session.id === id && isNewest()) patch(core, 'watch', { id, list: answer.watchpoints, error: null });
      return answer;
    } catch (thrown) {
      toast(core, { tone: 'error', text: `${what}: ${toProtocolError(thrown).message}` });
      return null;
    }
  };

  const add = async (text: NewWatchpoint) => {
    const before = get().watch.list?.length ?? 0;
    const answer = await change('Not watched', (id) => core.engine.call('watch.add', { id, ...text }));
    if (answer?.watchpoints.length === before) toast(core, { tone: 'info', text: 'This text is watched already.' });
  };

  const load = async () => {
    const { id } = get().session;
    if (get().watch.id !== id) patch(core, 'watch', { id, list: null, error: null });
    if (id === null) return;
    const isNewest = asked();
    const isWanted = () => get().session.id === id && isNewest();
    try {
      const { watchpoints } = await core.engine.call('watch.list', { id });
      if (isWanted()) patch(core, 'watch', { id, list: watchpoints, error: null });
    } catch (thrown) {
      if (isWanted()) patch(core, 'watch', { error: toProtocolError(thrown) });
    }
  };

  return {
    loadWatchpoints: load,
    receiveWatchpoints(id) {
      if (get().session.id === id) void load();
    },
    watchText: (text, switches = {}) => add({ text, ...switches }),
    watchMessage: (index, part) => add({ message: { index, part } }),
    async setWatchpoint(watchpoint, changed) {
      await change('Not changed', (id) => core.engine.call('watch.set', { id, watchpoint, ...changed }));
    },
    async removeWatchpoint(watchpoint) {
      const removed = get().watch.list?.find(({ id }) => id === watchpoint);
      const answer = await change('Not removed', (id) => core.engine.call('watch.remove', { id, watchpoint }));
      if (answer === null || removed === undefined) return;
      const { id: _, ...text } = removed;
      const name = removed.name ?? removed.text;
      toast(core, {
        tone: 'info',
        text: `No longer watched: ${name.length > 60 ? `${name.slice(0, 60)}…` : name}`,
        action: { label: 'Undo', run: () => void add(text) },
      });
    },
  };
}
