// A projection's rows under a filter and under named colours.
import { needsOf } from '../../filter/match.ts';
import { parseFilter } from '../../filter/parseFilter.ts';
import type { FilterExpr } from '../../filter/types.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { Params } from '../../protocol/methods.ts';
import type { FilterInfo, FilterMatches } from '../../protocol/types.ts';
import { messageAt, type RowPlace } from '../rows/layout.ts';
import { usesKey } from './followUses.ts';
import type { RowMarks } from './projected.ts';
import type { FilteredProjection, RowMatches } from './rowFiltering.ts';
import type { Computed, ProjectedView, Session } from './session.ts';

/** What filters make of the rows of a projection. */
export interface FilteredRows {
  /** Rows of another key are other rows. */
  readonly key: string;
  readonly info: FilterInfo;
  /** Null = all rows are shown. */
  readonly fitting: (RowMatches & { readonly folds: boolean }) | null;
  /** `rows` = where the rows of each message begin. */
  readonly marksOf: (rows: Uint32Array) => (place: RowPlace) => RowMarks;
}

/** How many places of matches are sent. */
const PLACES = 600;

/** Tests the rows of a projection; null = nothing was asked of them. */
export async function filterRows(
  session: Session,
  spec: ProjectionSpec,
  computed: Computed,
  { filter, tokenizer }: Pick<Params<'projection.set'>, 'filter' | 'tokenizer'>,
  state: string,
): Promise<FilteredRows | null> {
  if (filter === undefined) return null;
  const tokens = session.tokenizing(tokenizer ?? spec.tokenizer);
  const about = filteredProjection(session, spec, { ...computed, spec }, tokens, state);
  const rows = filter.text.trim() === '' ? null : await one(session, about, filter.text);
  const colors: Tested[] = [];
  for (const color of filter.colors) colors.push(await one(session, about, color.filter));
  const found = rows?.matches ?? null;
  const fitting = found && { ...found, folds: filter.others === 'fold' };
  const painted = colors.map(({ matches }) => matches);
  const states = [rows?.state ?? 'final', ...colors.map(({ state }) => state)];
  return {
    key: JSON.stringify([filter, about.key, states, states.includes('stale') ? about.usesOf : null]),
    info: {
      rows: rows?.info ?? null,
      colors: colors.map(({ info }) => info),
      isPending: states.some((state) => state !== 'final'),
    },
    fitting,
    marksOf: (starts) => (place) => marksOf(starts, place, found, painted),
  };
}

/** What rows of a projection are tested against. `state` = what it depends on besides spec and call point. */
export function filteredProjection(
  session: Session,
  spec: ProjectionSpec,
  computed: Omit<ProjectedView['projected'], 'layout' | 'id' | 'transcriptId' | 'messages'>,
  tokens: ProjectedView['tokens'],
  state: string,
): FilteredProjection {
  const { length } = session.source;
  const ownKey = usesKey(session, spec);
  const uses = session.uses.forRows(ownKey);
  const stages = JSON.stringify(spec.stages);
  const key = [computed.projection.at, length, session.source.row().revision, stages, state, tokens.state].join(' ');
  const projected = { ...computed, transcriptId: session.id, messages: length };
  return {
    key,
    projected,
    tokens,
    uses: uses?.uses ?? null,
    usesOf: uses?.key === ownKey ? null : (uses?.key ?? null),
  };
}

/** A filter that is read, with the rows that fit. */
interface Tested {
  readonly info: FilterMatches;
  readonly matches: RowMatches | null;
  readonly state: 'final' | 'stale' | 'pending';
}

async function one(session: Session, about: FilteredProjection, text: string): Promise<Tested> {
  const { expr, problems } = readFilter(text);
  const { outline } = session;
  const of = outline.rows[outline.messages] ?? 0;
  const isUsable = problems.every(({ severity }) => severity !== 'error') && expr.kind !== 'all';
  const matches = isUsable ? await session.filtering.matches(expr, about) : null;
  const at = matches === null ? [] : placesOf(matches, outline.rows);
  const isStale = matches !== null && about.usesOf !== null && needsOf(expr).uses;
  return {
    info: { matched: matches?.matched ?? null, of, at, problems, ...(isStale && { isStale }) },
    matches,
    state: isUsable && matches === null ? 'pending' : isStale ? 'stale' : 'final',
  };
}

/** Reads a filter as of now, in this machine's time zone. */
export function readFilter(text: string): ReturnType<typeof parseFilter> & { readonly expr: FilterExpr } {
  return parseFilter(text, { time: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() });
}

function placesOf({ rows, matched }: RowMatches, starts: Uint32Array): readonly number[] {
  const messages = starts.length - 1;
  const each = matched <= PLACES ? 1 : Math.max(1, Math.ceil(messages / PLACES));
  const found: number[] = [];
  for (let row = rows.indexOf(1); row !== -1; row = rows.indexOf(1, row)) {
    const index = messageAt(starts, row);
    found.push(index);
    const next = each === 1 ? index + 1 : (Math.floor(index / each) + 1) * each;
    row = starts[Math.min(next, messages)] ?? rows.length;
  }
  return found;
}

function marksOf(
  starts: Uint32Array,
  place: RowPlace,
  fitting: RowMatches | null,
  colors: readonly (RowMatches | null)[],
): RowMarks {
  if (place.kind === 'fold') return {};
  const fits = (matches: RowMatches): boolean =>
    place.kind === 'synthetic'
      ? matches.made[place.ordinal] === 1
      : matches.rows[(starts[place.index] ?? 0) + place.part] === 1;
  const own = colors.flatMap((matches, number) => (matches !== null && fits(matches) ? [number] : []));
  const isUnfit = fitting !== null && !fits(fitting);
  return { ...(own.length > 0 && { colors: own }), ...(isUnfit && { unfit: true }) };
}
