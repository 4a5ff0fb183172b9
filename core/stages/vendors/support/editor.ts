// What edits of parts and messages come to: the item in place of a message, its fate, and what that saves.
import type { PartPlace } from '../../../model/exchanges.ts';
import type { MessageFacts, Part } from '../../../model/message.ts';
import { scalarCount } from '../../../util/chars.ts';
import { clearInput, removeParts } from '../../../view/editMessage.ts';
import { withLazyPointers } from '../../../view/lazyPointers.ts';
import { madeOnce } from '../../../view/madeOnce.ts';
import { editItem, mapWithout, ownPartOf } from '../../../view/origins.ts';
import { itemFacts, itemText } from '../../../view/reader.ts';
import { mayPoint, redactionPointer } from '../../../view/redactionPointer.ts';
import { countedBody, replaceResult } from '../../../view/replaceResult.ts';
import { itemPartTokens } from '../../../view/tokens.ts';
import type { Fate, FateKind, PartFate, RedactionPointer, StageContext, ViewItem } from '../../../view/types.ts';
import { savedTokens } from './conclude.ts';
import { appendedMap, appendText } from './inputs.ts';
import type { LiveDecision, Saved } from './liveDecisions.ts';

/** Why something is edited, in the words of its fate. */
export interface Why {
  readonly rule: string;
  readonly reason: string;
  /** Source index of the message that explains it. */
  readonly because?: number;
}

/** One thing that is done to a message. `why` is asked when somebody wants to know. */
export interface LiveEdit {
  readonly place: PartPlace;
  readonly op: 'result' | 'input' | 'remove' | 'drop' | 'append';
  readonly why: () => Why;
  /** `append`: the text. */
  readonly text?: string;
}

/** Edits of a message's parts, one for each part, by position of the part. */
type PartEdits = readonly LiveEdit[];
type Given = Omit<StageContext, 'at'>;

const NO_TEXTS: readonly string[] = [];

/** Edits messages of a view. */
export class Editor {
  readonly context: Given;
  readonly placeholder: string;
  readonly #keepEmpty: boolean;
  readonly #placeholderTokens = new Map<string, number>();
  #inputTokens: number | null = null;

  /** `placeholder` is in the place of cleared results; `keepEmpty`: a message that loses all its parts stays. */
  constructor(context: Given, { placeholder = '', keepEmpty = false } = {}) {
    this.context = context;
    this.placeholder = placeholder;
    this.#keepEmpty = keepEmpty;
  }

  /** What becomes of a message. Null = none of the edits does anything to it. */
  edit(item: ViewItem, edits: readonly LiveEdit[]): LiveDecision | null {
    const dropped = edits.find(({ op }) => op === 'drop');
    if (dropped !== undefined) return this.drop(item, dropped.why);
    const parts = edits.length === 1 && edits[0]?.op !== 'append' ? edits : onePerPart(edits);
    const [first] = parts;
    if (first === undefined) return null;
    const texts =
      edits.length === 1 ? NO_TEXTS : edits.flatMap(({ op, text }) => (op === 'append' ? [text ?? ''] : []));
    const facts = this.facts(item);
    const isEmptied = parts.length === facts.parts.length && parts.every(({ op }) => op === 'remove');
    if (isEmptied && texts.length === 0 && !this.#mayBeEmpty(facts.parts)) {
      return new DroppedMessage(this, item, first.why);
    }
    return new EditedMessage(this, item, this.#editedItem(item, parts, texts), parts, texts);
  }

  /** A message that goes as a whole. */
  drop(item: ViewItem, why: () => Why): LiveDecision {
    return new DroppedMessage(this, item, why);
  }

  facts(item: ViewItem): MessageFacts {
    return itemFacts(item, this.context.source, this.context.memo);
  }

  partTokens(item: ViewItem, part: number): number {
    return itemPartTokens(item, this.context)[part] ?? 0;
  }

  /** Tokens that clearing this result would save. */
  savedByResult(item: ViewItem, part: number): number {
    const own = this.facts(item).parts[part];
    const counted = own === undefined ? this.placeholder : countedBody(own, this.placeholder);
    const words = this.#placeholderTokens.get(counted) ?? this.context.tokens.text(counted);
    this.#placeholderTokens.set(counted, words);
    return Math.max(0, this.partTokens(item, part) - words);
  }

  /** Tokens that emptying this call's arguments would save. */
  savedByInput(item: ViewItem, part: number): number {
    this.#inputTokens ??= this.context.tokens.text('{}');
    return Math.max(0, this.partTokens(item, part) - this.#inputTokens);
  }

  // A message that is a result as a whole cannot be without it.
  #mayBeEmpty(parts: readonly Part[]): boolean {
    return this.#keepEmpty && parts.every(({ path }) => path.length > 0);
  }

  #editedItem(item: ViewItem, edits: PartEdits, texts: readonly string[]): ViewItem {
    let key = this.placeholder;
    for (const { op, place } of edits) key += ` ${op} ${place.part}`;
    for (const text of texts) key += ` ${text}`;
    return madeOnce('vendors.edited', item, key, this.context.memo, () => this.#edited(item, edits, texts));
  }

  #edited<T extends ViewItem>(item: T, edits: PartEdits, texts: readonly string[]): T {
    const facts = this.facts(item);
    const text = this.#textOf(item, facts, edits, texts);
    const gone = new Set(edits.flatMap(({ op, place }) => (op === 'remove' ? [place.part] : [])));
    if (gone.size === 0 && texts.length === 0) return editItem(item, text);
    return editItem(item, text, { facts, map: appendedMap(facts, mapWithout(facts.parts.length, gone), texts.length) });
  }

