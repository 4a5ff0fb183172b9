import { asOneWrite, type Connection } from '../database.ts';

/** Colours there are; a tag's colour is one of their numbers. */
export const TAG_COLORS = 8;

/** A tag with the number of transcripts that carry it. */
export interface StoredTag {
  readonly name: string;
  /** 0 to TAG_COLORS - 1. */
  readonly color: number;
  readonly count: number;
}

/** Tags and own titles of transcripts, by public id. Names that differ in case alone are one tag. */
export class Tags {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof tagStatements>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = tagStatements(db);
  }

  /** All tags in use, by name. */
  list(): readonly StoredTag[] {
    return this.#statements.list.all();
  }

  /** Gives these transcripts some tags and takes others; a tag that nobody carries any more is forgotten. */
  apply(ids: readonly string[], add: readonly string[], remove: readonly string[]): void {
    const { tagId, create, put, drop, tidy } = this.#statements;
    asOneWrite(this.#db, () => {
      for (const name of add) {
        const tag = tagId.get(name) ?? Number(create.run(name).lastInsertRowid);
        for (const id of ids) put.run(id, tag);
      }
      for (const name of remove) for (const id of ids) drop.run(id, name);
      tidy.run();
    });
  }

  /** Gives a tag another colour; false if there is no such tag. */
  setColor(name: string, color: number): boolean {
    return this.#statements.setColor.run(color % TAG_COLORS, name).changes > 0;
  }

  /** Sets a transcript's own title; null = the tool's. */
  setTitle(id: string, title: string | null): void {
    if (title === null) this.#statements.dropTitle.run(id);
    else this.#statements.putTitle.run(id, title);
  }
}

function tagStatements(db: Connection) {
  return {
    list: db.prepare<[], StoredTag>(
      `SELECT g.name, g.color, count(t.id) AS count FROM tags g JOIN transcript_tags x ON x.tag_id = g.id
       LEFT JOIN transcripts t ON t.uid = x.uid AND t.removed = 0 GROUP BY g.id ORDER BY g.name COLLATE NOCASE`,
    ),
    tagId: db.prepare<[string], number>('SELECT id FROM tags WHERE name = ?').pluck(),
    // The colour that is used least.
    create: db.prepare<[string]>(
      `INSERT INTO tags (name, color) VALUES (?, (WITH RECURSIVE c (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < ${TAG_COLORS - 1})
       SELECT n FROM c ORDER BY (SELECT count(*) FROM tags WHERE color = n), n LIMIT 1))`,
    ),
    put: db.prepare<[string, number]>('INSERT OR IGNORE INTO transcript_tags (uid, tag_id) VALUES (?, ?)'),
    drop: db.prepare<[string, string]>(
      'DELETE FROM transcript_tags WHERE uid = ? AND tag_id = (SELECT id FROM tags WHERE name = ?)',
    ),
    tidy: db.prepare<[]>('DELETE FROM tags WHERE NOT EXISTS (SELECT 1 FROM transcript_tags WHERE tag_id = tags.id)'),
    setColor: db.prepare<[number, string]>('UPDATE tags SET color = ? WHERE name = ?'),
    putTitle: db.prepare<[string, string]>(
      'INSERT INTO own_titles (uid, title) VALUES (?, ?) ON CONFLICT (uid) DO UPDATE SET title = excluded.title',
    ),
    dropTitle: db.prepare<[string]>('DELETE FROM own_titles WHERE uid = ?'),
  };
}
