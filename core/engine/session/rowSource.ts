// Gathers what the rows of a window need from the store, for the pure functions of ../rows.

import { type MessageTime, messageTime } from '../../insight/messageTime.ts';
import { partFateIn } from '../../insight/partFate.ts';
import type { TimedMessages } from '../../insight/requestSpan.ts';
import type { MessageFacts, Part } from '../../model/message.ts';
import { type MessageOrigin, messageOrigin } from '../../model/provenanceOf.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Cell, GoneInto, Provenance, Row, RowWindow, TranscriptLink } from '../../protocol/types.ts';
import type { AssetPlace, StoredSource } from '../../store/types.ts';
import { locate } from '../../util/json/index.ts';
import { standsInView } from '../../view/fates.ts';
import { originOf } from '../../view/origins.ts';
import type { StandingPart, ViewPart } from '../../view/standing.ts';
import type { Fate, FateKind, SourceItem } from '../../view/types.ts';
import { isGone, type RunReplacement, replacementOf } from '../rows/goneRuns.ts';
import type { RowPlace } from '../rows/layout.ts';
import { EMPTY_PREVIEW, type PayloadInfo, type Preview, previewPart, previewWhole } from '../rows/preview.ts';
import {
  emptyPart,
  extraRow,
  filteredRow,
  foldRow,
  goneFoldRow,
  type PartCell,
  partFate,
  partRow,
  type RowMessage,
  type RowPart,
  syntheticRow,
} from '../rows/render.ts';
import { BoundedMap } from './boundedMap.ts';
import type { Allowance, EditReader } from './edits.ts';
import type { EditedItem } from './prefixHasher.ts';
import { type Projected, viewPartOf } from './projected.ts';
import { timed } from './requestSpans.ts';
import type { Tokenizing } from './tokenizing.ts';

interface PartPreview extends Preview {
  readonly holdsImage: boolean;
}

const REMEMBERED_MESSAGES = 2000;
const ROW_CHARS = 100_000;

/** Rows of the projections of one transcript. */
export class RowSource {
  readonly #source: StoredSource;
  readonly #timed: TimedMessages;
  readonly #edits: EditReader;
  readonly #spawned: () => ReadonlyMap<string, TranscriptLink>;
  readonly #previews = new BoundedMap<number, readonly PartPreview[]>(REMEMBERED_MESSAGES);
  readonly #origins = new BoundedMap<number, MessageOrigin | null>(REMEMBERED_MESSAGES);
  readonly #editPreviews = new BoundedMap<string, readonly Preview[]>(REMEMBERED_MESSAGES);

  /** `spawned`: the sub-agents that calls started, by the call's id. */
  constructor(source: StoredSource, edits: EditReader, spawned: () => ReadonlyMap<string, TranscriptLink>) {
    this.#source = source;
    this.#timed = timed(source);
    this.#edits = edits;
    this.#spawned = spawned;
  }

  /** The rows [from, to), clamped to those there are. */
  window(projected: Projected, tokens: Tokenizing, from: number, to: number): RowWindow {
    const total = projected.layout.rowCount;
    const rows: Row[] = [];
    const messages = new Map<number, RowMessage>();
    const start = Math.min(from, total);
    for (let row = start; row < Math.min(to, total); row++) {
      const made = this.#row(projected, tokens, row, messages);
      rows.push(projected.marksOf ? { ...made, ...projected.marksOf(projected.layout.place(row)) } : made);
    }
    return { projectionId: projected.id, from: start, rows, total };
  }

  /** Rows of a message (by part) whose fate is other than kept. */
  changedParts(projected: Projected, tokens: Tokenizing, index: number): readonly number[] {
    const message = this.message(projected, tokens, index);
    const changed = message.raw.map((_, part) => part).filter((part) => partFate(message, part).kind !== 'kept');
    // A message can be rewritten where no part shows it (its id, a cache mark): then its first row stands for it.
    return changed.length === 0 ? [0] : changed;
  }

