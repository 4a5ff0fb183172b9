// Two projections at one call point as lines, and the rows of a window of them: everything a pane shows of a message.
import { type AlignedMessage, alignRequests } from '../../insight/compare/align.ts';
import { ComparedRows, type LineSpan } from '../../insight/compare/foldEqual.ts';
import type { Part } from '../../model/message.ts';
import type { ComparedCell, ComparedRow, ComparedRowWindow, WithinMessage } from '../../protocol/compareTypes.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { ViewItem } from '../../view/types.ts';
import { previewPart, previewWhole } from '../rows/preview.ts';
import { categoryOfRole, labelOf } from '../rows/render.ts';
import type { Allowance } from '../session/edits.ts';
import type { Computed, Session } from '../session/session.ts';
import type { Tokenizing } from '../session/tokenizing.ts';

/** Characters of edits counted for one window of rows; what is beyond is an estimate, and says so. */
const ROW_CHARS = 100_000;

/** A policy's request at the call point. */
export interface ComparedRequest {
  readonly computed: Computed;
  readonly tokens: Tokenizing;
}

/** Both requests as lines, and the rows they are in. */
export interface Comparison {
  readonly id: string;
  readonly session: Session;
  readonly at: number;
  readonly a: ComparedRequest;
  readonly b: ComparedRequest;
  readonly lines: readonly AlignedMessage[];
  readonly rows: ComparedRows;
}

/** Lays two requests next to each other; folds in `open` spans of lines are open. */
export function compareLines(
  { id, session, at, a, b }: Omit<Comparison, 'lines' | 'rows'>,
  known: readonly AlignedMessage[] | null,
  open: readonly LineSpan[],
): Comparison {
  const lines = known ?? linesOf(session, a.computed, b.computed);
  return { id, session, at, a, b, lines, rows: new ComparedRows(lines, open) };
}

// What one of them merged is in both requests.
function linesOf({ source }: Session, a: Computed, b: Computed): readonly AlignedMessage[] {
  return alignRequests(source, a.projection.view, b.projection.view).map((line) => {
    const isInBoth =
      (line.mark === 'only_a' && holderOf(b, line.a) !== null) ||
      (line.mark === 'only_b' && holderOf(a, line.b) !== null);
    return isInBoth ? { ...line, mark: 'text' } : line;
  });
}

/** The item of a request that has the message of a line within it, which has no item there; null = it does not have it. */
export function holderOf({ projection, standing }: Computed, item: ViewItem | null): ViewItem | null {
  const index = indexOf(item);
  const part = index === null ? null : (standing.messages.get(index)?.find((each) => each !== null) ?? null);
  return part === null ? null : (projection.view.items[part.position] ?? null);
}

function withinOf(computed: Computed, item: ViewItem | null): WithinMessage | null {
  const holder = holderOf(computed, item);
  return holder === null ? null : { index: indexOf(holder) };
}

/** The rows [from, to), clamped to those there are. */
export function comparedWindow(comparison: Comparison, from: number, to: number): ComparedRowWindow {
  const { rowCount } = comparison.rows;
  const start = Math.min(from, rowCount);
  const rows: ComparedRow[] = [];
  for (let row = start; row < Math.min(to, rowCount); row++) rows.push(rowAt(comparison, row));
  return { comparisonId: comparison.id, from: start, rows, total: rowCount };
}

function rowAt(comparison: Comparison, row: number): ComparedRow {
  const { lines, rows, a, b } = comparison;
  const place = rows.place(row);
  if (place.kind === 'fold') {
    const span = lines.slice(place.from, place.to).flatMap((line) => indexOf(line.a) ?? []);
    return { kind: 'fold', row, from: place.from, to: place.to, first: span[0] ?? null, last: span.at(-1) ?? null };
  }
  const line = lines[place.line]!;
  return {
    kind: 'line',
    row,
    line: place.line,
    mark: line.mark,
    index: indexOf(line.a) ?? indexOf(line.b),
    a: line.a && cellOf(comparison.session, a, line.a),
    b: line.b && cellOf(comparison.session, b, line.b),
    within: line.a === null ? withinOf(a.computed, line.b) : line.b === null ? withinOf(b.computed, line.a) : null,
  };
}

/** Source index of an item; null = a stage made it. */
export function indexOf(item: ViewItem | null): number | null {
  return item?.kind === 'source' ? item.index : null;
}

/** What a pane shows of one message of its request. */
export function cellOf(session: Session, { computed, tokens }: ComparedRequest, item: ViewItem): ComparedCell {
  const { facts, text } = readItem(session, item);
  const message: unknown = JSON.parse(text);
  const { projection } = computed;
  const fate = item.kind === 'source' ? projection.said.fateOf(item.index) : null;
  const title = item.kind === 'synthetic' ? (projection.reports[item.stage]?.title ?? null) : null;
  return {
    ...previewWhole(facts.parts.map((part) => previewPart(message, part, null))),
    index: indexOf(item),
    covers: item.kind === 'synthetic' ? [item.covers.from, item.covers.to] : null,
    ...labelled(facts.parts, facts.role),
    fate: fate?.kind ?? 'synthetic',
    chip: (fate === null && item.kind === 'synthetic' ? item.made?.chip : fate?.chip) ?? null,
    reason: fate?.reason ?? (item.kind === 'synthetic' ? item.made?.reason : undefined) ?? title ?? '',
    ...itemTokens(session, tokens, item, { chars: ROW_CHARS }),
  };
}

// Word and colour of what it holds; of different kinds, of who says it.
function labelled(parts: readonly Part[], role: string): Pick<ComparedCell, 'label' | 'category'> {
  const [first, ...others] = parts;
  if (first === undefined) return { label: role, category: categoryOfRole(role) };
  const label = labelOf(first, role);
  const isOne = others.every((part) => labelOf(part, role) === label);
  return isOne ? { label, category: first.category } : { label: role, category: categoryOfRole(role) };
}

/** The exact JSON text of an item, and what is in it. */
export function readItem(session: Session, item: ViewItem) {
  if (item.kind === 'source' && item.text === undefined) {
    return { text: session.source.text(item.index), facts: session.source.facts(item.index) };
  }
  const text = item.text ?? '';
  return { text, facts: session.edits.read({ ...item, text }).facts };
}

function itemTokens(
  session: Session,
  tokens: Tokenizing,
  item: ViewItem,
  allowance: Allowance,
): Pick<ComparedCell, 'tokens' | 'tokensProvenance'> {
  if (isUnrendered(item)) return { tokens: 0, tokensProvenance: tokens.provenance };
  if (item.kind === 'source' && item.text === undefined) {
    return { tokens: tokens.rangeTotal(item.index, item.index + 1), tokensProvenance: tokens.cellProvenance };
  }
  const own = tokens.edit(session.edits.read({ ...item, text: item.text ?? '' }), allowance);
  const total = own.byCategory.reduce((sum, each) => sum + each, 0);
  return { tokens: total, tokensProvenance: own.counted ? tokens.cellProvenance : 'estimated' };
}
