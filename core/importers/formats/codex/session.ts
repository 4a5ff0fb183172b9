// One session's messages as they come in. An answer waits, with all that follows it, until its token count has come or
// something shows that none will: only then is its message complete.

import type { SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta, Usage } from '../../../model/message.ts';
import type { ImportedEvent, Origin, RecordedCompaction, TranscriptMeta } from '../../../model/transcript.ts';
import { canonicalJson } from '../../../util/json/index.ts';
import { fingerprint } from '../../fingerprint.ts';
import { BranchPath } from '../../reading/branchPath.ts';
import { type JoinedMessage, joinAnswer, type ResponseItem } from '../../reading/responsesItems.ts';
import { defined, Extent, originOf } from '../../reading/shared.ts';
import type { TrackingSink } from '../../reading/trackingSink.ts';
import { Failures, type Output } from './failures.ts';

interface Answer {
  readonly items: ResponseItem[];
  readonly origins: Origin[];
  meta: MessageMeta;
  counted: boolean;
  /** Its source index, once it was handed over. */
  index: number | null;
}

/** What somebody else than the model said. */
export interface Said {
  readonly message: JoinedMessage;
  readonly meta: MessageMeta;
  readonly origin: Origin;
  /** What a person wrote: a turn begins. */
  readonly words?: string | undefined;
  readonly isPerson: boolean;
}

type Waiting =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'output'; readonly output: Output }
  | { readonly kind: 'message'; readonly said: Said }
  | { readonly kind: 'event'; readonly event: Omit<ImportedEvent, 'at'> };

/** So much waits at most for a token count that may never come. */
const MAX_WAITING = 2000;

/**
 * Collects a session's messages and hands them over in order. The sink must be at this session's transcript. What was
 * handed over while it could still change (`settle`) is amended when it does.
 */
export class CodexSession {
  readonly key: string;
  readonly start: TranscriptMeta;
  readonly extent = new Extent();
  readonly path: BranchPath;
  name: string | undefined;
  model: string | undefined;
  readonly #sink: TrackingSink;
  readonly #failures: Failures;
  #waiting: Waiting[] = [];
  // The answer that takes more items, and the one a token count would belong to.
  #open: Answer | null = null;
  #last: Answer | null = null;
  #early: { readonly usage: Usage; readonly record: SourceRecord; readonly event: Omit<ImportedEvent, 'at'> } | null =
    null;
  #countMayComeFirst = true;
  // Messages of people and clients by what they say: a compaction repeats those it kept.
  readonly #said = new Map<string, number>();
  // Where people's turns begin on the path: their message, and the client's own messages right before it.
  #turns: { readonly at: number; readonly from: number }[] = [];
  #contextFrom: number | null = null;

  constructor(key: string, start: TranscriptMeta, sink: TrackingSink) {
    this.key = key;
    this.start = start;
    this.#sink = sink;
    this.path = new BranchPath(key);
    this.#failures = new Failures((index, message) => sink.amend(index, message));
  }

  /** True as long as it has no message. The sink must be at this session's transcript. */
  get empty(): boolean {
    return this.#sink.length === 0 && this.#waiting.every((one) => one.kind === 'event');
  }

  /** The thread's name, else the first thing a person wrote. */
  get title(): string | undefined {
    return this.name ?? this.path.words;
  }

  /** An item of an answer: of the open one, or the first of a new one. */
  answer(item: ResponseItem, meta: MessageMeta, origin: Origin): void {
    const open = this.#open;
    if (open) {
      open.items.push(item);
      open.origins.push(origin);
      open.meta = { ...meta, ...open.meta };
      this.#amend(open);
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
      index: null,
    };
    this.#open = answer;
    this.#last = answer;
    this.#countMayComeFirst = false;
    this.#waiting.push({ kind: 'answer', answer });
  }

  /** The output of a call. It ends the answer, whose token count may still come. */
  output(message: JoinedMessage, meta: MessageMeta, origin: Origin): void {
    this.#open = null;
    this.#push({ kind: 'output', output: this.#failures.output(message, meta, origin) });
  }

  /** A record beside the output says that the call failed. */
  failed(callId: string): void {
    this.#failures.failed(callId);
  }

  /** What somebody else than the model said. */
  message(said: Said): void {
    this.boundary();
    this.#push({ kind: 'message', said });
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
      this.#amend(last);
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

  /** What came before is replaced, for the model. `kept`: messages of the new history. */
  compaction(
    event: Omit<ImportedEvent, 'at'>,
    facts: Partial<RecordedCompaction>,
    kept: readonly JoinedMessage[],
  ): void {
    this.boundary();
    this.flush();
    this.#countMayComeFirst = false;
    const at = this.#sink.length;
    const found = new Set(kept.flatMap((message) => this.#said.get(print(message)) ?? []));
    const within = [...found].filter((index) => index < at).sort((a, b) => a - b);
    const preserved = within.length > 0 ? within : undefined;
    this.#sink.compaction({ ...event, at }, { ...facts, at, ...defined({ preserved }) });
  }

  /**
   * The last turns were taken back: the conversation continues before the first of them, and before what the client added
   * for it. What comes before the first turn of all stays. Source: Codex, `drop_last_n_user_turns`.
   */
  rollBack(turns: number, key: string): void {
    this.boundary();
    this.flush();
    const first = Math.max(0, this.#turns.length - turns);
    const turn = this.#turns[first];
    if (turns <= 0 || !turn) return;
    const at = first === 0 ? turn.at : turn.from;
    const known = { ...this.extent.meta(), ...defined({ title: this.title }) };
    const { rewind } = this.path.goTo(this.path.nodeAt(at - 1), key) ?? {};
    if (!rewind) return;
    this.#turns = this.#turns.slice(0, first);
    this.#failures.leave(at);
    for (const [text, index] of this.#said) if (index >= at) this.#said.delete(text);
    this.#sink.rewind({ at, leave: { key, meta: { ...known, ...rewind.leave.meta } } });
  }

  /** Hands over all that waits; an answer that was open, or has no count yet, may still be amended. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) this.#hand(one);
  }

  /** Hands over all that waits, and ends the open answer. */
  flush(): void {
    this.settle();
    this.#open = null;
  }

  #push(one: Waiting): void {
    this.#waiting.push(one);
    if (this.#waiting.length > MAX_WAITING) this.settle();
  }

  #hand(one: Waiting): void {
    if (one.kind === 'event') this.#sink.event({ ...one.event, at: this.#sink.length });
    else if (one.kind === 'message') this.#handSaid(one.said);
    else {
      this.#contextFrom = null;
      this.path.append();
      if (one.kind === 'output') one.output.index = this.#sink.message(this.#failures.messageOf(one.output));
      else one.answer.index = this.#sink.message(joined(one.answer));
    }
  }

  #handSaid({ message, meta, origin, words, isPerson }: Said): void {
    this.path.append(words);
    const index = this.#sink.message({ ...message, meta, origins: [origin] });
    this.#said.set(print(message), index);
    if (isPerson) this.#turns.push({ at: index, from: this.#contextFrom ?? index });
    this.#contextFrom = isPerson ? null : (this.#contextFrom ?? index);
  }

  #amend(answer: Answer): void {
    if (answer.index !== null) this.#sink.amend(answer.index, joined(answer));
  }
}

function joined({ items, meta, origins }: Answer) {
  return { ...joinAnswer(items), meta, origins: [...origins] };
}

function print(message: JoinedMessage): string {
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
