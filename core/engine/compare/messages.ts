// The list of messages that differ between two requests, with who relied on them later; a page of it.
import { compareRequests } from '../../insight/compare/requests.ts';
import type { MessageDifference, SideFate } from '../../insight/compare/types.ts';
import { usersOf } from '../../insight/compare/usedLater.ts';
import type { UseFinder } from '../../insight/uses/index.ts';
import {
  COMPARED_KINDS,
  type ComparedKind,
  type ComparedMessage,
  type ComparedMessages,
} from '../../protocol/compareTypes.ts';
import type { SyntheticItem, ViewItem } from '../../view/types.ts';
import { type Comparison, cellOf, indexOf } from './lines.ts';

const USERS_LISTED = 20;

/** A difference, before anything is read for it. */
export interface ListedDifference {
  readonly index: number | null;
  readonly item: ViewItem | null;
  readonly differs: MessageDifference;
  readonly line: number | null;
  readonly a: SideFate;
  readonly b: SideFate;
  readonly users: readonly number[];
}

/** All differences, those that were used later first. */
export function listDifferences(comparison: Comparison, finder: UseFinder): readonly ListedDifference[] {
  const { session, a, b, lines } = comparison;
  const { messages } = compareRequests(session.source, a.computed.projection, b.computed.projection);
  const lineOf = new Map<number, number>();
  const listed: ListedDifference[] = [];
  for (const [line, { a: inA, b: inB, mark }] of lines.entries()) {
    if (mark === 'equal') continue;
    const item = inA ?? inB;
    const index = indexOf(inA) ?? indexOf(inB);
    if (index !== null) lineOf.set(index, line);
    else if (item !== null) listed.push({ index, item, differs: mark, line, ...madeSides(inA, inB), users: [] });
  }
  const users = usersOf(finder);
  for (const { index, differs, a: inA, b: inB } of messages) {
    const line = lineOf.get(index) ?? null;
    listed.push({ index, item: null, differs, line, a: inA, b: inB, users: users.get(index) ?? [] });
  }
  const position = ({ index, item }: ListedDifference) => index ?? (item as SyntheticItem).covers.from;
  return listed.sort((x, y) => y.users.length - x.users.length || position(x) - position(y));
}

function madeSides(a: ViewItem | null, b: ViewItem | null): { readonly a: SideFate; readonly b: SideFate } {
  return { a: madeSide(a), b: madeSide(b) };
}

function madeSide(item: ViewItem | null): SideFate {
  if (item?.kind !== 'synthetic') return { fate: 'kept', stage: null, rule: null, reason: '' };
  return { fate: 'kept', stage: item.stage, rule: item.made?.rule ?? null, reason: item.made?.reason ?? '' };
}

/** What of the list is asked for. */
export interface PageQuestion {
  readonly kind: ComparedKind;
  readonly used: boolean;
  readonly from: number;
  readonly to: number;
}

/** The lines [from, to) of those of a kind; `used` = only those that were used later. */
export function differencesPage(
  comparison: Comparison,
  all: readonly ListedDifference[],
  { kind, used, from, to }: PageQuestion,
): ComparedMessages {
  const ofKind = kind === 'all' ? all : all.filter(({ differs }) => differs === kind);
  const withUsers = ofKind.filter(({ users }) => users.length > 0);
  const shown = used ? withUsers : ofKind;
  const counts = Object.fromEntries(
    COMPARED_KINDS.map((each) => [
      each,
      each === 'all' ? all.length : all.filter(({ differs }) => differs === each).length,
    ]),
  ) as Record<ComparedKind, number>;
  const messages = shown.slice(from, to).map((one) => describe(comparison, one));
  return { from, total: shown.length, counts, used: withUsers.length, messages };
}

function describe(comparison: Comparison, difference: ListedDifference): ComparedMessage {
  const { session, a, b, lines } = comparison;
  const { index, differs, line, users } = difference;
  const pair = line === null ? null : lines[line];
  const [inA, inB] = [pair?.a ?? null, pair?.b ?? null];
  const [cellA, cellB] = [inA && cellOf(session, a, inA), inB && cellOf(session, b, inB)];
  const shown = cellA ?? cellB ?? cellOf(session, a, { kind: 'source', index: index ?? 0 });
  const cells = [cellA, cellB].flatMap((cell) => cell ?? []);
  return {
    index,
    covers: shown.covers,
    differs,
    line,
    row: line === null ? null : comparison.rows.rowOf(line),
    label: shown.label,
    text: shown.text,
    mono: shown.mono,
    tokensA: cellA?.tokens ?? null,
    tokensB: cellB?.tokens ?? null,
    provenance: cells.find(({ tokensProvenance }) => tokensProvenance === 'estimated')
      ? 'estimated'
      : shown.tokensProvenance,
    a: difference.a,
    b: difference.b,
    usedLater: users.slice(0, USERS_LISTED),
    users: users.length,
  };
}
