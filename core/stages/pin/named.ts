// Which parts of the transcript a spec pins, up to a call point: more as it moves on, never fewer.
import { parseMessage } from '../../model/decode.ts';
import type { PartPlace } from '../../model/exchanges.ts';
import { searchPart } from '../../model/searchPart.ts';
import { type TextPattern, textPattern } from '../../util/textPattern.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import { instructionParts, mayBeInstructions } from './instructionFile.ts';
import type { PinParams } from './params.ts';

/** What pins a message: its parts that are pinned, and the words for the option that says so. */
export interface NamedParts {
  readonly parts: ReadonlySet<number>;
  readonly words: string;
}

type Context = Pick<IncrementalContext, 'source' | 'memo'>;

/** Follows the transcript message by message. */
export class NamedMessages {
  readonly #params: PinParams;
  readonly #context: Context;
  readonly #byIndex = new Map<number, NamedParts>();
  #texts: readonly { readonly text: string; readonly search: FirstSaid }[];
  #known = 0;
  #first: number | null = null;

  constructor(params: PinParams, context: Context) {
    this.#params = params;
    this.#context = context;
    this.#texts = params.texts.map((text) => ({ text, search: firstSaid(text, context) }));
  }

  get(index: number): NamedParts | undefined {
    return this.#byIndex.get(index);
  }

  /** Source indices, ascending. */
  get indices(): readonly number[] {
    return [...this.#byIndex.keys()].sort((a, b) => a - b);
  }

  /** Looks at the messages up to a call point; gives those that are newly pinned. */
  moveTo(at: number): readonly number[] {
    const before = this.#known;
    this.#known = at;
    const found = new Set<number>();
    const add = (index: number, parts: Iterable<number>, words: string): void => {
      this.#add(index, parts, words);
      if (this.#byIndex.has(index)) found.add(index);
    };
    for (const index of this.#params.messages) {
      if (index >= before && index < at) add(index, this.#context.source.facts(index).parts.keys(), 'messages');
    }
    if (this.#params.kinds.size > 0) for (let index = before; index < at; index++) this.#addKinds(index, add);
    this.#texts = this.#texts.filter(({ text, search }) => {
      const place = search.before(at);
      if (place !== null) add(place.message, [place.part], `texts: “${shortened(text)}”`);
      return place === null;
    });
    return [...found];
  }

  #addKinds(index: number, add: (index: number, parts: Iterable<number>, words: string) => void): void {
    const { source } = this.#context;
    const { kinds } = this.#params;
    const facts = source.facts(index);
    if (facts.beginsTurn) {
      const said = [...facts.parts.keys()].filter((at) => facts.parts[at]?.kind !== 'tool_result');
      this.#first ??= index;
      if (kinds.has('all_user_messages')) add(index, said, 'kinds: all user messages');
      else if (kinds.has('first_user_message') && this.#first === index) add(index, said, 'kinds: first user message');
    }
    if (!kinds.has('instruction_files') || facts.role === 'assistant' || !mayBeInstructions(source.text(index))) return;
    const parts = instructionParts(JSON.parse(source.text(index)), facts.parts);
    if (parts.length > 0) add(index, parts, 'kinds: instruction files');
  }

  #add(index: number, parts: Iterable<number>, words: string): void {
    const known = this.#byIndex.get(index);
    const all = new Set([...(known?.parts ?? []), ...parts]);
    if (all.size > 0) this.#byIndex.set(index, { parts: all, words: known?.words ?? words });
  }
}

/** Where a text is said first; looked for as far as somebody asks, once for a transcript. */
class FirstSaid {
  readonly #pattern: TextPattern | null;
  readonly #context: Context;
  #next = 0;
  #found: PartPlace | null = null;

  constructor(text: string, context: Context) {
    this.#pattern = textPattern(text);
    this.#context = context;
  }

  /** The part that first says it, if that is before a call point. */
  before(at: number): PartPlace | null {
    while (this.#found === null && this.#next < at) this.#found = this.#look(this.#next++);
    return this.#found !== null && this.#found.message < at ? this.#found : null;
  }

  #look(index: number): PartPlace | null {
    const { source } = this.#context;
    const json = source.text(index);
    if (this.#pattern === null || !this.#pattern.mayStandIn(json)) return null;
    const message = parseMessage(json);
    for (const [part, each] of source.facts(index).parts.entries()) {
      if (searchPart(message, each, this.#pattern) !== null) return { message: index, part };
    }
    return null;
  }
}

function firstSaid(text: string, context: Context): FirstSaid {
  return context.memo.get(`pin.firstSaid ${text}`, () => new FirstSaid(text, context));
}

function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length <= 40 ? line : `${[...line].slice(0, 39).join('')}…`;
}
