import { CATEGORIES, type Category } from '../../model/category.ts';
import type { ProjectOptions } from '../../projection/project.ts';
import type { MessageFates, Projection, ProjectionSpec } from '../../projection/types.ts';
import type { Provenance, Row, TokenFigure } from '../../protocol/types.ts';
import { FATE_KINDS, standsInView } from '../../view/fates.ts';
import type { SourceMap } from '../../view/sourceMap.ts';
import type { Standing, StandingPart } from '../../view/standing.ts';
import type { SyntheticItem, View } from '../../view/types.ts';
import { foldedGoneRuns } from '../rows/goneRuns.ts';
import {
  createLayout,
  foldRuns,
  messageAt,
  type RowLayout,
  type RowPlace,
  type RowSpecial,
  type Span,
  specialRow,
} from '../rows/layout.ts';
import type { PendingHash } from './pendingHash.ts';
import type { RowMatches } from './rowFiltering.ts';

/** A projection as the engine keeps it: with everything that rows, details and numbers are read from. */
export interface Projected {
  readonly id: string;
  readonly transcriptId: string;
  readonly spec: ProjectionSpec;
  readonly projection: Projection;
  /** What its stages counted with, and had to fit. */
  readonly inputs: Pick<ProjectOptions, 'tokens' | 'budget'>;
  readonly map: SourceMap;
  readonly synthetics: readonly PlacedSynthetic[];
  /** Where parts stand that stages moved, joined, took out or wrote. */
  readonly standing: Standing;
  /** Source indices whose fate is not kept, ascending. */
  readonly changed: () => readonly number[];
  /** Long runs of messages that left the request for one cause. */
  readonly gone: readonly Span[];
  readonly layout: RowLayout;
  /** Number of messages of the transcript when the layout was made. */
  readonly messages: number;
  readonly hash: PendingHash;
  /** What filters say of a row: the colours it has, by number, and whether it is there though it does not fit. */
  readonly marksOf?: (place: RowPlace) => RowMarks;
}

/** What filters say of a row. */
export type RowMarks = Pick<Row, 'colors' | 'unfit'>;

/** A synthetic message and the source index before whose row it stands. */
export interface PlacedSynthetic {
  readonly item: SyntheticItem;
  readonly position: number;
  readonly before: number;
}

/** Finds the synthetic messages of a view: each stands before the next source message of the view, or at the end. */
export function placeSynthetics(view: View, at: number): readonly PlacedSynthetic[] {
  const placed: PlacedSynthetic[] = [];
  let before = at;
  for (let position = view.items.length - 1; position >= 0; position--) {
    const item = view.items[position]!;
    if (item.kind === 'source') before = item.index;
    else placed.push({ item, position, before });
  }
  // A view whose source messages are out of order would put synthetics out of order: rows need them ascending.
  return placed.reverse().sort((a, b) => a.before - b.before);
}

/** Where a raw part is in the view; null = nowhere, or it is not said yet. */
export function viewPartOf({ projection, map, standing }: Projected, index: number, part: number): StandingPart | null {
  if (index >= projection.at) return null;
  const known = standing.messages.get(index);
  if (known !== undefined) return known[part] ?? null;
  const position = map.positionOf(index);
  return position === null ? null : { position, part, own: true };
}

/** What is asked of the rows besides the projection itself. */
export interface FoldOptions {
  readonly fold: boolean;
  /** Long runs of messages that are gone fold; without ghosts they have no row anyway. */
  readonly foldGone: boolean;
  /** Spans that stay open. */
  readonly open: readonly Span[];
  /** False: messages the model does not see get no row. */
  readonly ghosts: boolean;
  /** A filter: nothing else folds then, and what does not fit has no row, or (`folds`) one for each run. */
  readonly fitting?: RowMatches & { readonly folds: boolean };
}

/** As much of a projection as rows are laid out by. */
type Rowed = Pick<Projection, 'at'> & { readonly said: Pick<MessageFates, 'kindOf'> };

type LaidOut = Pick<Projected, 'synthetics' | 'standing' | 'gone'> & { readonly projection: Rowed };

