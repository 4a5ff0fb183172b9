// Collects what a stage does to parts and messages, then makes items and fates of it. Positions are those of the view.
import type { PartPlace } from '../../../../../core/model/exchanges.ts';
import type { Part } from '../../../../../core/model/message.ts';
import { scalarCount } from '../../../../../core/util/chars.ts';
import { clearInput, removeParts } from '../../../../../core/view/editMessage.ts';
import { withLazyPointers } from '../../../../../core/view/lazyPointers.ts';
import { editItem, mapWithout } from '../../../../../core/view/origins.ts';
import type { ViewReader } from '../../../../../core/view/reader.ts';
import { mayPoint, redactionPointer } from '../../../../../core/view/redactionPointer.ts';
import { replaceResult } from '../../../../../core/view/replaceResult.ts';
import {
  type Fate,
  type FateKind,
  PAUSE,
  PAUSE_EVERY,
  type PartFate,
  type Pausing,
  type RedactionPointer,
  type StageContext,
  type ViewItem,
} from '../../../../../core/view/types.ts';
import { savedTokens } from './conclude.ts';
import { partTokens } from './counting.ts';
import { appendedMap, appendText } from './inputs.ts';

/** Why something is edited, in the words of its fate. */
export interface Why {
  readonly rule: string;
  readonly reason: string;
  /** Source index of the message that explains it. */
  readonly because?: number;
}

interface PartEdit {
  readonly part: number;
  readonly op: 'result' | 'input' | 'remove';
  readonly why: Why;
}

type PartEdits = readonly PartEdit[];

/** What the edits of a view come to. `items` null = none is changed. Fates by source index. */
export interface Edited {
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly reclaimedTokens: number;
  readonly reclaimedChars: number;
}

/** What becomes of a message: the item in its place (null = none), and its fate. */
export interface EditedMessage {
  readonly item: ViewItem | null;
  readonly kind: FateKind;
  fate(): Fate;
}

/** Edits of one view. */
export class Edits {
  readonly #reader: ViewReader;
  readonly #context: StageContext;
  readonly #placeholder: string;
  readonly #placeholderTokens: number;
  readonly #placeholderChars: number;
  readonly #inputTokens: number;
  readonly #keepEmpty: boolean;
  readonly #drops = new Map<number, Why>();
  readonly #parts = new Map<number, PartEdit[]>();
  readonly #appended = new Map<number, string[]>();
  #tokens = 0;
  #chars = 0;

  /** `placeholder` stands in the place of cleared results; `keepEmpty`: a message that loses all its parts stays. */
  constructor(reader: ViewReader, context: StageContext, { placeholder = '', keepEmpty = false } = {}) {
    this.#reader = reader;
    this.#context = context;
    this.#placeholder = placeholder;
    this.#placeholderTokens = context.tokens.text(placeholder);
    this.#placeholderChars = scalarCount(placeholder);
    this.#inputTokens = context.tokens.text('{}');
    this.#keepEmpty = keepEmpty;
  }

  /** Puts the placeholder in place of a result's body. */
  clearResult(place: PartPlace, why: Why): void {
    this.#edit(place, 'result', why);
  }

  /** Empties a call's arguments. */
  clearInput(place: PartPlace, why: Why): void {
    this.#edit(place, 'input', why);
  }

  /** Takes a part out. */
  remove(place: PartPlace, why: Why): void {
    this.#edit(place, 'remove', why);
  }

  /** Takes a message out. */
  drop(position: number, why: Why): void {
    this.#drops.set(position, why);
  }

  /** Puts a text behind a message's content. */
  append(position: number, text: string): void {
    this.#appended.set(position, [...(this.#appended.get(position) ?? []), text]);
  }

