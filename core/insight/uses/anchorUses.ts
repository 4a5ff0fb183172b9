// Anchors by the messages that name them, and what an assistant message says again of them.

import { parsedJson } from '../../model/decode.ts';
import type { Part } from '../../model/message.ts';
import { valueAt } from '../../model/partText.ts';
import { argumentsOf } from '../../model/readBlock.ts';
import { detached, Ints } from '../../util/ints.ts';
import { PagedLists } from '../../util/pagedLists.ts';
import { StringMap } from '../../util/stringMap.ts';
import { isRecord } from '../../util/unknown.ts';
import { type Anchor, type AnchorKind, AnchorReader, anchorKey } from '../anchors/anchors.ts';
import { placesIn } from './evidence.ts';
import type { Needle } from './hunt.ts';
import { type Pace, PIECE_CHARS } from './pace.ts';
import { placedFields, type SaidMessage, type SaidPart } from './said.ts';
import type { Confidence, UseSource } from './types.ts';

/** More earlier messages than these name too much to be relied on. */
const SOURCES_MOST = 3;

/** An anchor in a message, where it stands. */
export interface PlacedAnchor {
  readonly anchor: Anchor;
  readonly key: string;
  readonly place: UseSource;
}

/** Which messages name an anchor. */
export class AnchorIndex {
  readonly #ids = new StringMap<number>();
  /** By number of the anchor: how many messages name it, and the last of them. */
  readonly #messages = new Ints();
  readonly #last = new Ints();
  /** The first of these messages: four numbers a place. */
  readonly #places = new PagedLists();

  /** The messages that named it until now, if there are one to three; else none. */
  sources(key: string): readonly UseSource[] {
    const id = this.#ids.get(key);
    return id === undefined || this.#messages.at(id) > SOURCES_MOST ? [] : placesIn(this.#places, id);
  }

  /** A message names these. */
  add(anchors: readonly PlacedAnchor[]): void {
    for (const { key, place } of anchors) {
      const id = this.#ids.get(key) ?? this.#new(key);
      if (this.#last.at(id) === place.index) continue;
      this.#last.set(id, place.index);
      const messages = this.#messages.at(id) + 1;
      this.#messages.set(id, messages);
      if (messages > SOURCES_MOST) continue;
      for (const each of [place.index, place.part, place.from, place.to]) this.#places.push(id, each);
    }
  }

  /** Leaves no room for more, for now. */
  pack(): void {
    this.#places.pack();
  }

  #new(key: string): number {
    const id = this.#messages.push(0);
    this.#last.push(NOWHERE);
    this.#ids.set(detached(key), id);
    return id;
  }
}

const NOWHERE = -1;

/** The anchors of a message, in order. The names of tools and of arguments are not its words. */
export function* anchorsIn(
  index: number,
  { message, parts }: SaidMessage,
  pace: Pace,
): Generator<void, readonly PlacedAnchor[], void> {
  const found: PlacedAnchor[] = [];
  for (const said of parts) {
    const names = said.part.kind === 'tool_call' ? argumentNames(message, said.part) : NO_NAMES;
    for (const [field, offset] of placedFields(said)) {
      if (names.has(field)) continue;
      for (const reader = new AnchorReader(field); !reader.isDone; ) {
        for (const anchor of reader.next(PIECE_CHARS)) {
          const place = { index, part: said.at, from: anchor.from + offset, to: anchor.to + offset };
          found.push({ anchor, key: anchorKey(anchor), place });
        }
        if (pace.spend(Math.min(field.length, PIECE_CHARS))) yield;
      }
    }
  }
  return found;
}

/** Each anchor once, where it shows most: a call goes before words, and words before thinking. */
export function usedAnchors(anchors: readonly PlacedAnchor[], parts: readonly SaidPart[]): readonly PlacedAnchor[] {
  const best = new Map<string, PlacedAnchor>();
  const rank = ({ place }: PlacedAnchor): number => RANK[parts[place.part]?.part.kind ?? ''] ?? 0;
  for (const each of anchors) {
    const known = best.get(each.key);
    if (rank(each) > 0 && (known === undefined || rank(each) > rank(known))) best.set(each.key, each);
  }
  return [...best.values()];
}

const RANK: Readonly<Record<string, number>> = { tool_call: 3, text: 2, thinking: 1 };

/** The ways to write an anchor: `1234` also as `1,234`. */
export function needlesOf({ kind, text }: Anchor): readonly Needle[] {
  const own = { text, isWhole: true };
  if (kind !== 'number' || !/^\d{4,}$/.test(text)) return [own];
  return [own, { text: text.replace(/\B(?=(\d{3})+$)/g, ','), isWhole: true }];
}

/** Flags, numbers and quoted words are known from elsewhere more often than names are. */
export function anchorConfidence(kind: AnchorKind): Confidence {
  return kind === 'flag' || kind === 'number' || kind === 'quoted' ? 'suspect' : 'probable';
}

const NO_NAMES: ReadonlySet<string> = new Set();

function argumentNames(message: unknown, call: Part): ReadonlySet<string> {
  const value = valueAt(message, call.path);
  const given = isRecord(value) ? argumentsOf(value) : undefined;
  const names = new Set<string>([call.name ?? '']);
  const open: unknown[] = [typeof given === 'string' ? parsedJson(given) : given];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) for (const each of next) open.push(each);
    else if (isRecord(next)) {
      for (const [key, own] of Object.entries(next)) {
        names.add(key);
        open.push(own);
      }
    }
  }
  return names;
}
