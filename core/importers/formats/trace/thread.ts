import type { MessageMeta } from '../../../model/message.ts';
import type { ImportedEvent, ImportedMessage, Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { fingerprint } from '../../fingerprint.ts';
import { Extent } from '../../reading/shared.ts';
import { humanPart } from '../gemini.ts';
import { answerOf, identityOf } from './identity.ts';
import type { TraceItem } from './item.ts';
import type { Json } from './json.ts';

/** A message in its place. */
interface Entry {
  readonly message: Json;
  readonly meta: MessageMeta;
  readonly origins: readonly Origin[];
  readonly item: TraceItem;
}

/** How well a thread fits a request: it holds nothing else; its answer was sent back in other words; not at all. */
export type Fit = 'exact' | 'reworded' | 'none';

/**
 * One conversation of a trace. Its first `settled` messages were part of a request; what follows are answers that no
 * request has sent back yet.
 */
export class Thread {
  readonly key: string;
  readonly #entries: Entry[] = [];
  readonly #events: ImportedEvent[] = [];
  readonly #extent = new Extent();
  #meta: TranscriptMeta;
  #settled = 0;
  #end = '';

  constructor(key: string, meta: TranscriptMeta) {
    this.key = key;
    this.#meta = meta;
  }

  get length(): number {
    return this.#entries.length;
  }

  get settled(): number {
    return this.#settled;
  }

  /** Fingerprint of the settled messages. */
  get end(): string {
    return this.#end;
  }

  get messages(): readonly ImportedMessage[] {
    return this.#entries.map(({ message, meta, origins }) => ({
      text: message.text,
      value: message.value,
      meta,
      origins,
    }));
  }

  /** In the order of their places. */
  get events(): readonly ImportedEvent[] {
    return this.#events.toSorted((a, b) => a.at - b.at);
  }

  get meta(): TranscriptMeta {
    return { ...this.#meta, ...this.#title(), ...this.#extent.meta() };
  }

  /** The messages of the assistant at its end: a framework may record each block of an answer as a separate call. */
  lastAnswers(): readonly Json[] {
    const before = this.#entries.findLastIndex(({ message }) => roleOf(message) !== 'assistant');
    return this.#entries.slice(before + 1).map(({ message }) => message);
  }

  know(meta: Partial<TranscriptMeta>): void {
    this.#meta = { ...this.#meta, ...meta };
  }

  see(item: TraceItem): void {
    for (const time of [item.timestamp, item.call?.meta.timestamp]) this.#extent.time(time);
    this.#extent.model(item.call?.meta.model);
  }

  /** An event before the next message. */
  note(item: TraceItem, kind = item.kind, text = item.line, json = item.json): void {
    const time = item.timestamp === undefined ? {} : { timestamp: item.timestamp };
    const at = this.#entries.length;
    this.#events.push({ kind, at, visibility: 'internal', text, ...time, json, origin: item.origin });
  }

  fits(messages: readonly Json[]): Fit {
    const waiting = this.#entries.slice(this.#settled);
    if (waiting.length === 0) return 'exact';
    const rest = messages.slice(this.#settled);
    if (rest.length < waiting.length) return 'none';
    if (sentBack(waiting, rest).length === waiting.length) return 'exact';
    return rest.slice(0, waiting.length).every((one) => roleOf(one) === 'assistant') ? 'reworded' : 'none';
  }

  /** Takes a request that fits; gives the number of answers that it says in other words. */
  ask(messages: readonly Json[], item: TraceItem): number {
    const waiting = this.#entries.splice(this.#settled);
    const rest = messages.slice(this.#settled);
    const found = sentBack(waiting, rest);
    const isReworded = found.length < waiting.length;
    const places = isReworded ? [...waiting.keys()] : found;
    let reworded = 0;
    for (const [at, message] of rest.entries()) {
      const answer = waiting[places.indexOf(at)];
      if (answer && isReworded && answerOf(answer.message) !== answerOf(message)) {
        reworded++;
        this.#events.push(this.#recorded(answer, this.#entries.length));
      }
      // A document without records of its own has all spans at one place.
      const before = (answer?.origins ?? []).filter(({ byteStart }) => byteStart !== item.origin.byteStart);
      this.#entries.push({ message, meta: answer?.meta ?? {}, origins: [...before, item.origin], item });
    }
    this.settle();
    return reworded;
  }

  // What the model said, where the next request says it otherwise.
  #recorded({ message, item }: Entry, at: number): ImportedEvent {
    const text = 'the answer as the model gave it; the next request sends it reworded';
    return { kind: 'answer', at, visibility: 'internal', text, json: message.text, origin: item.origin };
  }

  /** Counts all messages so far as part of a request. */
  settle(): void {
    for (const { message } of this.#entries.slice(this.#settled))
      this.#end = fingerprint(identityOf(message), this.#end);
    this.#settled = this.#entries.length;
  }

  /** Adds what no request has held yet: an answer, or the result of a tool. */
  add(message: Json, meta: MessageMeta, item: TraceItem): void {
    this.#entries.push({ message, meta, origins: [item.origin], item });
  }

  #title(): { readonly title?: string } {
    for (const { message } of this.#entries) {
      if (roleOf(message) !== 'user' || !isRecord(message.value)) continue;
      const title = humanPart(ownAt(message.value, 'content') ?? ownAt(message.value, 'parts'));
      if (title !== undefined) return { title };
    }
    return {};
  }
}

/**
 * Where a request says the answers that are waiting, the first of them at its beginning; fewer if it does not say all.
 * Results may stand between them: a framework may write each call of an answer as a separate message.
 */
function sentBack(waiting: readonly Entry[], rest: readonly Json[]): readonly number[] {
  const places: number[] = [];
  for (const { message } of waiting) {
    const said = answerOf(message);
    const from = (places.at(-1) ?? -1) + 1;
    const at = rest.findIndex((one, place) => place >= from && answerOf(one) === said);
    if (at < 0 || (places.length === 0 && at > 0)) break;
    places.push(at);
  }
  return places;
}

function roleOf({ value }: Json): string {
  const role = isRecord(value) ? stringAt(value, 'role') : undefined;
  return role === 'model' ? 'assistant' : (role ?? '');
}
