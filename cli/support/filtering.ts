// `--filter EXPR`: the rows of a transcript under a projection that fit a filter (docs/filter.md).

import { rowTester as sessionRowTester, stageInputs } from '../../core/engine/requests/index.ts';
import { parseFilter } from '../../core/filter/parseFilter.ts';
import type { TranscriptRow } from '../../core/filter/rows.ts';
import type { FilterExpr } from '../../core/filter/types.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { Projection } from '../../core/projection/types.ts';
import { createMemo } from '../../core/view/memo.ts';
import { usageFailure } from './failure.ts';
import { aboutOf, requestedFrom } from './inputs.ts';
import { note, oneLine } from './output.ts';
import type { Projector } from './projecting.ts';

/** What is filtered: a transcript under a projection. */
export interface Filtered {
  readonly transcript: ImportedTranscript;
  readonly source: TranscriptSource;
  readonly parsed: ParsedSpec;
  readonly projection: Projection;
  readonly tokens: boolean;
}

/** A row that fits, as `--json` prints it. */
export interface FilteredRow {
  readonly index: number;
  readonly part: number;
  readonly kind: string;
  readonly role: string;
  readonly tool: string | null;
  readonly fate: string;
  readonly inRequest: boolean;
  readonly tokens: number | null;
}

/** Reads the option; a filter that makes no sense ends the command, with the place and what was probably meant. */
export function filterOf(text: string): FilterExpr {
  const now = { time: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
  const { expr, problems } = parseFilter(text, now);
  for (const { severity, text: words, from } of problems) {
    if (severity === 'error') throw usageFailure(`${words} (character ${from + 1} of the filter)`, 'filter.invalid');
    note(oneLine(words, 300));
  }
  return expr;
}

/** A test of rows under a projection. Uses are looked for only where the filter asks for them. */
export function rowTester(
  projector: Projector,
  expr: FilterExpr,
  { transcript, source, ...filtered }: Filtered,
): ReturnType<typeof sessionRowTester> {
  return sessionRowTester(projector, expr, { ...filtered, session: requestedFrom(transcript, source) });
}

/** A test of messages in the session's last request under a policy: whether a row of them fits the filter. */
export async function messageTester(
  projector: Projector,
  filter: string,
  session: Omit<Filtered, 'projection'>,
): Promise<(at: number) => boolean> {
  const { transcript, source, parsed } = session;
  const given = await stageInputs(source, parsed, aboutOf(transcript));
  const projection = await projector.project(source, parsed.stages, source.length, createMemo(), given);
  const { fits } = await rowTester(projector, filterOf(filter), { ...session, projection });
  return (at) => {
    const parts = at < source.length ? Math.max(1, source.facts(at).parts.length) : 0;
    return Array.from({ length: parts }, (_, part) => part).some((part) => fits(at, part));
  };
}

/** The rows that fit, in order. */
export async function filteredRows(
  projector: Projector,
  expr: FilterExpr,
  filtered: Filtered,
): Promise<{ readonly rows: readonly FilteredRow[]; readonly of: number }> {
  const { row, fits } = await rowTester(projector, expr, filtered);
  const { source } = filtered;
  const rows: FilteredRow[] = [];
  let of = 0;
  for (let index = 0; index < source.length; index++) {
    const parts = Math.max(1, source.facts(index).parts.length);
    of += parts;
    for (let part = 0; part < parts; part++) if (fits(index, part)) rows.push(rowOf(row.at(index, part), index, part));
  }
  return { rows, of };
}

function rowOf(row: TranscriptRow, index: number, part: number): FilteredRow {
  const word = (field: 'kind' | 'role' | 'fate'): string => String(row.values(field) ?? '');
  const tool = row.values('tool');
  return {
    ...{ index, part, kind: word('kind'), role: word('role'), tool: typeof tool === 'string' ? tool : null },
    ...{ fate: word('fate'), inRequest: row.values('in') !== null, tokens: row.number('tokens') },
  };
}