  #row(projected: Projected, tokens: Tokenizing, row: number, messages: Map<number, RowMessage>): Row {
    const place = projected.layout.place(row);
    switch (place.kind) {
      case 'part': {
        const message = messages.get(place.index) ?? this.message(projected, tokens, place.index);
        messages.set(place.index, message);
        const made = this.#linked(partRow(row, message, place.part), message.facts.parts[place.part]);
        const took = place.part === 0 ? this.#took(message) : null;
        return took === null ? made : { ...made, took };
      }
      case 'synthetic':
        return place.ordinal < projected.synthetics.length
          ? this.#synthetic(projected, tokens, row, place.ordinal)
          : this.#extra(projected, tokens, row, place.ordinal - projected.synthetics.length);
      case 'fold':
        return this.#fold(projected, tokens, row, place);
    }
  }

  /** Nobody waited for what a client put there. */
  #took({ index, meta, origin }: RowMessage): MessageTime | null {
    const took = messageTime(this.#timed, index);
    const isAside = origin !== null || meta.injected === true || meta.compactSummary === true;
    return took?.kind === 'person' && isAside ? null : took;
  }

  #fold(projected: Projected, tokens: Tokenizing, row: number, fold: Extract<RowPlace, { kind: 'fold' }>): Row {
    if (fold.filtered !== undefined) return filteredRow(row, fold, fold.filtered.rows, fold.filtered.fromRow);
    const own = { tokens: tokens.rangeTotal(fold.from, fold.to), tokensProvenance: tokens.provenance };
    const { projection } = projected;
    const fate = fold.from < projection.at ? projection.said.fateOf(fold.from) : null;
    if (fate === null || !isGone(fate.kind)) return foldRow(row, fold, own.tokens, own.tokensProvenance);
    const into = replacementOf(fold, fate, projected.synthetics);
    const stage = stageTitle(projected, fate.stage ?? 0);
    return goneFoldRow(row, fold, own, fate, { stage, into: into && this.#replacement(projected, tokens, into) });
  }

  #replacement(projected: Projected, tokens: Tokenizing, into: RunReplacement): GoneInto {
    if (into.kind === 'message') {
      const total = tokens.rangeTotal(into.index, into.index + 1);
      return { kind: 'message', index: into.index, tokens: total, tokensProvenance: tokens.provenance };
    }
    const row = projected.layout.rowOfSynthetic(into.ordinal);
    const { tokens: total, tokensProvenance } = this.#synthetic(projected, tokens, row, into.ordinal).projected ?? {};
    return { kind: 'synthetic', row, tokens: total ?? 0, tokensProvenance: tokensProvenance ?? tokens.provenance };
  }

  #linked(row: Row, part: Part | undefined): Row {
    if (part?.kind !== 'tool_call' || part.callId == null) return row;
    const spawned = this.#spawned().get(part.callId);
    return spawned ? { ...row, spawned } : row;
  }

  #synthetic(projected: Projected, tokens: Tokenizing, row: number, ordinal: number): Row {
    const item = projected.synthetics[ordinal]?.item;
    if (!item) throw new Error(`no synthetic message ${ordinal}`);
    const edit = this.#edits.read(item);
    const own = tokens.edit(edit, { chars: ROW_CHARS });
    const preview = previewWhole(this.#editPreview(item.text, edit.facts));
    const total = own.byCategory.reduce((sum, count) => sum + count, 0);
    const cell = cellOf(preview, total, own.counted ? tokens.cellProvenance : 'estimated');
    const repaired = isHygiene(projected, item.stage);
    return syntheticRow(row, {
      item,
      ordinal,
      facts: edit.facts,
      cell,
      stageTitle: stageTitle(projected, item.stage),
      repaired,
    });
  }

  /** A message with its cells and what became of its parts. */
  message(projected: Projected, tokens: Tokenizing, index: number): RowMessage {
    const facts = this.#source.facts(index);
    const { projection, map } = projected;
    const fate = index < projection.at ? projection.said.fateOf(index) : null;
    const base = {
      index,
      facts,
      meta: this.#source.meta(index),
      origin: this.#origin(index),
      raw: this.#rawCells(index, facts, tokens),
      fate,
      repaired: fate !== null && fate.kind !== 'kept' && isHygiene(projected, fate.stage),
    };
    const position = index < projection.at ? map.positionOf(index) : null;
    const item = position === null ? undefined : projection.view.items[position];
    const standing = index < projection.at ? projected.standing.messages.get(index) : undefined;
    if (!base.fate || (standing === undefined && item?.text === undefined)) return { ...base, parts: null };
    const { fate: own } = base;
    const parts = base.raw.map((_, part) => {
      const place = viewPartOf(projected, index, part);
      return this.#rowPart(projected, tokens, { index, part, fate: own }, place);
    });
    return { ...base, parts };
  }

  #origin(index: number): MessageOrigin | null {
    const known = this.#origins.get(index);
    if (known !== undefined) return known;
    const origin = messageOrigin(JSON.parse(this.#source.text(index)), this.#source.meta(index));
    this.#origins.set(index, origin);
    return origin;
  }

  #rowPart(
    projected: Projected,
    tokens: Tokenizing,
    { index, part, fate }: { readonly index: number; readonly part: number; readonly fate: Fate },
    place: StandingPart | null,
  ): RowPart {
    const named = fate.parts?.find((each) => each.part === part);
    const holder = place === null ? undefined : projected.projection.view.items[place.position];
    if (place === null || holder?.text === undefined) {
      return { ...partFateIn(fate, named, null), projected: null, elsewhere: null };
    }
    const edited: EditedItem = { ...holder, text: holder.text };
    const same = this.#edits.read(edited).sameAs[place.part];
    const isSame = same?.message === index && same.part === part;
    const isInOwn = holder.kind === 'source' && holder.index === index;
    const kept = isInOwn ? partFateIn(fate, named, isSame) : { kind: elsewhereKind(fate), reason: fate.reason };
    if (!place.own) return { ...kept, projected: null, elsewhere: rowOfPart(projected, place) };
    const cell = this.#editCells(edited, tokens, { chars: ROW_CHARS })[place.part] ?? null;
    return { ...kept, projected: cell, elsewhere: null };
  }

  #extra(projected: Projected, tokens: Tokenizing, row: number, ordinal: number): Row {
    const { view, fates } = projected.projection;
    const { position, part } = projected.standing.extras[ordinal] ?? { position: -1, part: -1 };
    const item = view.items[position];
    if (item?.kind !== 'source' || item.text === undefined) throw new Error(`no part without a row ${ordinal}`);
    const edited: EditedItem & SourceItem = { ...item, text: item.text };
    const own = this.#editCells(edited, tokens, { chars: ROW_CHARS })[part];
    if (own === undefined) throw new Error(`no part ${part} of the edited message #${item.index}`);
    const fate = fates[item.index];
    const stage = fate?.stage ?? 0;
    const { role } = this.#edits.read(edited).facts;
    return extraRow(row, {
      item,
      part,
      role,
      own,
      fate,
      stageTitle: stageTitle(projected, stage),
      repaired: isHygiene(projected, stage),
    });
  }

  #editCells(item: EditedItem, tokens: Tokenizing, allowance: Allowance): readonly PartCell[] {
    const edit = this.#edits.read(item);
    const own = tokens.edit(edit, allowance);
    const previews = this.#editPreview(item.text, edit.facts);
    return edit.facts.parts.map((part, at) => ({
      part,
      holdsImage: false,
      cell: cellOf(
        previews[at] ?? EMPTY_PREVIEW,
        own.parts[at] ?? 0,
        own.counted && part.kind !== 'image' ? tokens.cellProvenance : 'estimated',
      ),
    }));
  }

  #editPreview(text: string, facts: MessageFacts): readonly Preview[] {
    const known = this.#editPreviews.get(text);
    if (known) return known;
    const message: unknown = JSON.parse(text);
    const previews = facts.parts.map((part) => previewPart(message, part, null));
    this.#editPreviews.set(text, previews);
    return previews;
  }

  #rawCells(index: number, facts: MessageFacts, tokens: Tokenizing): readonly PartCell[] {
    if (facts.parts.length === 0) {
      return [
        { part: emptyPart(facts.role), holdsImage: false, cell: cellOf(EMPTY_PREVIEW, 0, tokens.cellProvenance) },
      ];
    }
    const previews = this.#rawPreviews(index, facts);
    return facts.parts.map((part, at) => {
      const figure = tokens.part(index, at);
      const provenance = figure.counted && part.kind !== 'image' ? tokens.cellProvenance : 'estimated';
      const preview = previews[at];
      return {
        part,
        holdsImage: preview?.holdsImage ?? false,
        cell: cellOf(preview ?? EMPTY_PREVIEW, figure.tokens, provenance),
      };
    });
  }

  #rawPreviews(index: number, facts: MessageFacts): readonly PartPreview[] {
    const known = this.#previews.get(index);
    if (known) return known;
    const text = this.#source.text(index);
    const message: unknown = JSON.parse(text);
    const places = this.#source.assets(index);
    const previews = facts.parts.map((part) => {
      const payload = payloadIn(text, part.path, places);
      const holdsImage = payload?.mime.startsWith('image/') === true && part.kind !== 'image';
      return { ...previewPart(message, part, payload), holdsImage };
    });
    this.#previews.set(index, previews);
    return previews;
  }
}

