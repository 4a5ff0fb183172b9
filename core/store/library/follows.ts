import type { Connection } from '../database.ts';

/** A path that is followed: a file that grows, or a folder in which files appear and grow. */
export interface FollowedPath {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** ISO-8601. */
  readonly since: string;
}

/** What the program follows from one start to the next. */
export class Follows {
  readonly #list;
  readonly #add;
  readonly #remove;

  constructor(db: Connection) {
    this.#list = db.prepare<[], FollowedPath>('SELECT path, kind, since FROM follows ORDER BY rowid');
    this.#add = db.prepare<[string, string, string]>(
      'INSERT INTO follows (path, kind, since) VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET kind = excluded.kind',
    );
    this.#remove = db.prepare<[string]>('DELETE FROM follows WHERE path = ?');
  }

  list(): readonly FollowedPath[] {
    return this.#list.all();
  }

  add(path: string, kind: FollowedPath['kind']): void {
    this.#add.run(path, kind, new Date().toISOString());
  }

  /** False if the path was not followed. */
  remove(path: string): boolean {
    return this.#remove.run(path).changes === 1;
  }
}
