// One session's messages as they come in. An answer waits, with all that follows it, until its token count has come or
// something shows that none will: only then is its message complete.

import type { MessageMeta, Usage } from '../../../model/message.ts';
import type { ImportedEvent, Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { canonicalJson } from '../../../util/json/index.ts';
import { arrayAt, isRecord } from '../../../util/unknown.ts';
import { fingerprint } from '../../fingerprint.ts';
import { elementSpans, spanAt } from '../../slices.ts';
import type { SourceRecord } from '../../types.ts';
import { itemKind, type JoinedMessage, joinAnswer, messageOf, type ResponseItem } from '../responsesItems.ts';
import { Extent, originOf } from '../shared.ts';
import type { TrackingSink } from '../trackingSink.ts';

interface Answer {
  readonly items: ResponseItem[];
  readonly origins: Origin[];
  meta: MessageMeta;
  counted: boolean;
}

type Waiting =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'message'; readonly message: JoinedMessage; readonly meta: MessageMeta; readonly origin: Origin }
  | { readonly kind: 'event'; readonly event: Omit<ImportedEvent, 'at'> };

/** So much waits at most for a token count that may never come. */
const MAX_WAITING = 2000;

/** Collects a session's messages and hands them over in order. The sink must be at this session's transcript. */
export class CodexSession {
  readonly key: string;
  readonly start: TranscriptMeta;
  readonly extent = new Extent();
  title: string | undefined;
  model: string | undefined;
  readonly #sink: TrackingSink;
  #waiting: Waiting[] = [];
  // The answer that takes more items, and the one a token count would belong to.
  #open: Answer | null = null;
  #last: Answer | null = null;
  #early: { readonly usage: Usage; readonly record: SourceRecord; readonly event: Omit<ImportedEvent, 'at'> } | null =
    null;
  #countMayComeFirst = true;
  // Messages of people and clients by what they say: a compaction repeats those it kept.
  readonly #said = new Map<string, number>();

  constructor(key: string, start: TranscriptMeta, sink: TrackingSink) {
    this.key = key;
    this.start = start;
    this.#sink = sink;
  }

  /** True as long as it has no message. The sink must be at this session's transcript. */
  get empty(): boolean {
    return this.#sink.length === 0 && this.#waiting.every((one) => one.kind === 'event');
  }

  /** An item of an answer: of the open one, or the first of a new one. */
  answer(item: ResponseItem, meta: MessageMeta, origin: Origin): void {
    const open = this.#open;
    if (open) {
      open.items.push(item);
      open.origins.push(origin);
      open.meta = { ...meta, ...open.meta };
      return;
    }
    this.flush();
    const early = this.#early;
    this.#early = null;
    if (early) this.#sink.ignored(early.record, 'its counts stand with the answer after it');
    const answer = {
      items: [item],
      origins: [origin],
      meta: early ? { ...meta, usage: early.usage } : meta,
      counted: false,
    };
    this.#open = answer;
    this.#last = answer;
    this.#countMayComeFirst = false;
    this.#waiting.push({ kind: 'answer', answer });
  }

  /** The output of a call. It ends the answer, whose token count may still come. */
  output(message: JoinedMessage, meta: MessageMeta, origin: Origin): void {
    this.#open = null;
    this.#push({ kind: 'message', message, meta, origin });
  }

  /** What somebody else than the model said. */
  message(message: JoinedMessage, meta: MessageMeta, origin: Origin): void {
    this.boundary();
    this.#push({ kind: 'message', message, meta, origin });
  }

  event(event: Omit<ImportedEvent, 'at'>): void {
    this.#push({ kind: 'event', event });
  }

  /** A token count: of the answer before it or, as older releases wrote it, of the answer that comes next. */
  count(usage: Usage, record: SourceRecord, event: Omit<ImportedEvent, 'at'>): void {
    const last = this.#last;
    if (last && !last.counted) {
      last.meta = { ...last.meta, usage };
      last.counted = true;
      this.#sink.ignored(record, 'its counts stand with the answer before it');
      this.#open = null;
      this.flush();
    } else if (!last && this.#countMayComeFirst && !this.#early) {
      this.#early = { usage, record, event };
    } else {
      this.event(event);
    }
  }

  /** Something after which no token count belongs to what was before, and no item to an open answer. */
  boundary(): void {
    this.flush();
    this.#open = null;
    this.#last = null;
    this.#countMayComeFirst = true;
    const early = this.#early;
    this.#early = null;
    if (early) this.event(early.event);
  }

  /** A turn's context: an older release's token count may follow it, unless the history was just compacted. */
  context(): void {
    const mayComeFirst = this.#countMayComeFirst || this.#last !== null;
    this.boundary();
    this.#countMayComeFirst = mayComeFirst;
  }

  /** What came before is replaced, for the model, by the record's `replacement_history`. */
  compaction(record: SourceRecord, history: readonly unknown[], event: Omit<ImportedEvent, 'at'>): void {
    this.boundary();
    this.flush();
    this.#countMayComeFirst = false;
    const at = this.#sink.length;
    const preserved = this.#preserved(record, history);
    const data = preserved.length > 0 ? { at, preserved } : { at };
    this.#sink.compaction({ ...event, at }, data);
  }

  #preserved(record: SourceRecord, history: readonly unknown[]): readonly number[] {
    const list = spanAt(record.text, ['payload', 'replacement_history']);
    if (!list || record.text.charAt(list.start) !== '[') return [];
    const found = new Set<number>();
    for (const [i, { start, end }] of elementSpans(record.text, list.start).entries()) {
      const value = history[i];
      if (!isRecord(value) || itemKind(value) !== 'message' || !arrayAt(value, 'content')) continue;
      const index = this.#said.get(said(messageOf({ text: record.text.slice(start, end), value })));
      if (index !== undefined) found.add(index);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Hands over all that waits. An open answer stays open only as long as it waits. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#open = null;
    for (const one of waiting) this.#hand(one);
  }

  #push(one: Waiting): void {
    this.#waiting.push(one);
    if (this.#waiting.length > MAX_WAITING) this.flush();
  }

  #hand(one: Waiting): void {
    if (one.kind === 'event') {
      this.#sink.event({ ...one.event, at: this.#sink.length });
    } else if (one.kind === 'message') {
      const index = this.#sink.message({ ...one.message, meta: one.meta, origins: [one.origin] });
      if (one.message.value.role !== 'tool') this.#said.set(said(one.message), index);
    } else {
      const { items, meta, origins } = one.answer;
      this.#sink.message({ ...joinAnswer(items), meta, origins });
    }
  }
}

function said(message: JoinedMessage): string {
  return fingerprint(canonicalJson(message.text));
}

/** An event of a record, its place left open. */
export function eventOf(
  record: SourceRecord,
  kind: string,
  text: string,
  timestamp: string | undefined,
): Omit<ImportedEvent, 'at'> {
  const event = { kind, visibility: 'internal' as const, text, json: record.text, origin: originOf(record) };
  return timestamp === undefined ? event : { ...event, timestamp };
}
