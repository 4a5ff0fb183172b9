// A turn in pieces, so that others can be joined to it: its lists by element, the words beside its content, and all else
// as a frame. Joining costs what is joined; the text of many turns is put together once, when it is asked for.
import type { PartPlace } from '../../../model/exchanges.ts';
import { readMessage } from '../../../model/readMessage.ts';
import { Growing } from '../../../util/growing.ts';
import { jsonString, locate, setMember, valueTextAt } from '../../../util/json/index.ts';
import { isRecord, stringAt } from '../../../util/unknown.ts';
import type { Origins } from '../../../view/types.ts';
import type { Draft, Fields } from '../draft.ts';
import { blockTexts, elementTexts, listKey } from '../shape.ts';
import { holdsCompaction } from '../traits.ts';

type PartPlaces = readonly PartPlace[];

/** Members that hold words beside the content: those of several turns become one text. */
export const WORDS = ['reasoning_content', 'reasoning', 'thinking_signature'] as const;
/** Of these one is read as reasoning: the first that says something. */
const REASONING = ['reasoning_content', 'reasoning'] as const;

/** One text, or several that become one. */
export interface Words {
  readonly all: Growing<string>;
  /** As it was written, while it is one. */
  readonly literal: string | null;
}

/** What a joint is made of. */
export interface Pieces {
  readonly key: 'content' | 'parts';
  /** The message with empty lists and words: what they hold is in the other pieces. */
  readonly frame: string;
  /** Whether the frame has a list of blocks. */
  readonly isList: boolean;
  readonly blocks: Growing<string>;
  readonly calls: Growing<string>;
  readonly words: ReadonlyMap<string, Words>;
  /** Where each block and each call is from, and the parts beside them. */
  readonly places: Places;
  readonly holdsCompaction: boolean;
  readonly makesCalls: boolean;
  /** Blank blocks from turns that failed: those stay as they are, while they are failed turns. */
  readonly failedBlanks: number;
  /** About how many characters the message has. */
  readonly chars: number;
  /** The text that it was opened from; null = it was joined. */
  readonly text: string | null;
}

/** Where parts are from: those of lists by element, of a member beside them by its name. */
export interface Places {
  readonly blocks: Growing<PartPlaces>;
  readonly calls: Growing<PartPlaces>;
  readonly beside: ReadonlyMap<string, Growing<PartPlace>>;
}

const NOWHERE: readonly PartPlace[] = [];

/** A turn, or several that were joined. Immutable. */
export class Joint {
  readonly pieces: Pieces;
  #fields: Fields | null = null;
  #isPlain: boolean | null = null;

  constructor(pieces: Pieces) {
    this.pieces = pieces;
  }

  /** The pieces of a message. */
  static open(draft: Draft): Joint {
    const { text, value } = draft;
    const key = listKey(value) === 'parts' ? 'parts' : 'content';
    const content = valueTextAt(text, [key]);
    const isList = content?.startsWith('[') === true;
    const blocks = key === 'parts' ? listOf(content) : isBlankAnswer(value) ? [] : blockTexts(content);
    const calls = listOf(memberText(text, 'tool_calls'));
    const words = wordsOf(text);
    let frame = isList ? setMember(text, [], key, '[]') : text;
    if (calls.length > 0) frame = setMember(frame, [], 'tool_calls', '[]');
    for (const name of words.keys()) frame = setMember(frame, [], name, '""');
    return new Joint({
      ...{ key, frame, isList, words, text, chars: text.length },
      blocks: Growing.of(blocks),
      calls: Growing.of(calls),
      places: placesOf(draft, key, { blocks: blocks.length, calls: calls.length }),
      holdsCompaction: holdsCompaction(draft),
      makesCalls: draft.pairing.calls,
      failedBlanks: draft.traits.stop === 'error' ? draft.traits.blankTexts.length : 0,
    });
  }

  /** The members of the frame. */
  get fields(): Fields {
    if (this.#fields === null) {
      const parsed: unknown = JSON.parse(this.pieces.frame);
      this.#fields = isRecord(parsed) ? parsed : {};
    }
    return this.#fields;
  }

  /** The JSON of the whole message. */
  render(): string {
    return this.pieces.text ?? this.#assemble();
  }

