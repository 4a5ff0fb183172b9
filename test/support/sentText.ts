// The text that rows show as sent, held against the text of a request's body: part by part, in order. What a wire has no
// place for it tells as a loss; all else has to be there, and nothing else.

import type { Part } from '../../core/model/message.ts';
import { valueAt } from '../../core/model/partText.ts';
import type { TranscriptMeta, TranscriptSource } from '../../core/model/transcript.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { readView, type ViewReader } from '../../core/view/reader.ts';
import { isUnrendered } from '../../core/view/tokens.ts';
import type { StageMemo } from '../../core/view/types.ts';
import { pathText } from '../../core/wire/losses.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import type { Loss, WireTarget } from '../../core/wire/types.ts';
import { type Shown, shownRows } from './shown.ts';

/** Keys whose strings are content; under `WHOLE` all strings are. */
const TEXTS: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'content',
  'output',
  'refusal',
  'reasoning_content',
  'reasoning',
  'summary',
]);
const WHOLE: ReadonlySet<string> = new Set([
  'input',
  'args',
  'response',
  'arguments',
  'partialJson',
  'action',
  'output',
]);
const LISTS: Readonly<Record<WireTarget, string>> = {
  anthropic: 'messages',
  openai: 'messages',
  responses: 'input',
  gemini: 'contents',
};

/** Where the rows show other text than the body holds; empty = nowhere. */
export function sentTextFaults(
  source: TranscriptSource,
  projection: Shown,
  memo: StageMemo,
  target: WireTarget,
  options: { readonly meta: TranscriptMeta; readonly strict: boolean },
): readonly string[] {
  const reader = readView(projection.view, source, memo);
  const wire = toWire(projection.view, source, memo, target, options);
  const body: unknown = JSON.parse(bodyText(wire));
  const list = isRecord(body) ? body[LISTS[target]] : null;
  const sent: string[] = [];
  // The system prompt that is recorded beside the messages stands first in the list of some wires.
  const messages = Array.isArray(list) ? list.slice(list.length - wire.entries.length) : [];
  collect(messages, '', sent);
  const head: string[] = [];
  if (isRecord(body))
    for (const key of ['system', 'instructions', 'systemInstruction']) collect(body[key], 'content', head);
  const losses = Map.groupBy(wire.losses, ({ position }) => position);
  const walk = new BodyWalk(sent, head);
  const { sent: shown } = shownRows(source, projection, reader, true);
  for (const { position, part: at } of shown) {
    const facts = reader.facts(position);
    const part = facts.parts[at];
    if (part === undefined) continue;
    const own = losses.get(position) ?? [];
    // Left out as a whole, because the provider did not show it to the model either.
    if (isUnrendered(reader.item(position)) && own.some(({ kind, how }) => kind === 'message' && how === 'left_out'))
      continue;
    const isSystem = facts.role === 'system' || facts.role === 'developer';
    // What is said to be changed may stand there in other words; what is said to be elsewhere has to be there all the same.
    const isLoose = isTold(own, part) || isSystem;
    const isMoved = own.some(({ kind }) => kind === 'order') || isSystem;
    const texts = textsOf(reader, position, part);
    // What has no text here may have one there: the name of a tool, given as text.
    if (texts.length === 0 && isLoose) walk.loosen();
    for (const text of texts) {
      walk.shows(text);
      if (!isMoved) walk.passElsewhere(text);
      if (isLoose && !isMoved && walk.here !== text) walk.loosen();
      if (isLoose && !isMoved && walk.here !== text) continue;
      if (isMoved) walk.loosen();
      if (isMoved ? walk.holds(text) : walk.goTo(text)) continue;
      const there = walk.here ?? 'nothing';
      return [
        `${target}: position ${position}, ${pathText(part.path)}: the row shows ${cut(text)}, the body has ${cut(there)}`,
      ];
    }
  }
  return walk.rest().map((text) => `${target}: the body has ${cut(text)} more often than it is shown`);
}

/** The texts of a body, gone through in order. Where something was told to be changed some of them may be passed over. */
class BodyWalk {
  readonly #sent: readonly string[];
  readonly #all: ReadonlySet<string>;
  #next = 0;
  #isLoose = false;
  #wasLoose = false;
  readonly #shown = new Map<string, number>();
  readonly #elsewhere = new Map<string, number>();