function stageTitle({ projection }: Projected, stage: number): string {
  return projection.reports[stage]?.title ?? `stage ${stage + 1}`;
}

/** The row in which a part of the view stands. */
function rowOfPart({ layout, projection, standing, synthetics }: Projected, { position, part }: ViewPart): number {
  const synthetic = synthetics.findIndex((placed) => placed.position === position);
  if (synthetic >= 0) return layout.rowOfSynthetic(synthetic);
  const extra = standing.extras.findIndex((each) => each.position === position && each.part === part);
  if (extra >= 0) return layout.rowOfSynthetic(synthetics.length + extra);
  const item = projection.view.items[position];
  const own = (item === undefined ? [] : originOf(item, part)).find((place) => {
    const standsIn = standing.messages.get(place.message)?.[place.part];
    return standsIn?.own === true && standsIn.position === position && standsIn.part === part;
  });
  return own === undefined ? -1 : layout.rowOf(own.message, own.part);
}

// A message of which a part is in another one was joined with it, whatever else was said of it.
function elsewhereKind({ kind }: Fate): FateKind {
  return standsInView(kind) ? 'merged' : kind;
}

function isHygiene({ projection }: Projected, stage: number | null): boolean {
  return stage !== null && STAGES.traitsOf(projection.reports[stage]?.kind ?? '').repairs === true;
}

function cellOf({ text, mono, pieces }: Preview, tokens: number, tokensProvenance: Provenance): Cell {
  return { text, ...(pieces && { pieces }), mono, tokens, tokensProvenance };
}

/** The first payload that stands within the value at a path. */
export function payloadIn(
  text: string,
  path: readonly (string | number)[],
  places: readonly AssetPlace[],
): PayloadInfo | null {
  if (places.length === 0) return null;
  const span = locate(text, path);
  if (!span) return null;
  return places.find((place) => place.start >= span.start && place.end <= span.end)?.asset ?? null;
}
