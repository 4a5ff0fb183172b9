import type { Library } from '../../core/store/index.ts';

/**
 * All that a library says of its transcripts, but for ids, times of import, and sizes of files: two libraries into which
 * the same files came in different ways say the same. Problems are those of the whole library: at which transcript a
 * broken line is told, hangs on which one was last told of, and so on where the reading stood still.
 */
export function libraryContent(library: Library): unknown {
  const sql = 'SELECT code, severity, text, place FROM problems ORDER BY code, text, place';
  return { transcripts: transcriptsOf(library), problems: library.tables.db.prepare(sql).all() };
}

function transcriptsOf(library: Library): unknown {
  const rows = [...library.list()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return rows.map((row) => {
    const source = library.source(row.id);
    if (source === null) throw new Error(`no transcript ${row.id}`);
    const indices = Array.from({ length: source.length }, (_, i) => i);
    return {
      ...{ key: row.key, format: row.format, state: row.state, meta: row.meta, models: row.models },
      counts: { ...row.counts, problems: null },
      ...{ startedAt: row.startedAt, endedAt: row.endedAt },
      messages: indices.map((i) => ({ text: source.text(i), meta: source.meta(i), origins: source.origins(i) })),
      facts: indices.map((i) => source.facts(i)),
      records: indices.map((i) => source.records(i).map(({ json }) => json)),
      events: library.events(row.id, 0, Number.MAX_SAFE_INTEGER),
      compactions: library.compactions(row.id),
      spawns: library.spawns(row.id),
    };
  });
}

/** Rows of the tables that hold what was read: nothing is there twice, and nothing that nobody uses. */
export function tableCounts(library: Library): Readonly<Record<string, number>> {
  const tables = ['sources', 'transcripts', 'contents', 'messages', 'assets', 'content_assets', 'records', 'fillers'];
  const more = ['record_assets', 'events', 'compactions', 'spawns', 'problems', 'imports'];
  const count = (table: string) =>
    library.tables.db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? -1;
  return Object.fromEntries([...tables, ...more].map((table) => [table, count(table)]));
}