  #assemble(): string {
    const { frame, key, isList, blocks, calls, words } = this.pieces;
    const filled: (readonly [name: string, json: string])[] = [];
    if (isList) filled.push([key, `[${[...blocks].join(',')}]`]);
    if (calls.length > 0) filled.push(['tool_calls', `[${[...calls].join(',')}]`]);
    for (const [name, { all, literal }] of words) filled.push([name, literal ?? jsonString([...all].join('\n\n'))]);
    const spans = filled.flatMap(([name, json]) => {
      const span = locate(frame, [name]);
      return span === null ? [] : [{ ...span, json }];
    });
    const texts: string[] = [];
    let from = 0;
    for (const { start, end, json } of spans.sort((a, b) => a.start - b.start)) {
      texts.push(frame.slice(from, start), json);
      from = end;
    }
    return texts.join('') + frame.slice(from);
  }

  /** True if what another was joined to it gives the same text again. */
  isSame(joined: Joint): boolean {
    const [before, after] = [this.pieces, joined.pieces];
    const isLonger = after.blocks.length > before.blocks.length || after.calls.length > before.calls.length;
    if (isLonger || before.frame !== after.frame || !haveSameWords(before.words, after.words)) return false;
    this.#isPlain ??= before.text === null || this.#assemble() === before.text;
    return this.#isPlain;
  }

  /** Where the parts of its message are from. */
  origins(message: Fields): Origins {
    const { key, places } = this.pieces;
    const next = { blocks: 0, calls: 0 };
    return readMessage(message).parts.map(({ path }) => {
      const list = String(path[0] ?? key);
      if (list === 'tool_calls') return places.calls.at(next.calls++) ?? NOWHERE;
      if (list === key) return places.blocks.at(next.blocks++) ?? NOWHERE;
      return [...(places.beside.get(list) ?? [])];
    });
  }
}

/** The member beside the content that is read as its reasoning; null = none is. */
export function reasoningKey(words: Pieces['words']): string | null {
  return REASONING.find((name) => words.has(name) && words.get(name)?.literal !== '""') ?? null;
}

function haveSameWords(a: Pieces['words'], b: Pieces['words']): boolean {
  if (a.size !== b.size) return false;
  for (const [name, { all, literal }] of a) {
    const other = b.get(name);
    if (other?.all.length !== all.length || other.literal !== literal) return false;
  }
  return true;
}

// A blank string of the assistant becomes no block: blank blocks of the assistant are taken out before.
function isBlankAnswer(message: Fields): boolean {
  return stringAt(message, 'role') !== 'user' && stringAt(message, 'content')?.trim() === '';
}

function listOf(json: string | null): readonly string[] {
  return json?.startsWith('[') === true ? elementTexts(json) : [];
}

function wordsOf(text: string): Map<string, Words> {
  const words = new Map<string, Words>();
  for (const name of WORDS) {
    const literal = memberText(text, name);
    if (literal?.startsWith('"') === true) words.set(name, { all: Growing.of([String(JSON.parse(literal))]), literal });
  }
  return words;
}

function placesOf(draft: Draft, key: string, counts: { readonly blocks: number; readonly calls: number }): Places {
  const blocks = new Array<PartPlaces>(counts.blocks).fill(NOWHERE);
  const calls = new Array<PartPlaces>(counts.calls).fill(NOWHERE);
  const beside = new Map<string, Growing<PartPlace>>();
  const { facts, origins } = draft;
  for (const [at, { path }] of facts.parts.entries()) {
    const [list = key, element = 0] = path;
    const places = origins[at] ?? NOWHERE;
    const own = list === key ? blocks : list === 'tool_calls' ? calls : null;
    if (own === null) beside.set(String(list), Growing.of(places));
    else if (Number(element) < own.length) own[Number(element)] = places;
  }
  return { blocks: Growing.of(blocks), calls: Growing.of(calls), beside };
}

/** Most messages have no such member, and to find that out by reading them takes longer than to look for its name. */
export function memberText(text: string, key: string): string | null {
  return text.includes(key) || text.includes('\\u') ? valueTextAt(text, [key]) : null;
}
