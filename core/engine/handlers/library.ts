import { formats } from '../../importers/formats/index.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type { TranscriptSummary } from '../../protocol/types.ts';
import type { TokenTotals, TranscriptRow } from '../../store/types.ts';
import { modelFacts } from '../../tokens/models.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { underOf } from '../kinship.ts';
import { titleOf } from '../titles.ts';
import { modelOf } from '../transcriptModel.ts';
import { ENGINE_VERSION } from '../version.ts';

type LibraryMethods = 'engine.info' | 'library.list' | 'library.remove' | 'settings.get' | 'settings.set';

/** The library as a list, and what belongs to the program as a whole. */
export function libraryHandlers(engine: Engine): Pick<Handlers, LibraryMethods> {
  const { library } = engine;
  return {
    'engine.info'() {
      const { rss, heapUsed } = process.memoryUsage();
      return ok({
        version: ENGINE_VERSION,
        schemaVersion: library.schemaVersion,
        library: library.dir,
        rssBytes: rss,
        heapBytes: heapUsed,
        formats: formats.all.map(({ id, title, looksFor }) => ({ id, title, looksFor })),
      });
    },
    'library.list'() {
      const totals = new Map<string, ReadonlyMap<string, TokenTotals>>();
      const totalsOf = (row: TranscriptRow) => {
        const { tokenizer } = modelFacts(modelOf(row));
        const known = totals.get(tokenizer) ?? library.tokenTotals(tokenizer);
        totals.set(tokenizer, known);
        return known.get(row.id) ?? null;
      };
      const families = library.tables.relations.all();
      return ok({
        transcripts: library.list().map((row) => summaryOf(row, totalsOf(row), underOf(families, row.id))),
      });
    },
    'library.remove'({ id }) {
      engine.forget(id);
      const removed = library.remove(id);
      if (removed) {
        startUpkeep(engine);
        engine.broadcast('transcript', { id, reason: 'removed', info: null });
        engine.libraryChanged();
      }
      return ok({ removed });
    },
    'settings.get': () => ok({ values: library.settings() }),
    'settings.set'({ key, value }) {
      library.setSetting(key, value);
      return ok({});
    },
  };
}

/** What is removed is deleted by a job; one that waits already will do it too. */
function startUpkeep({ jobs }: Engine): void {
  if (jobs.list().some(({ kind, state }) => kind === 'upkeep' && state === 'queued')) return;
  jobs.start({ kind: 'upkeep' });
}

/** One line of the library. `totals` = counts under the tokenizer of the transcript's model, if there are any. */
export function summaryOf(
  row: TranscriptRow,
  totals: TokenTotals | null,
  under: TranscriptSummary['under'] = null,
): TranscriptSummary {
  const { meta, counts } = row;
  const complete = totals !== null && totals.messages >= counts.messages;
  return {
    id: row.id,
    title: titleOf({ ...meta, id: row.id, path: row.files[0] ?? null }),
    format: row.format,
    project: meta.project ?? meta.cwd ?? null,
    model: modelOf(row),
    messages: counts.messages,
    problems: counts.problems,
    compactions: counts.compactions,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    importedAt: row.importedAt,
    bytes: row.bytes,
    tokens: complete ? totals.byCategory.reduce((sum, tokens) => sum + tokens, 0) : null,
    tokensProvenance: complete ? provenanceOf(row, totals) : null,
    state: row.state,
    files: row.files,
    under,
  };
}

function provenanceOf(row: TranscriptRow, totals: TokenTotals): 'exact' | 'estimated' {
  const images = totals.byCategory.at(-1) ?? 0;
  return modelFacts(modelOf(row)).exact && images === 0 ? 'exact' : 'estimated';
}
