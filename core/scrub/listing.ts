// Findings as they are listed: at which message, in which part, from where to where of its decoded text.
import { decodedText, parseMessage } from '../model/decode.ts';
import type { JsonPath, Part } from '../model/message.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { parseString } from '../util/json/index.ts';
import type { FoundInString } from './json.ts';
import type { Scrubber } from './scrubber.ts';
import { frontTexts, type ScrubSubject } from './transcript.ts';
import type { Tier } from './types.ts';

/** One finding of a transcript. Holds no value. */
export interface ListedFinding {
  readonly kind: string;
  readonly tier: Tier;
  /** Source index; null = not in a message but in what is recorded apart from them (`front`). */
  readonly index: number | null;
  /** Null: in no part of the message. */
  readonly part: number | null;
  /** Offsets in the part's decoded text; where it is not said there (a name of a member, a field of the record) in the string at `path`. */
  readonly from: number;
  readonly to: number;
  readonly path: JsonPath;
  readonly standIn: string;
  readonly isMasked: boolean;
}

/** A finding as rules count it. `index` null = recorded apart from the messages. */
export type PlacedFinding = Pick<ListedFinding, 'kind' | 'tier' | 'index'>;

/** All findings of a transcript, as `parallax scrub` lists them, without their places in the text; a step for each text. */
export function* placedFindings(
  scrubber: Scrubber,
  { source, meta }: Pick<ScrubSubject, 'source' | 'meta'>,
): Generator<void, readonly PlacedFinding[]> {
  const texts = function* () {
    for (const json of frontTexts(meta)) yield { json, index: null };
    for (let index = 0; index < source.length; index++) yield { json: source.text(index), index };
  };
  for (const { json } of texts()) {
    scrubber.learn(json);
    yield;
  }
  const found: PlacedFinding[] = [];
  for (const { json, index } of texts()) {
    for (const { found: all } of scrubber.found(json))
      for (const { kind, tier } of all) found.push({ kind, tier, index });
    yield;
  }
  return found;
}

/** What is found in one message; `learn` has read all texts. */
export function listMessage(scrubber: Scrubber, source: TranscriptSource, index: number): readonly ListedFinding[] {
  const text = source.text(index);
  const found = scrubber.found(text);
  if (found.length === 0) return [];
  const places = new Places(parseMessage(text), source.facts(index).parts);
  return listed(scrubber, text, found, (path, written) => places.of(path, written)).map((one) => ({ ...one, index }));
}

/** What is found in a JSON text that is in front of the messages or beside them. */
export function listFront(scrubber: Scrubber, json: string): readonly ListedFinding[] {
  return listed(scrubber, json, scrubber.found(json), () => null);
}

interface PlaceInPart {
  readonly part: number;
  readonly from: number;
  readonly length: number;
}

/** What a stretch between the quotes of a string says. */
function saidIn(json: string, from: number, to: number): string {
  return parseString(`"${json.slice(from, to)}"`, 0, to - from + 2);
}

function listed(
  scrubber: Scrubber,
  json: string,
  found: readonly FoundInString[],
  placeOf: (path: JsonPath, written: string) => PlaceInPart | null,
): readonly ListedFinding[] {
  return found.flatMap(({ string, found: all }) =>
    all.map((one): ListedFinding => {
      const { kind, tier, value } = one;
      // As the string has it: a value may be written with signs of an address, or have colours in it.
      const written = saidIn(json, string.start + one.from, string.start + one.to);
      const place = placeOf(string.path, value) ?? placeOf(string.path, written);
      const from = place?.from ?? saidIn(json, string.start, string.start + one.from).length;
      const to = from + (place?.length ?? written.length);
      const standIn = scrubber.standIns.of(kind, value);
      const shown = kind === 'image' || kind === 'file' || kind === 'encrypted' ? `${standIn.slice(0, 40)}…` : standIn;
      return {
        kind,
        tier,
        index: null,
        part: place?.part ?? null,
        from,
        to,
        path: string.path,
        standIn: shown,
        isMasked: scrubber.isMasked(one),
      };
    }),
  );
}

/** Where values are in the decoded texts of a message's parts: of one that is there several times, one after the other. */
class Places {
  readonly #message: unknown;
  readonly #parts: readonly Part[];
  readonly #texts = new Map<number, string>();
  readonly #next = new Map<string, number>();

  constructor(message: unknown, parts: readonly Part[]) {
    this.#message = message;
    this.#parts = parts;
  }

  of(path: JsonPath, written: string): PlaceInPart | null {
    const part = partAt(this.#parts, path);
    if (part === null) return null;
    const key = `${part}:${written}`;
    const from = this.#textOf(part).indexOf(written, this.#next.get(key) ?? 0);
    if (from < 0) return null;
    this.#next.set(key, from + written.length);
    return { part, from, length: written.length };
  }

  #textOf(part: number): string {
    const known = this.#texts.get(part);
    const found = this.#parts[part];
    if (known !== undefined || found === undefined) return known ?? '';
    const text = decodedText(this.#message, found);
    this.#texts.set(part, text);
    return text;
  }
}

/** The part that a path in a message leads into; null = into none. */
export function partAt(parts: readonly Pick<Part, 'path'>[], path: JsonPath): number | null {
  let best: { readonly at: number; readonly depth: number } | null = null;
  for (const [at, part] of parts.entries()) {
    const isWithin = part.path.every((step, depth) => path[depth] === step);
    if (isWithin && (best === null || part.path.length > best.depth)) best = { at, depth: part.path.length };
  }
  return best?.at ?? null;
}
