import type { FollowInfo } from '../../core/protocol/types.ts';
import { type Core, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { newestAnswers } from './inOrder.ts';
import type { LibraryActions } from './libraryActions.ts';

export interface SourceActions {
  /** Asks what is followed, and where sessions are. */
  loadSources(): Promise<void>;
  /** Imports a file or folder and follows it from then on; a file is opened, of a folder a transcript if none is open. */
  startFollow(path: string): Promise<void>;
  stopFollow(path: string): Promise<void>;
}

/** Followed paths, and places to be offered. */
export function sourceActions(
  core: Core,
  library: Pick<LibraryActions, 'awaitImport' | 'opensLater'>,
): SourceActions & { receiveFollows(follows: readonly FollowInfo[]): void } {
  const set = (change: Partial<ReturnType<typeof core.store.getState>['sources']>) =>
    core.store.setState((state) => ({ sources: { ...state.sources, ...change } }));
  const followsAsked = newestAnswers();
  const placesAsked = newestAnswers();
  const loadFollows = async () => {
    const isNewest = followsAsked();
    const { follows } = await core.engine.call('follow.list', {});
    if (isNewest()) set({ follows });
  };
  // Looking through the folders of a machine takes its time; what is followed may change meanwhile.
  const loadPlaces = async () => {
    const isNewest = placesAsked();
    const { places } = await core.engine.call('discover.list', {});
    if (isNewest()) set({ places });
  };
  const actions = {
    async loadSources() {
      try {
        await Promise.all([loadFollows(), loadPlaces()]);
        set({ error: null });
      } catch (thrown) {
        set({ error: toProtocolError(thrown) });
      }
    },
    async startFollow(path: string) {
      const opening = library.opensLater();
      try {
        const { jobId } = await core.engine.call('follow.start', { path });
        const { session, sources } = core.store.getState();
        const isFile = sources.follows.some((one) => one.path === path && one.kind === 'file');
        await library.awaitImport(jobId, isFile || session.id === null ? opening : null);
      } catch (thrown) {
        toast(core, { tone: 'error', text: 'It is not followed.', detail: toProtocolError(thrown).message });
      }
    },
    async stopFollow(path: string) {
      try {
        await core.engine.call('follow.stop', { path });
        const action = { label: 'Follow again', run: () => void actions.startFollow(path) };
        toast(core, { tone: 'info', text: 'No longer followed; what was imported stays.', detail: path, action });
      } catch (thrown) {
        toast(core, { tone: 'error', text: toProtocolError(thrown).message });
      }
    },
    receiveFollows(follows: readonly FollowInfo[]) {
      // What was asked before it was told is older.
      followsAsked()();
      set({ follows });
    },
  };
  return actions;
}
