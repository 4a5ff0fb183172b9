import { stat } from 'node:fs/promises';
import type { Handlers } from '../../protocol/serve.ts';
import type { FollowInfo, Named } from '../../protocol/types.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { lookInside } from '../follow/look.ts';
import { discover } from '../follow/places.ts';

type FollowMethods = 'follow.start' | 'follow.stop' | 'follow.list' | 'discover.list' | 'discover.look';

/** What is followed, and what could be. */
export function followHandlers(engine: Engine): Pick<Handlers, FollowMethods> {
  const { library, jobs } = engine;
  const { follows } = library.tables;
  return {
    async 'follow.start'({ path, keep = true }) {
      const stats = await stat(path).catch(() => null);
      if (stats === null) return err(failure('follow.missing', `${path} cannot be followed: there is no such path.`));
      const kind = stats.isDirectory() ? 'folder' : 'file';
      if (keep) await engine.writable();
      if (keep) follows.add(path, kind);
      else engine.passing.set(path, { path, kind, since: new Date().toISOString() });
      // What is there comes first, as an import that can be watched; then what is new.
      const jobId = jobs.start({ kind: 'import', paths: [path] });
      engine.imports.add(jobId);
      void jobs.end(jobId).then(() => engine.followAll());
      engine.broadcast('follow', { follows: followInfos(engine) });
      return ok({ jobId });
    },
    async 'follow.stop'({ path }) {
      await engine.writable();
      const stopped = [follows.remove(path), engine.passing.delete(path)].includes(true);
      engine.followAll();
      engine.broadcast('follow', { follows: followInfos(engine) });
      return ok({ stopped });
    },
    'follow.list': () => ok({ follows: followInfos(engine) }),
    async 'discover.list'() {
      const { places, missing } = await discover(new AbortController().signal);
      return ok({ places: places.map((place) => named(engine, place)), missing });
    },
    async 'discover.look'({ path }) {
      const { sessions, more } = await lookInside(path, new AbortController().signal);
      return ok({ sessions: sessions.map((session) => named(engine, session)), more });
    },
  };
}

/** Every followed path: as last reported, or as it is before the first report. */
export function followInfos(engine: Engine): readonly Named<FollowInfo>[] {
  const known = new Map(engine.follows.map((info) => [info.path, info]));
  return engine.followed().map(({ path, kind, since }) => {
    const atFirst: FollowInfo = { path, kind, since, state: 'starting', files: 0, live: [], problem: null };
    return named(engine, known.get(path) ?? atFirst);
  });
}

function named<T extends { readonly path: string }>({ files }: Engine, value: T): Named<T> {
  return { ...value, handle: files.give(value.path, 'read') };
}
