// What people do with the transcripts they keep: lay out the list, choose several, tag, rename, remove, mark messages.
import { beginsDescending } from '../../core/library/order.ts';
import type { LibraryFacets, LibraryView, SortKey } from '../../core/library/query.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { plural } from '../ui/format.ts';
import { type Core, patch, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import type { LibraryActions } from './libraryActions.ts';

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
  /** Changes the mark on a message of the open transcript; false if that failed. */
  setMark(index: number, change: { readonly note?: string | null; readonly bookmarked?: boolean }): Promise<boolean>;
  /** Bookmarks the selected message, or takes the bookmark away. */
  toggleBookmark(): Promise<void>;
  compact(): Promise<void>;
}

export function keepActions(core: Core, library: Pick<LibraryActions, 'refresh' | 'open'>): KeepActions {
  const get = () => core.store.getState();

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
    try {
      const { marks } = await core.engine.call('marks.list', { id });
      if (get().session.id === id) patch(core, 'marks', { id, list: marks, error: null });
    } catch (thrown) {
      if (get().session.id === id) patch(core, 'marks', { error: toProtocolError(thrown) });
    }
  };

  const setMark: KeepActions['setMark'] = (index, change) => {
    const { id } = get().session;
    if (id === null) return Promise.resolve(false);
    return tried('Not marked', async () => {
      const { marks } = await core.engine.call('marks.set', { id, index, ...change });
      if (get().session.id === id) patch(core, 'marks', { id, list: marks, error: null });
    });
  };

  const undoRemove = async () => {
    const { removed } = get().library;
    if (removed === null) return;
    patch(core, 'library', { removed: null });
    await tried('Not brought back', async () => {
      const { restored } = await core.engine.call('library.restore', { ids: removed.ids });
      await library.refresh();
      const lost = removed.ids.length - restored.length;
      if (lost > 0) toast(core, { tone: 'error', text: `${plural(lost, 'transcript')} could not be brought back.` });
      const { openId } = removed;
      if (openId !== null && restored.includes(openId) && get().session.id === null) await library.open(openId);
    });
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
        const { removed } = await core.engine.call('library.remove', { ids });
        patch(core, 'library', {
          removed: { ids: removed, openId: openId !== null && removed.includes(openId) ? openId : null },
          selected: new Set(),
        });
        await library.refresh();
        toast(core, {
          tone: 'info',
          text,
          action: { label: 'Undo', run: () => void undoRemove() },
        });
      });
    },
    undoRemove,
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
        patch(core, 'library', { tags: (await core.engine.call('tags.list', {})).tags });
      } catch {
        // The list itself fails for the same reason, and says so.
      }
    },
    applyTags: (ids, add, remove) =>
      tried('Not tagged', async () => {
        const { tags } = await core.engine.call('tags.apply', { ids, add, remove });
        patch(core, 'library', { tags });
        await library.refresh();
      }),
    setTagColor: (name, color) =>
      tried('Not coloured', async () => {
        patch(core, 'library', { tags: (await core.engine.call('tags.color', { name, color })).tags });
      }),
    loadMarks,
    receiveMarks(id) {
      if (get().session.id === id) void loadMarks();
    },
    setMark,
    async toggleBookmark() {
      const { selection, marks } = get();
      if (selection?.kind !== 'message') return;
      const { index } = selection;
      const isBookmarked = marks.list?.some((one) => one.index === index && one.bookmarkedAt !== null) ?? false;
      await setMark(index, { bookmarked: !isBookmarked });
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
