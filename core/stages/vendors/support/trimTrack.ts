// inspect_ai's trimming, request by request. Where the conversation begins only moves forward.
import { isRecord, stringAt } from '../../../util/unknown.ts';
import type { ViewReader } from '../../../view/reader.ts';

/** Where the conversation began after the last trim, which was before the request at position `at`. */
export interface Trim {
  readonly start: number;
  /** Up to here messages went by their number; behind it results went that had lost their call. */
  readonly counted: number;
  readonly at: number;
  readonly tokens: number;
}

/** What is known of the messages: shared by a track and its copies. */
interface Messages {
  readonly sums: number[];
  readonly isSystem: boolean[];
  readonly isResult: boolean[];
  /** Marked as the sample's input, among those before the assistant first speaks. */
  readonly inputs: Set<number>;
  firstTurn: number;
  isSpoken: boolean;
}

/** Follows a view that grows at its end. Positions are those of the view. */
export class TrimTrack {
  last: Trim | null = null;
  highest = 0;
  readonly #messages: Messages;
  #start = 0;
  #dropped = 0;

  constructor(messages: Messages | null = null) {
    const none = { sums: [0], isSystem: [], isResult: [], inputs: new Set<number>(), firstTurn: -1, isSpoken: false };
    this.#messages = messages ?? none;
  }

  /** The same, to be tried on; it sees messages that are pushed later. */
  copy(): TrimTrack {
    const copy = new TrimTrack(this.#messages);
    copy.last = this.last;
    copy.highest = this.highest;
    copy.#start = this.#start;
    copy.#dropped = this.#dropped;
    return copy;
  }

  /** True if a message stays whatever happens: instructions, the input. */
  stays(position: number): boolean {
    const { isSystem, inputs, firstTurn } = this.#messages;
    if (isSystem[position] === true) return true;
    return inputs.size > 0 ? inputs.has(position) : firstTurn < 0 || position <= firstTurn;
  }

  /** The view has one more message, of so many tokens. */
  push(position: number, reader: ViewReader, tokens: number): void {
    const messages = this.#messages;
    const { role, parts, beginsTurn } = reader.facts(position);
    messages.isSpoken ||= role === 'assistant';
    if (!messages.isSpoken && isMarked(reader.text(position))) messages.inputs.add(position);
    if (beginsTurn && messages.firstTurn < 0) messages.firstTurn = position;
    messages.isSystem.push(role === 'system');
    messages.isResult.push(!beginsTurn && parts.some(({ kind }) => kind === 'tool_result'));
    messages.sums.push((messages.sums[position] ?? 0) + tokens);
  }

  /** A request is made before position `at`. */
  request(at: number, limit: number, preserve: number): void {
    const tokens = (this.#messages.sums[at] ?? 0) - this.#dropped;
    this.highest = Math.max(this.highest, tokens);
    if (tokens <= limit) return;
    let alive = 0;
    for (let position = this.#start; position < at; position++) if (!this.stays(position)) alive++;
    for (let going = Math.floor(alive * (1 - preserve)); going > 0 && this.#start < at; ) {
      if (!this.stays(this.#start)) going--;
      this.#dropFirst();
    }
    const counted = this.#start;
    // Results whose call is gone follow it.
    while (this.#start < at && (this.stays(this.#start) || this.#messages.isResult[this.#start] === true)) {
      this.#dropFirst();
    }
    this.last = { start: this.#start, counted, at, tokens };
  }

  #dropFirst(): void {
    const { sums } = this.#messages;
    if (!this.stays(this.#start)) this.#dropped += (sums[this.#start + 1] ?? 0) - (sums[this.#start] ?? 0);
    this.#start++;
  }
}

function isMarked(text: string): boolean {
  const message: unknown = JSON.parse(text);
  return isRecord(message) && stringAt(message, 'source') === 'input';
}