/** The rows of a projection over `rows` (see messageRows). Parts without a row of their own have ordinals behind the synthetics'. */
export function projectionLayout(
  { projection, synthetics, standing, gone }: LaidOut,
  rows: Uint32Array,
  options: FoldOptions,
): RowLayout {
  const { fitting } = options;
  const breaks = synthetics.map((placed) => placed.before);
  let specials: PlacedSpecial[] = synthetics.map(({ before, position }, ordinal) => ({
    special: { kind: 'synthetic', before, ordinal },
    order: position,
  }));
  for (const [at, { beforeRow, position }] of standing.extras.entries()) {
    const before = messageAt(rows, beforeRow);
    const place = { before, part: beforeRow - rows[before]! };
    specials.push({ special: { kind: 'synthetic', ...place, ordinal: synthetics.length + at }, order: position });
  }
  const blocks: RowSpecial[] = [];
  if (fitting !== undefined) {
    specials = specials.filter(({ special }) => special.kind !== 'synthetic' || fitting.made[special.ordinal] === 1);
    const cuts = specials.map(({ special }) => specialRow(rows, special));
    blocks.push(...filteredRuns({ projection, standing }, rows, options, fitting, new Set(cuts)));
  } else if (options.fold) {
    const kept = (index: number) => projection.said.kindOf(index) === 'kept';
    for (const run of foldRuns(projection.at, kept, breaks, options.open)) blocks.push({ kind: 'fold', ...run });
  }
  if (fitting === undefined && options.ghosts && options.foldGone) {
    for (const run of foldedGoneRuns(gone, options.open)) blocks.push({ kind: 'fold', ...run });
  }
  if (fitting === undefined && !options.ghosts) blocks.push(...hiddenRuns(projection, standing, rows));
  for (const special of blocks) specials.push({ special, order: Number.POSITIVE_INFINITY });
  const placed = specials.map((each) => ({ ...each, row: specialRow(rows, each.special) }));
  // A synthetic stands before the row at its place, a fold begins at it: the synthetic goes first.
  placed.sort((a, b) => a.row - b.row || (a.order === b.order ? 0 : a.order - b.order));
  return createLayout(
    rows,
    placed.map(({ special }) => special),
  );
}

// Runs of raw rows that do not fit, cut where a made message stands. What the model does not see has no row without ghosts.
function filteredRuns(
  { projection, standing: { messages } }: { readonly projection: Rowed; readonly standing: Standing },
  rows: Uint32Array,
  { ghosts, open }: FoldOptions,
  fitting: RowMatches & { readonly folds: boolean },
  cuts: ReadonlySet<number>,
): RowSpecial[] {
  const shown = fitting.rows.slice();
  for (const { from, to } of open) shown.fill(1, rows[from] ?? shown.length, rows[to] ?? shown.length);
  const runs: RowSpecial[] = [];
  const total = rows[rows.length - 1] ?? 0;
  if (!ghosts) {
    for (let index = 0; index < rows.length - 1; index++) {
      const first = rows[index] ?? 0;
      const parts = messages.get(index);
      if (parts === undefined && unseen(projection, index)) shown.fill(2, first, rows[index + 1]);
      for (const [part, place] of parts?.entries() ?? []) if (place?.own !== true) shown[first + part] = 2;
    }
  }
  for (let from = 0; from < total; from++) {
    const kind = shown[from];
    if (kind === 1) continue;
    let to = from + 1;
    while (to < total && shown[to] === kind && !cuts.has(to)) to++;
    runs.push({ kind: 'filtered', fromRow: from, toRow: to, folds: fitting.folds && kind === 0 });
    from = to - 1;
  }
  return runs;
}

interface PlacedSpecial {
  readonly special: RowSpecial;
  readonly order: number;
}

// Of messages whose parts stand here and there, only the parts that stand nowhere, or elsewhere, have no row.
function hiddenRuns(projection: Rowed, { messages }: Standing, rows: Uint32Array): RowSpecial[] {
  const isUnseen = (index: number) => !messages.has(index) && unseen(projection, index);
  const hidden: RowSpecial[] = runsOf(rows.length - 1, isUnseen).map((run) => ({ kind: 'hidden', ...run }));
  for (const [index, parts] of messages) {
    for (const run of runsOf(parts.length, (part) => parts[part]?.own !== true)) {
      hidden.push({ kind: 'hidden_parts', index, ...run });
    }
  }
  return hidden;
}

/** Gone from the view, or not yet said at the call point. */
function unseen(projection: Rowed, index: number): boolean {
  return index >= projection.at || !standsInView(projection.said.kindOf(index));
}

function runsOf(length: number, holds: (index: number) => boolean): readonly Span[] {
  const runs: Span[] = [];
  for (let from = 0; from < length; from++) {
    if (!holds(from)) continue;
    let to = from + 1;
    while (to < length && holds(to)) to++;
    runs.push({ from, to });
    from = to;
  }
  return runs;
}

/** Source indices with a fate other than kept. */
export function changedIndices(projection: Projection): readonly number[] {
  return projection.said.indicesOf(...FATE_KINDS.filter((kind) => kind !== 'kept'));
}

/** How many messages have each fate, and how many are synthetic. */
export function fateCounts(projection: Projection, synthetics: number) {
  return { ...projection.said.counts(), synthetic: synthetics };
}

/** A figure from sums in the order of CATEGORIES. */
export function tokenFigure(byCategory: readonly number[], provenance: Provenance): TokenFigure {
  const named: Record<Category, number> = {
    system: 0,
    user: 0,
    assistant: 0,
    thinking: 0,
    tool_call: 0,
    tool_result: 0,
    image: 0,
  };
  let total = 0;
  for (const [slot, category] of CATEGORIES.entries()) {
    named[category] = byCategory[slot] ?? 0;
    total += named[category];
  }
  return { total, byCategory: named, provenance };
}