  /** Tokens that clearing this result would save. */
  savedByResult({ message, part }: PartPlace): number {
    return Math.max(0, partTokens(this.#reader, message, part, this.#context) - this.#placeholderTokens);
  }

  /** Tokens that emptying this call's arguments would save. */
  savedByInput({ message, part }: PartPlace): number {
    return Math.max(0, partTokens(this.#reader, message, part, this.#context) - this.#inputTokens);
  }

  /** Makes the items and fates; pauses often. Call it once. */
  *apply(): Pausing<Edited> {
    const fates = new Map<number, Fate>();
    if (this.#parts.size === 0 && this.#drops.size === 0) {
      return { items: null, fates, reclaimedTokens: 0, reclaimedChars: 0 };
    }
    const items: ViewItem[] = [];
    for (let position = 0; position < this.#reader.length; position++) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      const outcome = this.at(position);
      const item = outcome === null ? this.#reader.item(position) : outcome.item;
      if (item !== null) items.push(item);
      const fate = outcome?.fate();
      const index = this.#reader.indexOf(position);
      if (fate !== undefined && index !== null) fates.set(index, fate);
    }
    return { items, fates, reclaimedTokens: this.#tokens, reclaimedChars: this.#chars };
  }

  /** What becomes of one message; null = it is not edited. Its fate is made, and what is saved counted, when it is asked for. */
  at(position: number): EditedMessage | null {
    const why = this.#drops.get(position);
    if (why !== undefined) return this.#dropMessage(position, why);
    const parts = this.#parts.get(position);
    if (parts === undefined) return null;
    if (parts.length > 1) parts.sort((a, b) => a.part - b.part);
    return this.#editMessage(position, parts);
  }

  // Of two edits of one part the first counts, save that what is taken out is taken out.
  #edit({ message, part }: PartPlace, op: PartEdit['op'], why: Why): void {
    const edits = this.#parts.get(message);
    if (edits === undefined) {
      this.#parts.set(message, [{ part, op, why }]);
      return;
    }
    const at = edits.findIndex((edit) => edit.part === part);
    if (at < 0) edits.push({ part, op, why });
    else if (op === 'remove' && edits[at]?.op !== 'remove') edits[at] = { part, op, why };
  }

  #dropMessage(position: number, why: Why): EditedMessage {
    const fate = (): Fate => {
      for (const [at, part] of this.#reader.facts(position).parts.entries()) {
        this.#tokens += partTokens(this.#reader, position, at, this.#context);
        this.#chars += part.chars;
      }
      return { kind: 'dropped', stage: this.#context.stage, ...why };
    };
    return { item: null, kind: 'dropped', fate };
  }

  #editMessage(position: number, edits: PartEdits): EditedMessage {
    const { parts } = this.#reader.facts(position);
    const [first] = edits;
    const isEmptied = edits.length === parts.length && edits.every(({ op }) => op === 'remove');
    if (first !== undefined && isEmptied && !this.#appended.has(position) && !this.#mayStandEmpty(parts)) {
      return this.#dropMessage(position, first.why);
    }
    const item = this.#editedItem(position, this.#reader.item(position), edits);
    const kind = edits.some(({ op }) => op === 'result') ? 'redacted' : 'rewritten';
    return { item, kind, fate: () => this.#fateOf(position, edits, kind, this.#count(position, edits)) };
  }

  // A message that is a result as a whole cannot be without it.
  #mayStandEmpty(parts: readonly Part[]): boolean {
    return this.#keepEmpty && parts.every(({ path }) => path.length > 0);
  }

  // The same edit of a raw message is one object in every projection: texts are spliced, and read again, only once.
  #editedItem(position: number, item: ViewItem, edits: PartEdits): ViewItem {
    if (item.kind !== 'source' || item.text !== undefined) return this.#edited(position, item, edits);
    const known = this.#context.memo.get('vendors.edited', () => new Map<number, { key: string; item: ViewItem }>());
    let key = this.#placeholder;
    for (const { op, part } of edits) key += ` ${op} ${part}`;
    for (const addition of this.#appended.get(position) ?? []) key += ` ${addition}`;
    const found = known.get(item.index);
    if (found?.key === key) return found.item;
    const edited = this.#edited(position, item, edits);
    known.set(item.index, { key, item: edited });
    return edited;
  }

  #edited<T extends ViewItem>(position: number, item: T, edits: PartEdits): T {
    const facts = this.#reader.facts(position);
    const text = this.#textOf(position, edits);
    const gone = new Set(edits.flatMap(({ op, part }) => (op === 'remove' ? [part] : [])));
    const additions = this.#appended.get(position)?.length ?? 0;
    if (gone.size === 0 && additions === 0) return editItem(item, text);
    return editItem(item, text, { facts, map: appendedMap(facts, mapWithout(facts.parts.length, gone), additions) });
  }

  #textOf(position: number, edits: PartEdits): string {
    const facts = this.#reader.facts(position);
    const removed = new Set<number>();
    let text = this.#reader.text(position);
    for (const { part: at, op } of edits) {
      const part = facts.parts[at];
      if (part === undefined) continue;
      if (op === 'result') text = replaceResult(text, part, this.#placeholder) ?? text;
      else if (op === 'input') text = clearInput(text, part);
      else removed.add(at);
    }
    if (removed.size > 0) text = removeParts(text, facts, removed);
    for (const addition of this.#appended.get(position) ?? []) text = appendText(text, addition);
    return text;
  }

  #count(position: number, edits: PartEdits): number {
    const { parts } = this.#reader.facts(position);
    let tokens = 0;
    for (const { part: at, op } of edits) {
      const place = { message: position, part: at };
      const chars = parts[at]?.chars ?? 0;
      if (op === 'result') {
        tokens += this.savedByResult(place);
        this.#chars += Math.max(0, chars - this.#placeholderChars);
      } else {
        tokens += op === 'input' ? this.savedByInput(place) : partTokens(this.#reader, position, at, this.#context);
        this.#chars += chars;
      }
    }
    for (const addition of this.#appended.get(position) ?? []) tokens -= this.#context.tokens.text(addition);
    this.#tokens += tokens;
    return tokens;
  }

  #fateOf(position: number, edits: PartEdits, kind: FateKind, saved: number): Fate {
    const index = this.#reader.indexOf(position);
    const parts: PartFate[] = [];
    const bodies: Pointed['bodies'][number][] = [];
    for (const { part: at, op, why } of edits) {
      const raw = this.#reader.rawPart(position, at);
      if (raw === null) continue;
      const partKind = op === 'result' ? 'redacted' : op === 'input' ? 'rewritten' : 'dropped';
      parts.push({ part: raw, kind: partKind, reason: why.reason });
      if (op === 'result' && index !== null && mayPoint(index, raw, this.#context))
        bodies.push({ raw, rule: why.rule });
    }
    const { parts: given } = this.#reader.facts(position);
    const isOther = ({ part }: PartEdit): boolean => given[part]?.category !== 'thinking';
    // What is done to results says most, and more than what is done to thinking.
    const main = edits.find(({ op }) => op === 'result') ?? edits.find(isOther) ?? edits[0];
    const fate = {
      kind,
      stage: this.#context.stage,
      rule: main?.why.rule ?? null,
      reason: main?.why.reason ?? '',
      ...(main?.why.because !== undefined && { because: main.why.because }),
      ...(saved > 0 && { chip: savedTokens(saved) }),
      ...(parts.length > 0 && { parts: parts.sort((a, b) => a.part - b.part) }),
    };
    return index === null || bodies.length === 0 ? fate : withLazyPointers(fate, this.#pointers, { index, bodies });
  }

  readonly #pointers = ({ index, bodies }: Pointed): readonly RedactionPointer[] =>
    bodies.flatMap(({ raw, rule }) => redactionPointer(index, raw, this.#placeholder, rule, this.#context) ?? []);
}

/** Results of a raw message that were taken out: its index, their parts, and by which rules. */
interface Pointed {
  readonly index: number;
  readonly bodies: readonly { readonly raw: number; readonly rule: string }[];
}