  constructor(sent: readonly string[], head: readonly string[]) {
    this.#sent = sent.filter((text) => text.trim() !== '');
    this.#all = new Set([...this.#sent, ...head]);
  }

  get here(): string | undefined {
    return this.#sent[this.#next];
  }

  loosen(): void {
    this.#isLoose = true;
    this.#wasLoose = true;
  }

  /** A row shows this text. */
  shows(text: string): void {
    this.#shown.set(text, (this.#shown.get(text) ?? 0) + 1);
  }

  /** Goes behind texts that were told to be elsewhere, and stand here, up to this one. */
  passElsewhere(text: string): void {
    while (this.here !== undefined && this.here !== text && this.#take(this.here)) this.#next++;
  }

  /** Goes behind a text: the next one, unless something was told. */
  goTo(text: string): boolean {
    const found = this.#isLoose ? this.#sent.indexOf(text, this.#next) : this.#next;
    if (found < 0 || this.#sent[found] !== text) return false;
    this.#next = found + 1;
    this.#isLoose = false;
    return true;
  }

  /** A text that was told to be elsewhere: it may stand behind what comes next. */
  holds(text: string): boolean {
    this.#elsewhere.set(text, (this.#elsewhere.get(text) ?? 0) + 1);
    return this.#all.has(text);
  }

  #take(text: string): boolean {
    const count = this.#elsewhere.get(text) ?? 0;
    if (count > 0) this.#elsewhere.set(text, count - 1);
    return count > 0;
  }

  /** A text that the body has and no row shows; what was told to be changed may stand there in other words. */
  rest(): readonly string[] {
    const left = new Map(this.#shown);
    for (const text of this.#sent) {
      const count = left.get(text) ?? 0;
      if (count === 0 && !this.#wasLoose) return [text];
      left.set(text, count - 1);
    }
    return [];
  }
}

function cut(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

// A loss of the part, of something in it, or of the message it is in.
function isTold(losses: readonly Loss[], part: Part): boolean {
  const own = pathText(part.path);
  return losses.some(
    ({ path, kind }) =>
      kind !== 'cache_control' &&
      kind !== 'metadata' &&
      kind !== 'name' &&
      kind !== 'id' &&
      (path === '' || path.startsWith(own) || own.startsWith(path)),
  );
}

function textsOf(reader: ViewReader, position: number, part: Part): readonly string[] {
  const message: unknown = JSON.parse(reader.text(position));
  const texts: string[] = [];
  const key = part.path.findLast((step) => typeof step === 'string') ?? 'content';
  const value = valueAt(message, part.path);
  if (part.path.length === 0 && isRecord(value)) collect(value.content ?? value.response, 'content', texts);
  else collect(value, String(key), texts);
  return texts.filter((text) => text.trim() !== '');
}

function collect(value: unknown, key: string, texts: string[]): void {
  if (typeof value === 'string') {
    if (TEXTS.has(key) || WHOLE.has(key)) collectText(value, texts);
    return;
  }
  if (Array.isArray(value)) {
    for (const each of value) collect(each, key === 'parts' ? 'content' : key, texts);
    return;
  }
  if (!isRecord(value)) return;
  // A document that is a text.
  if (key === 'source' && value.type === 'text' && typeof value.data === 'string') texts.push(value.data);
  // A result that is an object of its own, no block.
  if (
    key === 'content' &&
    !('type' in value) &&
    !('text' in value) &&
    !('functionCall' in value) &&
    !('functionResponse' in value) &&
    !('inlineData' in value)
  ) {
    collectAll(value, texts);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (WHOLE.has(name) && typeof member === 'object') collectAll(member, texts);
    else collect(member, name, texts);
  }
}

// Arguments and results are objects on one wire and their JSON on another: what counts are the texts in them.
function collectText(text: string, texts: string[]): void {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') {
    texts.push(text);
    return;
  }
  try {
    collectAll(JSON.parse(text), texts);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    texts.push(text);
  }
}

function collectAll(value: unknown, texts: string[]): void {
  if (typeof value === 'string') collectText(value, texts);
  else if (Array.isArray(value)) for (const each of value) collectAll(each, texts);
  // An image among the texts of a result has words of its own (`detail`) that nobody said.
  else if (isRecord(value) && value.type !== 'input_image')
    for (const [name, member] of Object.entries(value)) if (name !== 'type') collectAll(member, texts);
}
