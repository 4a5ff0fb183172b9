import type { TranscriptSummary } from '../../protocol/types.ts';
import type { StoredTotals, TranscriptRow } from '../../store/types.ts';
import { modelFacts } from '../../tokens/models.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { isId, titleOf } from './titles.ts';

/** Totals of a transcript, for a line of the list: as the provider counts where that is known, unless `plain` is wanted. */
export function listed(totals: StoredTotals | null, plain: boolean): StoredTotals | null {
  return plain && totals !== null ? { ...totals, calibrated: null } : totals;
}

/** One line of the library. `totals` = counts under the tokenizer of the transcript's model, if there are any. */
export function summaryOf(
  row: TranscriptRow,
  totals: StoredTotals | null,
  under: TranscriptSummary['under'] = null,
  survey: TranscriptSummary['survey'] = null,
): TranscriptSummary {
  const { meta, counts } = row;
  const toolTitle = toolTitleOf(row);
  const complete = totals !== null && totals.messages >= counts.messages;
  const { tokens, tokensProvenance } = complete ? figureOf(row, totals) : NO_FIGURE;
  return {
    id: row.id,
    title: row.kept.title ?? toolTitle,
    toolTitle: row.kept.title === null ? null : toolTitle,
    firstText: row.firstText,
    format: row.format,
    project: meta.project ?? meta.cwd ?? null,
    model: modelOf(row),
    messages: counts.messages,
    problems: counts.problems,
    errors: row.errors,
    compactions: counts.compactions,
    tags: row.kept.tags,
    notes: row.kept.notes,
    bookmarks: row.kept.bookmarks,
    noteText: row.kept.noteText,
    base: row.base,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    importedAt: row.importedAt,
    bytes: row.bytes,
    tokens,
    tokensProvenance,
    state: row.state,
    files: row.files,
    under,
    whatIf: meta.whatIf ?? null,
    survey,
  };
}

function toolTitleOf({ meta, id, firstText, files }: TranscriptRow): string {
  const { bundle } = meta;
  if (bundle !== undefined) return `${bundle.transcript.title} (from a bundle at #${bundle.at})`;
  const title = meta.title !== undefined && !isId(meta.title) ? meta.title : (firstText ?? meta.title);
  return titleOf({ ...meta, title, id, path: files[0] ?? null });
}

type Figure = Pick<TranscriptSummary, 'tokens' | 'tokensProvenance'>;

const NO_FIGURE: Figure = { tokens: null, tokensProvenance: null };

function figureOf(row: TranscriptRow, { byCategory, calibrated }: StoredTotals): Figure {
  if (calibrated !== null) return { tokens: calibrated, tokensProvenance: 'calibrated' };
  const images = byCategory.at(-1) ?? 0;
  const isExact = modelFacts(modelOf(row)).exact && images === 0;
  return {
    tokens: byCategory.reduce((sum, tokens) => sum + tokens, 0),
    tokensProvenance: isExact ? 'exact' : 'estimated',
  };
}
