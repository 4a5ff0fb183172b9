import type { GivenFile } from '../../core/protocol/files.ts';
import type { FollowInfo, Named, TranscriptSummary } from '../../core/protocol/types.ts';
import { SAMPLE } from '../../core/sample/facts.ts';
import { type Core, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { newestAnswers } from './inOrder.ts';
import type { LibraryActions } from './libraryActions.ts';
import type { AppState } from './types.ts';

export interface SourceActions {
  /** Asks what is followed, and where sessions are. */
  loadSources(): Promise<void>;
  /** Imports a file or folder and follows it from then on; a file is opened, of a folder a transcript if none is open. */
  startFollow(handle: string): Promise<void>;
  stopFollow(follow: Named<FollowInfo>): Promise<void>;
  /** Takes note of files and folders that the program was started with: they can be followed. */
  takeGiven(files: readonly GivenFile[]): void;
  /** Opens the sample session, which is imported first where it is not in the library. */
  openSample(): Promise<void>;
  /** Opens what a compaction of the open transcript archived: in the library, or imported from its file. */
  openArchived(asset: string): Promise<void>;
  setTour(tour: AppState['tour']): void;
}

/** Followed paths, and places to be offered. */
export function sourceActions(
  core: Core,
  library: Pick<LibraryActions, 'awaitImport' | 'opensLater' | 'refresh'>,
): SourceActions & { receiveFollows(follows: readonly Named<FollowInfo>[]): void } {
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
    const { places, missing } = await core.engine.call('discover.list', {});
    if (isNewest()) set({ places, missing });
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
    async startFollow(handle: string) {
      const opening = library.opensLater();
      try {
        const { jobId } = await core.engine.call('follow.start', { path: handle });
        const { session, sources } = core.store.getState();
        const isFile = sources.follows.some((one) => one.handle === handle && one.kind === 'file');
        await library.awaitImport(jobId, isFile || session.id === null ? opening : null);
      } catch (thrown) {
        toast(core, { tone: 'error', text: 'Couldn’t follow this path.', detail: toProtocolError(thrown).message });
      }
    },
    async openArchived(asset: string) {
      const { id } = core.store.getState().session;
      if (id === null) return;
      const opening = library.opensLater();
      try {
        const answer = await core.engine.call('asset.openTranscript', { id, asset });
        if ('jobId' in answer) await library.awaitImport(answer.jobId, opening);
        else await opening.open(answer.id);
      } catch (thrown) {
        const detail = toProtocolError(thrown).message;
        toast(core, { tone: 'error', text: 'Couldn’t open the archived transcript.', detail });
      }
    },
    async openSample() {
      const opening = library.opensLater();
      const known = core.store.getState().library.transcripts?.find(isSample);
      if (known) return opening.open(known.id);
      try {
        const { jobId } = await core.engine.call('sample.import', {});
        const { outcomes } = await core.engine.call('import.result', { jobId });
        await library.refresh();
        const [first] = outcomes.flatMap((one) => one.transcripts);
        if (first) await opening.open(first.id);
      } catch (thrown) {
        toast(core, {
          tone: 'error',
          text: 'The sample could not be opened.',
          detail: toProtocolError(thrown).message,
        });
      }
    },
    setTour: (tour: AppState['tour']) => core.store.setState({ tour }),
    takeGiven(files: readonly GivenFile[]) {
      const known = core.store.getState().sources.given;
      const fresh = files.filter(({ handle }) => !known.some((one) => one.handle === handle));
      set({ given: [...known, ...fresh] });
    },
    async stopFollow({ path, handle }: Named<FollowInfo>) {
      try {
        await core.engine.call('follow.stop', { path: handle });
        const action = { label: 'Follow again', run: () => void actions.startFollow(handle) };
        toast(core, { tone: 'info', text: 'No longer followed; what was imported stays.', detail: path, action });
      } catch (thrown) {
        toast(core, { tone: 'error', text: toProtocolError(thrown).message });
      }
    },
    receiveFollows(follows: readonly Named<FollowInfo>[]) {
      // An answer to a question from before the report is older.
      followsAsked()();
      set({ follows });
    },
  };
  return actions;
}

/** True for the sample session, by the name of its file. */
export function isSample({ files }: Pick<TranscriptSummary, 'files'>): boolean {
  return files.some((file) => file.split(/[\\/]/).at(-1) === SAMPLE.file);
}
