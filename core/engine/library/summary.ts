import type { TranscriptSummary } from '../../protocol/types.ts';
import type { TokenTotals, TranscriptRow } from '../../store/types.ts';
import { modelFacts } from '../../tokens/models.ts';
import { modelOf } from '../session/transcriptModel.ts';
import { isId, titleOf } from './titles.ts';

/** One line of the library. `totals` = counts under the tokenizer of the transcript's model, if there are any. */
export function summaryOf(
  row: TranscriptRow,
  totals: TokenTotals | null,
  under: TranscriptSummary['under'] = null,
): TranscriptSummary {
  const { meta, counts } = row;
  const toolTitle = toolTitleOf(row);
  const complete = totals !== null && totals.messages >= counts.messages;
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
    tokens: complete ? totals.byCategory.reduce((sum, tokens) => sum + tokens, 0) : null,
    tokensProvenance: complete ? provenanceOf(row, totals) : null,
    state: row.state,
    files: row.files,
    under,
    whatIf: meta.whatIf ?? null,
  };
}

function toolTitleOf({ meta, id, firstText, files }: TranscriptRow): string {
  const { bundle } = meta;
  if (bundle !== undefined) return `${bundle.transcript.title} (from a bundle at #${bundle.at})`;
  const title = meta.title !== undefined && !isId(meta.title) ? meta.title : (firstText ?? meta.title);
  return titleOf({ ...meta, title, id, path: files[0] ?? null });
}

function provenanceOf(row: TranscriptRow, totals: TokenTotals): 'exact' | 'estimated' {
  const images = totals.byCategory.at(-1) ?? 0;
  return modelFacts(modelOf(row)).exact && images === 0 ? 'exact' : 'estimated';
}