  #textOf(item: ViewItem, facts: MessageFacts, edits: PartEdits, texts: readonly string[]): string {
    const removed = new Set<number>();
    let text = itemText(item, this.context.source);
    for (const { op, place } of edits) {
      const part = facts.parts[place.part];
      if (part === undefined) continue;
      if (op === 'result') text = replaceResult(text, part, this.placeholder) ?? text;
      else if (op === 'input') text = clearInput(text, part);
      else removed.add(place.part);
    }
    if (removed.size > 0) text = removeParts(text, facts, removed);
    for (const addition of texts) text = appendText(text, addition);
    return text;
  }
}

// Of two edits of one part the first counts, save that what is taken out is taken out.
function onePerPart(edits: readonly LiveEdit[]): PartEdits {
  const parts: LiveEdit[] = [];
  for (const edit of edits) {
    if (edit.op === 'append') continue;
    const at = parts.findIndex(({ place }) => place.part === edit.place.part);
    if (at < 0) parts.push(edit);
    else if (edit.op === 'remove' && parts[at]?.op !== 'remove') parts[at] = edit;
  }
  return parts.sort((a, b) => a.place.part - b.place.part);
}

/** A message that goes as a whole. */
class DroppedMessage implements LiveDecision {
  readonly item = null;
  readonly kind = 'dropped';
  readonly #editor: Editor;
  readonly #before: ViewItem;
  readonly #why: () => Why;

  constructor(editor: Editor, before: ViewItem, why: () => Why) {
    this.#editor = editor;
    this.#before = before;
    this.#why = why;
  }

  fate(): Fate {
    return { kind: this.kind, stage: this.#editor.context.stage, ...this.#why() };
  }

  saved(): Saved {
    let chars = 0;
    for (const part of this.#editor.facts(this.#before).parts) chars += part.chars;
    const tokens = itemPartTokens(this.#before, this.#editor.context).reduce((sum, count) => sum + count, 0);
    return { tokens, chars };
  }
}

/** A message of which parts are edited. */
class EditedMessage implements LiveDecision {
  readonly item: ViewItem;
  readonly kind: FateKind;
  readonly #editor: Editor;
  readonly #before: ViewItem;
  readonly #edits: PartEdits;
  readonly #texts: readonly string[];
  #saved: Saved | null = null;

  constructor(editor: Editor, before: ViewItem, item: ViewItem, edits: PartEdits, texts: readonly string[]) {
    this.#editor = editor;
    this.#before = before;
    this.item = item;
    this.#edits = edits;
    this.#texts = texts;
    this.kind = edits.some(({ op }) => op === 'result') ? 'redacted' : 'rewritten';
  }

  saved(): Saved {
    this.#saved ??= this.#count();
    return this.#saved;
  }

  #count(): Saved {
    const { parts } = this.#editor.facts(this.#before);
    let tokens = 0;
    let chars = 0;
    for (const { op, place } of this.#edits) {
      const part = parts[place.part];
      const own = part?.chars ?? 0;
      if (op === 'result') {
        tokens += this.#editor.savedByResult(this.#before, place.part);
        const { placeholder } = this.#editor;
        const words = part === undefined ? placeholder : countedBody(part, placeholder);
        chars += Math.max(0, own - scalarCount(words));
        continue;
      }
      tokens +=
        op === 'input'
          ? this.#editor.savedByInput(this.#before, place.part)
          : this.#editor.partTokens(this.#before, place.part);
      chars += own;
    }
    for (const text of this.#texts) tokens -= this.#editor.context.tokens.text(text);
    return { tokens, chars };
  }

  fate(): Fate {
    const before = this.#before;
    const { context } = this.#editor;
    const index = before.kind === 'source' ? before.index : null;
    const parts: PartFate[] = [];
    const bodies: Pointed['bodies'][number][] = [];
    for (const { place, op, why } of this.#edits) {
      const raw = ownPartOf(before, place.part);
      if (raw === null) continue;
      const kind = op === 'result' ? 'redacted' : op === 'input' ? 'rewritten' : 'dropped';
      const { rule, reason } = why();
      parts.push({ part: raw, kind, reason });
      if (op === 'result' && index !== null && mayPoint(index, raw, context)) bodies.push({ raw, rule });
    }
    const main = this.#main().why();
    const saved = this.saved().tokens;
    const fate = {
      kind: this.kind,
      stage: context.stage,
      rule: main.rule,
      reason: main.reason,
      ...(main.because !== undefined && { because: main.because }),
      ...(saved > 0 && { chip: savedTokens(saved) }),
      ...(parts.length > 0 && { parts: parts.sort((a, b) => a.part - b.part) }),
    };
    if (index === null || bodies.length === 0) return fate;
    return withLazyPointers(fate, pointersOf, { index, bodies, editor: this.#editor });
  }

  // What is done to results says most, and more than what is done to thinking.
  #main(): LiveEdit {
    const { parts } = this.#editor.facts(this.#before);
    const isOther = ({ place }: LiveEdit): boolean => parts[place.part]?.category !== 'thinking';
    const main = this.#edits.find(({ op }) => op === 'result') ?? this.#edits.find(isOther) ?? this.#edits[0];
    if (main === undefined) throw new Error('a message is edited by nothing');
    return main;
  }
}

/** Results of a raw message that were taken out: its index, their parts, and by which rules. */
interface Pointed {
  readonly index: number;
  readonly bodies: readonly { readonly raw: number; readonly rule: string }[];
  readonly editor: Editor;
}

function pointersOf({ index, bodies, editor }: Pointed): readonly RedactionPointer[] {
  const { placeholder, context } = editor;
  return bodies.flatMap(({ raw, rule }) => redactionPointer(index, raw, placeholder, rule, context) ?? []);
}
