// Rows of a session under a projection, held against a filter, where no session is open on screen.
import { compileFilter, needsOf } from '../../filter/match.ts';
import { TranscriptRow } from '../../filter/rows.ts';
import { RowUses } from '../../filter/rowUses.ts';
import { partStanding, projectedParts } from '../../filter/standing.ts';
import type { FilterExpr } from '../../filter/types.ts';
import { PRICES } from '../../insight/prices.ts';
import { UsesIndex } from '../../insight/uses/index.ts';
import { turnStarts } from '../../model/turns.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { Projection } from '../../projection/types.ts';
import { countedTokens } from '../../view/countedTokens.ts';
import { estimatedTokens } from '../../view/tokens.ts';
import { countingOf } from './counting.ts';
import { findUses } from './findUses.ts';
import type { RequestProjector } from './projector.ts';
import type { RequestedSession } from './sessionRequests.ts';

/** What is filtered: a session under a projection. `tokens` false = estimates in place of counts. */
export interface FilteredSession {
  readonly session: RequestedSession;
  readonly parsed: ParsedSpec;
  readonly projection: Projection;
  readonly tokens: boolean;
}

/** A test of rows under a projection. Uses are looked for only where the filter asks for them. */
export async function rowTester(
  projector: RequestProjector,
  expr: FilterExpr,
  { session, parsed, projection, tokens: isCounted }: FilteredSession,
): Promise<{ readonly row: TranscriptRow; readonly fits: (index: number, part: number) => boolean }> {
  const { source, about } = session;
  const wanted = { isCounted: false, prices: PRICES };
  const uses = needsOf(expr).uses ? await findUses(projector, session, parsed, wanted) : null;
  const counting = isCounted ? await countingOf(source, parsed.spec, about) : null;
  const tokens = counting === null ? estimatedTokens(source) : countedTokens(source, counting);
  const parts = projectedParts(source, projection);
  const row = new TranscriptRow({
    source,
    meta: (index) => about.metaAt?.(index) ?? {},
    turnStarts: turnStarts(source),
    model: about.model ?? null,
    tokens: (index, part) => tokens.parts(index)[part] ?? null,
    standing: (index, part) => partStanding(parts, index, part),
    stages: projection.reports,
    uses: uses && new RowUses(UsesIndex.of(uses)),
  });
  const test = compileFilter(expr);
  return { row, fits: (index, part) => test(row.at(index, part)) };
}

/** Messages with a row that fits, ascending. */
export async function fittingMessages(
  projector: RequestProjector,
  expr: FilterExpr,
  filtered: FilteredSession,
): Promise<readonly number[]> {
  const { fits } = await rowTester(projector, expr, filtered);
  const { source } = filtered.session;
  const found: number[] = [];
  for (let index = 0; index < source.length; index++) {
    const parts = Math.max(1, source.facts(index).parts.length);
    if (Array.from({ length: parts }, (_, part) => part).some((part) => fits(index, part))) found.push(index);
  }
  return found;
}
