import { GENERIC } from '../../importers/formats/generic/format.ts';
import { formats } from '../../importers/formats/index.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { LibraryList } from '../library/libraryList.ts';
import { startUpkeep } from '../library/upkeep.ts';
import { ENGINE_VERSION } from '../version.ts';

type LibraryMethods =
  | 'engine.info'
  | 'library.list'
  | 'library.remove'
  | 'library.restore'
  | 'library.rename'
  | 'settings.get'
  | 'settings.set';

/** How long a removed transcript can be brought back. */
const UNDO_MS = 60_000;

/** The library as a list, and what belongs to the program as a whole. */
export function libraryHandlers(engine: Engine): Pick<Handlers, LibraryMethods> {
  const { library } = engine;
  const list = new LibraryList(library, () => engine.plainCounts);
  return {
    'engine.info'() {
      const { rss, heapUsed } = process.memoryUsage();
      return ok({
        version: ENGINE_VERSION,
        schemaVersion: library.schemaVersion,
        library: library.dir,
        unwritable: library.unwritable?.text ?? null,
        rssBytes: rss,
        heapBytes: heapUsed,
        formats: [...formats.all, GENERIC].map(({ id, title, looksFor }) => ({ id, title, looksFor })),
      });
    },
    'library.list': ({ since }) => ok(list.since(since ?? null)),
    async 'library.remove'({ ids, forGood }) {
      await engine.writable();
      const removed = ids.filter((id) => {
        engine.forget(id);
        return library.remove(id, forGood ? 0 : UNDO_MS);
      });
      if (removed.length === 0) return ok({ removed });
      startUpkeep(engine);
      engine.upkeepWhenDue();
      for (const id of removed) engine.broadcast('transcript', { id, reason: 'removed', info: null });
      engine.libraryChanged();
      return ok({ removed });
    },
    async 'library.restore'({ ids }) {
      await engine.writable();
      const restored = ids.filter((id) => library.restore(id));
      if (restored.length > 0) engine.libraryChanged();
      return ok({ restored });
    },
    async 'library.rename'({ id, title }) {
      if (library.get(id) === null) return err(failure('transcript.unknown', `The library has no transcript ${id}.`));
      await engine.writable();
      library.tables.tags.setTitle(id, title);
      engine.libraryChanged();
      return ok({});
    },
    'settings.get': () => ok({ values: library.settings() }),
    async 'settings.set'({ key, value }) {
      await engine.writable();
      library.setSetting(key, value);
      engine.settingsChanged(key);
      return ok({});
    },
  };
}
