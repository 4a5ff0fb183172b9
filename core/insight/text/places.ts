// All places in the transcript that say a text: messages, what is in front of them, and events if nothing else does.

import { decodedJson, FIELD_BREAK, parseMessage } from '../../model/decode.ts';
import { type PartHits, searchFields, searchPart } from '../../model/searchPart.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { Span, TextPattern } from '../../util/textPattern.ts';
import { contextOf } from './context.ts';
import { FRONT_LABELS, type PlaceLabels } from './labels.ts';
import { namedIn, type RawHits, type TextQuery } from './search.ts';
import type { FrontPlace, RawTextPlace, ViewPlace } from './types.ts';

/** The most places reported. */
export const PLACES_MOST = 500;

/** What a transcript records in front of its messages, as JSON texts. */
export interface RecordedFront {
  readonly systemJson?: string | undefined;
  readonly toolsJson?: string | undefined;
}

/** What of it says the text, and which anchors it names. */
export interface FrontHits {
  readonly places: readonly (Omit<PartHits, 'part'> & { readonly where: FrontPlace; readonly text: string })[];
  readonly anchors: readonly number[];
}

/** Looks through what is in front of the messages. */
export function searchFront({ systemJson, toolsJson }: RecordedFront, { pattern, finder }: TextQuery): FrontHits {
  const anchors = new Set<number>();
  const places = (['system', 'tools'] as const).flatMap((where) => {
    const fields = decodedJson((where === 'system' ? systemJson : toolsJson) ?? '""');
    for (const anchor of namedIn(fields, finder)) anchors.add(anchor);
    const hits = searchFields(fields, pattern);
    return hits === null ? [] : [{ where, text: fields.join(FIELD_BREAK), ...hits }];
  });
  return { places, anchors: [...anchors] };
}

/** The places in front of a request. */
export function frontPlaces({ places }: FrontHits): readonly ViewPlace[] {
  return places.flatMap(({ where, spans }) =>
    spans.map((span) => ({ index: null, synthetic: null, front: where, part: 0, ...span, label: FRONT_LABELS[where] })),
  );
}

/** An event as far as it is looked through. */
export interface TracedEvent {
  readonly kind: string;
  readonly at: number;
  /** Its line for people. */
  readonly text: string;
  readonly json: string;
}

/** A list of places, and how many there are. */
export interface RawPlaces {
  readonly places: readonly RawTextPlace[];
  readonly total: number;
}

/** The places in events that say the text. Pauses often. */
export function* eventPlaces(
  events: Iterable<TracedEvent>,
  { pattern }: TextQuery,
  now: number,
): Generator<void, RawPlaces, void> {
  const places: RawTextPlace[] = [];
  let total = 0;
  for (const event of events) {
    yield;
    const { kind, at } = event;
    const found = searchEvent(event, pattern);
    if (found === null) continue;
    total += found.count;
    const place = { where: 'event', index: at, part: null, label: `${kind} before #${at}`, present: false } as const;
    for (const span of found.spans) add(places, { ...place, ...placed(found.text, span), after: at > now });
  }
  return { places, total };
}

/** Values of a record may be JSON themselves, so deep at most. */
const DEEPEST = 4;

// What it records; else what is recorded in its strings; else what a person reads of it.
function searchEvent({ text, json }: TracedEvent, pattern: TextPattern) {
  let fields = pattern.mayStandIn(json) ? decodedJson(json) : [];
  for (let depth = 0; depth < DEEPEST && fields.length > 0; depth++) {
    const hits = searchFields(fields, pattern);
    if (hits !== null) return { ...hits, text: fields.join(FIELD_BREAK) };
    fields = fields.flatMap((field) =>
      /^\s*[{[]/.test(field) ? decodedJson(field).filter((one) => one !== field) : [],
    );
  }
  // Its line, and the record as it stands: somebody may have copied it from there.
  for (const said of [text, json]) {
    const hits = searchFields([said], pattern);
    if (hits !== null) return { ...hits, text: said };
  }
  return null;
}

/** The places in messages and in front of them. `isPresent` = whether a part's words are in the request now. */
export function rawPlaces(
  source: TranscriptSource,
  { raw, query: { pattern } }: { readonly raw: RawHits; readonly query: TextQuery },
  front: FrontHits,
  labels: PlaceLabels,
  now: { readonly at: number; isPresent(index: number, part: number): boolean },
): RawPlaces {
  const places: RawTextPlace[] = [];
  let total = 0;
  for (const { where, text, spans, count } of front.places) {
    total += count;
    const place = { where, index: null, part: null, label: FRONT_LABELS[where], present: true, after: false };
    for (const span of spans) add(places, { ...place, ...placed(text, span) });
  }
  for (const [index, { parts }] of raw.messages) {
    total += parts.reduce((sum, { count }) => sum + count, 0);
    if (parts.length === 0 || places.length >= PLACES_MOST) continue;
    const message = parseMessage(source.text(index));
    const facts = source.facts(index);
    for (const { part, spans } of parts) {
      const own = facts.parts[part];
      const text = own === undefined ? '' : (searchPart(message, own, pattern)?.text ?? '');
      const present = index < now.at && now.isPresent(index, part);
      const place = { where: 'message', index, part, label: labels.part(index, part), present } as const;
      for (const span of spans) add(places, { ...place, ...placed(text, span), after: index >= now.at });
    }
  }
  return { places, total };
}

function placed(text: string, span: Span) {
  return { from: span.from, to: span.to, ...contextOf(text, span) };
}

function add(places: RawTextPlace[], place: RawTextPlace): void {
  if (places.length < PLACES_MOST) places.push(place);
}
