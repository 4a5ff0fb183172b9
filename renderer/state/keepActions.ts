// What people do with the transcripts they keep: lay out the list, choose several, tag, rename, remove, mark messages.
import { beginsDescending } from '../../core/library/order.ts';
import type { LibraryFacets, LibraryView, SortKey } from '../../core/library/query.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { plural } from '../ui/format.ts';
import { type Core, patch, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { newestAnswers } from './inOrder.ts';
import type { LibraryActions } from './libraryActions.ts';
import type { LibraryState } from './types.ts';

export interface KeepActions {
  setView(view: Partial<LibraryView>): void;
  /** Sorts by a column; by the one it is sorted by, the other way round. */
  sortBy(key: SortKey): void;
  setFacets(facets: LibraryFacets): void;
  select(ids: ReadonlySet<string>): void;
  focusLine(id: string | null): void;
  toggleWide(): void;
  /** Takes transcripts out of the library, with what stands under them; a message offers to bring them back. */
  remove(ids: readonly string[]): Promise<void>;
  /** Brings back what was removed last. */
  undoRemove(): Promise<void>;
  rename(id: string, title: string | null): Promise<boolean>;
  loadTags(): Promise<void>;
  applyTags(ids: readonly string[], add: readonly string[], remove: readonly string[]): Promise<boolean>;
  setTagColor(name: string, color: number): Promise<boolean>;
  loadMarks(): Promise<void>;
  receiveMarks(id: string): void;
  /** Changes the mark on a message of a transcript, which need not be open any more; false if that failed. */
  setMark(id: string, index: number, change: MarkChange): Promise<boolean>;
  /** Bookmarks the selected message, or removes the bookmark. */
  toggleBookmark(): Promise<void>;
  compact(): Promise<void>;
}

export interface MarkChange {
  readonly note?: string | null;
  readonly bookmarked?: boolean;
}

type Removed = NonNullable<LibraryState['removed']>;

/** How long what was removed can be restored: a little less than the engine keeps it. */
const RESTORE_MS = 58_000;

export function keepActions(core: Core, library: Pick<LibraryActions, 'refresh' | 'opensLater'>): KeepActions {
  const get = () => core.store.getState();
  const tagsAsked = newestAnswers();
  const marksAsked = newestAnswers();
  /** Bookmarks that were just given or taken, until the engine has said so: a second press takes the first back. */
  const pressed = new Map<string, boolean>();

  /** Runs; its failure is said in words. */
  const tried = async (what: string, run: () => Promise<void>): Promise<boolean> => {
    try {
      await run();
      return true;
    } catch (thrown) {
      toast(core, { tone: 'error', text: `${what}: ${toProtocolError(thrown).message}` });
      return false;
    }
  };

  const loadMarks = async () => {
    const { id } = get().session;
    if (get().marks.id !== id) patch(core, 'marks', { id, list: null, error: null });
    if (id === null) return;
    const isNewest = marksAsked();
    const isWanted = () => get().session.id === id && isNewest();
    try {
      const { marks } = await core.engine.call('marks.list', { id });
      if (isWanted()) patch(core, 'marks', { id, list: marks, error: null });
    } catch (thrown) {
      if (isWanted()) patch(core, 'marks', { error: toProtocolError(thrown) });
    }
  };

  const setMark: KeepActions['setMark'] = (id, index, change) =>
    tried('Not marked', async () => {
      const isNewest = marksAsked();
      const { marks } = await core.engine.call('marks.set', { id, index, ...change });
      if (get().session.id === id && isNewest()) patch(core, 'marks', { id, list: marks, error: null });
    });

  const setTags = async (ask: () => Promise<{ readonly tags: LibraryState['tags'] }>) => {
    const isNewest = tagsAsked();
    const { tags } = await ask();
    if (isNewest()) patch(core, 'library', { tags });
  };

  const bringBack = async (removed: Removed) => {
    const opening = library.opensLater();
    if (get().library.removed === removed) patch(core, 'library', { removed: null });
    const isDone = await tried('Not restored', async () => {
      const { restored } = await core.engine.call('library.restore', { ids: removed.ids });
      await library.refresh();
      const lost = removed.ids.length - restored.length;
      if (lost > 0) {
        const text =
          lost === 1
            ? 'Already deleted – import the file again.'
            : `${plural(lost, 'transcript')} already deleted – import the files again.`;
        toast(core, { tone: 'error', text });
      }
      const { openId } = removed;
      if (openId !== null && restored.includes(openId) && get().session.id === null) await opening.open(openId);
    });
    if (!isDone && get().library.removed === null) patch(core, 'library', { removed });
  };

  // Nothing is offered that cannot work any more.
  const forgetLater = (removed: Removed) => {
    setTimeout(() => {
      if (get().library.removed === removed) patch(core, 'library', { removed: null });
    }, RESTORE_MS);
  };

  return {
    setView: (view) => patch(core, 'library', { view: { ...get().library.view, ...view } }),
    sortBy(key) {
      const { view } = get().library;
      const descending = view.sort === key ? !view.descending : beginsDescending(key);
      patch(core, 'library', { view: { ...view, sort: key, descending } });
    },
    setFacets: (facets) => patch(core, 'library', { facets }),
    focusLine: (focused) => patch(core, 'library', { focused }),
    select: (selected) => patch(core, 'library', { selected }),
    toggleWide: () => patch(core, 'ui', { libraryWide: !get().ui.libraryWide }),
    async remove(chosen) {
      if (chosen.length === 0) return;
      const openId = get().session.id;
      const transcripts = get().library.transcripts ?? [];
      const ids = withUnder(transcripts, chosen);
      const title = transcripts.find((one) => one.id === chosen[0])?.title ?? chosen[0];
      const more = ids.length - chosen.length;
      const name = chosen.length === 1 ? `“${title}”` : plural(chosen.length, 'transcript');
      const text = `Removed ${name}${more > 0 ? ` and ${plural(more, 'transcript')} under it` : ''}`;
      await tried('Not removed', async () => {
        const answer = await core.engine.call('library.remove', { ids });
        const gone = new Set(answer.removed);
        const removed: Removed = { ids: answer.removed, openId: openId !== null && gone.has(openId) ? openId : null };
        const selected = new Set([...get().library.selected].filter((id) => !gone.has(id)));
        patch(core, 'library', { removed, selected });
        forgetLater(removed);
        await library.refresh();
        toast(core, {
          tone: 'info',
          text,
          // These, not what may have been removed since.
          action: { label: 'Undo', run: () => void bringBack(removed) },
        });
      });
    },
    async undoRemove() {
      const { removed } = get().library;
      if (removed !== null) await bringBack(removed);
    },
    rename: (id, title) =>
      tried('Not renamed', async () => {
        await core.engine.call('library.rename', { id, title });
        await library.refresh();
        const { session, library: list } = get();
        const named = list.transcripts?.find((one) => one.id === id);
        if (session.info?.id === id && named) {
          patch(core, 'session', { info: { ...session.info, title: named.title, toolTitle: named.toolTitle } });
        }
      }),
    async loadTags() {
      try {
        await setTags(() => core.engine.call('tags.list', {}));
      } catch {
        // The list itself fails for the same reason, and says so.
      }
    },
    applyTags: (ids, add, remove) =>
      tried('Not tagged', async () => {
        await setTags(() => core.engine.call('tags.apply', { ids, add, remove }));
        await library.refresh();
      }),
    setTagColor: (name, color) =>
      tried('Not coloured', async () => {
        await setTags(() => core.engine.call('tags.color', { name, color }));
      }),
    loadMarks,
    receiveMarks(id) {
      if (get().session.id === id) void loadMarks();
    },
    setMark,
    async toggleBookmark() {
      const { selection, marks, session } = get();
      if (selection?.kind !== 'message' || session.id === null) return;
      const { index } = selection;
      const key = `${session.id} ${index}`;
      const isKnown = marks.list?.some((one) => one.index === index && one.bookmarkedAt !== null) ?? false;
      const bookmarked = !(pressed.get(key) ?? isKnown);
      pressed.set(key, bookmarked);
      await setMark(session.id, index, { bookmarked });
      if (pressed.get(key) === bookmarked) pressed.delete(key);
    },
    async compact() {
      await tried('Not compacted', async () => {
        await core.engine.call('storage.compact', {});
      });
    },
  };
}

/** These and all that stand under them: sub-agents and branches make no sense alone. A what-if does, and is somebody's work. */
export function withUnder(transcripts: readonly TranscriptSummary[], ids: readonly string[]): readonly string[] {
  const all = new Set(ids);
  for (let before = -1; before < all.size; ) {
    before = all.size;
    for (const { id, under } of transcripts) {
      if (under !== null && under.as !== 'what_if' && all.has(under.id)) all.add(id);
    }
  }
  return [...all];
}
