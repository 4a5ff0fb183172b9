// A window of rows as the screen shows it, computed from the texts of just the messages in it.

import type { Category } from '../../model/category.ts';
import { hasFailed } from '../../model/failure.ts';
import type { MessageFacts, MessageMeta, Part } from '../../model/message.ts';
import type { MessageOrigin } from '../../model/provenanceOf.ts';
import { CLEARED_RULE } from '../../projection/rendering.ts';
import type { BadgeKind, Cell, GoneFold, Provenance, Row } from '../../protocol/types.ts';
import type { Fate, FateKind, SourceItem, SyntheticItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { formatDelta, oneLine } from './format.ts';
import type { RowPlace } from './layout.ts';

/** The cell of one part with its facts, of the raw message or of the edited one. */
export interface PartCell {
  readonly part: Part;
  readonly cell: Cell;
  /** A picture stands inside a part that is none itself. */
  readonly holdsImage: boolean;
}

/** A message with everything its rows need. `fate` null = at or beyond the call point. */
export interface RowMessage {
  readonly index: number;
  readonly facts: MessageFacts;
  readonly meta: MessageMeta;
  /** Who put it there, if not simply its role. */
  readonly origin: MessageOrigin | null;
  /** One a part; a message without parts has one cell that says so. */
  readonly raw: readonly PartCell[];
  readonly fate: Fate | null;
  /** For each row what became of its raw part; null if the message is untouched, or gone as a whole. */
  readonly parts: readonly RowPart[] | null;
  /** A repair of a hygiene stage changed it, moved it, or took it out. */
  readonly repaired: boolean;
}

/** What became of a raw part. */
export interface RowPart {
  readonly kind: FateKind;
  readonly reason: string;
  /** Its cell as it is in the request; null if it is not, or not in this row. */
  readonly projected: PartCell | null;
  /** The row in which it stands instead, with the words that it has there. */
  readonly elsewhere: number | null;
}

/** A synthetic message with its cell. */
export interface RowSynthetic {
  readonly item: SyntheticItem;
  readonly ordinal: number;
  readonly facts: MessageFacts;
  readonly cell: Cell;
  readonly stageTitle: string;
  /** A repair put it in. */
  readonly repaired: boolean;
}

/** What stands for a message that has no parts: it has a row all the same. */
export function emptyPart(role: string): Part {
  return { kind: 'other', category: categoryOfRole(role), path: [], chars: 0 };
}

/** The row of a message's part. */
export function partRow(row: number, message: RowMessage, at: number): Row {
  const raw = message.raw[at];
  const part = raw?.part ?? emptyPart(message.facts.role);
  const own = partFate(message, at);
  const projected = projectedCell(message, at, raw?.cell ?? null);
  const elsewhere = message.parts?.[at]?.elsewhere ?? null;
  return {
    key: `m${message.index}.${at}`,
    row,
    kind: 'part',
    index: message.index,
    part: at,
    firstOfMessage: at === 0,
    lastOfMessage: at >= message.raw.length - 1,
    category: part.category,
    partKind: part.kind,
    label: labelOf(part, message.facts.role),
    badges: badgesOf(part, message, at, raw?.holdsImage ?? false),
    timestamp: message.meta.timestamp ?? null,
    raw: raw?.cell ?? null,
    projected,
    fate: own.kind,
    chip: chipOf(message, at, own.kind, raw?.cell ?? null, projected),
    reason: own.reason,
    ...(message.meta.injected && { injected: true }),
    ...(at === 0 && message.origin !== null && { origin: tagOf(message.origin) }),
    ...(elsewhere !== null && { elsewhere }),
  };
}

function tagOf({ label, title }: MessageOrigin): NonNullable<Row['origin']> {
  return { label, title };
}

const GONE: ReadonlySet<string> = new Set(['dropped', 'summarised', 'merged', 'future']);

/** The fate of one part, and why. */
export function partFate(
  message: RowMessage,
  at: number,
): { readonly kind: FateKind | 'future'; readonly reason: string } {
  const { fate, parts } = message;
  if (!fate) return { kind: 'future', reason: 'After the call point.' };
  const own = parts?.[at];
  if (own) return { kind: own.kind, reason: own.reason || fate.reason };
  const named = fate.parts?.find((part) => part.part === at);
  return named ? { kind: named.kind, reason: named.reason } : { kind: fate.kind, reason: fate.reason };
}

function projectedCell(message: RowMessage, at: number, raw: Cell | null): Cell | null {
  if (!message.fate) return null;
  if (message.parts !== null) return message.parts[at]?.projected?.cell ?? null;
  // Sent, and not shown to the model: it costs nothing.
  if (message.fate.rule === CLEARED_RULE) return raw && { ...raw, tokens: 0 };
  return GONE.has(partFate(message, at).kind) ? null : raw;
}

function chipOf(message: RowMessage, at: number, kind: FateKind | 'future', raw: Cell | null, projected: Cell | null) {
  if (kind === 'kept' && message.fate?.rule === CLEARED_RULE) return at === 0 ? (message.fate.chip ?? null) : null;
  if (kind === 'kept' || kind === 'future') return null;
  if (kind === 'redacted' && raw?.tokens != null && projected?.tokens != null) {
    return formatDelta(projected.tokens - raw.tokens);
  }
  // One chip a message: the first of its parts that shares its fate carries it.
  for (let earlier = 0; earlier < at; earlier++) if (partFate(message, earlier).kind === kind) return null;
  return message.fate?.chip ?? null;
}

const ROLE_LABELS: ReadonlySet<string> = new Set(['user', 'assistant', 'system']);

/** The word in the row's label column. */
export function labelOf(part: Part, role: string): string {
  switch (part.kind) {
    case 'thinking':
      return 'thinking';
    case 'tool_call':
      return 'call';
    case 'tool_result':
      return 'result';
    case 'image':
      return 'image';
    case 'text':
    case 'file':
    case 'opaque':
    case 'other':
      if (part.category === 'thinking') return 'thinking';
      if (part.category === 'tool_call') return 'call';
      if (part.category === 'tool_result') return 'result';
      return ROLE_LABELS.has(role) ? role : role || part.category;
  }
}

/** The category of whoever says a message. */
export function categoryOfRole(role: string): Category {
  if (role === 'system' || role === 'developer') return 'system';
  return role === 'assistant' ? 'assistant' : 'user';
}

function badgesOf(part: Part, message: RowMessage, at: number, holdsImage: boolean): readonly BadgeKind[] {
  const { meta } = message;
  const badges: BadgeKind[] = [];
  if (part.signed) badges.push('signed');
  if (hasFailed(part, meta)) badges.push('error');
  if (part.kind === 'opaque') badges.push('opaque');
  if (holdsImage) badges.push('image');
  if (message.repaired && (at === 0 || partFate(message, at).kind !== 'kept')) badges.push('repaired');
  if (at > 0) return badges;
  if (meta.injected && message.origin === null) badges.push('injected');
  if (meta.sidechain) badges.push('sidechain');
  if (meta.compactSummary) badges.push('compact_summary');
  if (meta.apiError) badges.push('api_error');
  if (meta.typed) badges.push('typed');
  return badges;
}

/** The row of a synthetic message. */
export function syntheticRow(row: number, synthetic: RowSynthetic): Row {
  const { item, facts } = synthetic;
  const part = facts.parts[0] ?? emptyPart(facts.role);
  const span = spanText(item.covers);
  return {
    key: `s${synthetic.ordinal}`,
    row,
    kind: 'synthetic',
    index: item.covers.from,
    to: item.covers.to,
    part: 0,
    firstOfMessage: true,
    lastOfMessage: true,
    category: part.category,
    partKind: part.kind,
    label: labelOf(part, facts.role),
    badges: synthetic.repaired ? ['repaired'] : [],
    timestamp: null,
    raw: null,
    projected: synthetic.cell,
    fate: 'synthetic',
    chip: item.made?.chip ?? (span === '' ? null : `for ${span}`),
    reason: syntheticReason(synthetic, span),
  };
}

function syntheticReason({ item, stageTitle }: RowSynthetic, span: string): string {
  if (item.made !== undefined) return oneLine(`${stageTitle}: ${item.made.reason}.`, 500);
  return `Written by ${stageTitle}${span === '' ? '' : `, replaces ${span}`}.`;
}

/** A part of an edited message that has no raw row: a stage wrote it, or put it where it stands. */
export interface RowExtra {
  readonly item: SourceItem;
  readonly part: number;
  readonly role: string;
  readonly own: PartCell;
  readonly fate: Fate | undefined;
  readonly stageTitle: string;
  readonly repaired: boolean;
}

/** The row of such a part. */
export function extraRow(row: number, { item, part, role, own, fate, stageTitle, repaired }: RowExtra): Row {
  return {
    key: `x${item.index}.${part}`,
    row,
    kind: 'synthetic',
    index: item.index,
    to: item.index,
    part,
    firstOfMessage: false,
    lastOfMessage: false,
    category: own.part.category,
    partKind: own.part.kind,
    label: labelOf(own.part, role),
    badges: repaired ? ['repaired'] : [],
    timestamp: null,
    raw: null,
    projected: own.cell,
    fate: 'synthetic',
    chip: fate?.chip ?? `in #${item.index}`,
    reason: oneLine(`${stageTitle}: ${fate?.reason ?? ''}. It is sent as a part of #${item.index}.`, 500),
  };
}

/** A span of messages in words: `#0 – #95`, `#4`, '' if it is empty. */
export function spanText(span: { readonly from: number; readonly to: number }): string {
  if (span.to <= span.from) return '';
  return span.to - span.from === 1 ? `#${span.from}` : `#${span.from} – #${span.to - 1}`;
}

/** The row of a folded run of messages that are not sent, for one cause: `fate`. `tokens` = raw tokens of the run. */
export function goneFoldRow(
  row: number,
  fold: Extract<RowPlace, { kind: 'fold' }>,
  own: { readonly tokens: number; readonly tokensProvenance: Provenance },
  fate: Fate,
  { stage, into }: Pick<GoneFold, 'stage' | 'into'>,
): Row {
  const messages = fold.to - fold.from;
  const text = countOf(messages, 'message');
  return {
    ...foldBase(row, fold),
    label: text,
    raw: { text, mono: false, ...own },
    projected: null,
    fate: fate.kind,
    chip: fate.chip ?? null,
    reason: oneLine(`${spanText(fold)}: ${fate.reason}`, 500),
    gone: { messages, stage, into },
  };
}

/** The row of a folded run of kept messages. `tokens` = raw tokens of the run. */
export function foldRow(
  row: number,
  fold: Extract<RowPlace, { kind: 'fold' }>,
  tokens: number,
  tokensProvenance: Provenance,
): Row {
  const text = `${countOf(fold.to - fold.from, 'message')}, all kept`;
  const cell: Cell = { text, mono: false, tokens, tokensProvenance };
  return {
    ...foldBase(row, fold),
    label: `${grouped(fold.to - fold.from)} kept`,
    raw: cell,
    projected: cell,
    fate: 'kept',
    chip: null,
    reason: oneLine(`#${fold.from} – #${fold.to - 1}: ${text}`, 300),
  };
}

/** The row of a run of rows that do not fit the filter. */
export function filteredRow(
  row: number,
  fold: Extract<RowPlace, { kind: 'fold' }>,
  rows: number,
  fromRow: number,
): Row {
  const text = `${countOf(rows, 'row')} not shown`;
  const cell: Cell = { text, mono: false, tokens: null, tokensProvenance: 'exact' };
  return {
    ...foldBase(row, fold),
    key: `h${fromRow}`,
    label: text,
    raw: cell,
    projected: cell,
    fate: 'kept',
    chip: null,
    reason: `${spanText(fold)}: ${countOf(rows, 'row')} not fitting the filter`,
    filtered: rows,
  };
}

function foldBase(row: number, fold: Extract<RowPlace, { kind: 'fold' }>) {
  return {
    key: `f${fold.from}-${fold.to}`,
    row,
    kind: 'fold',
    index: fold.from,
    to: fold.to,
    part: 0,
    firstOfMessage: true,
    lastOfMessage: true,
    category: 'user',
    partKind: 'other',
    badges: [],
    timestamp: null,
  } as const;
}
