// What in a file looks like a message, whatever format it is of, and what became of it. A reader that makes events of
// most of it, or no message at all, is not this file's: an error says so, and detection asks the next format.

import type { SourceRecord } from '../../model/importSink.ts';
import type { Problem } from '../../model/problem.ts';
import { isKnownBlock } from '../../model/readBlock.ts';
import type { ImportedMessage } from '../../model/transcript.ts';
import { grouped } from '../../util/counts.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { GENERIC_ID } from '../formats/generic/id.ts';
import type { Format } from '../types.ts';

/** Of a reading: the records that look like messages, and those of them that no message holds; the messages, and those mute. */
export interface Heard {
  readonly spoken: number;
  readonly lost: number;
  readonly messages: number;
  /** Messages whose blocks are all of types nobody here knows: they are in the transcript, and say nothing. */
  readonly mute: number;
  /** Some of these types. */
  readonly muteTypes: readonly string[];
  /** Errors reported so far: a reader that says itself what is wrong knows its file. */
  readonly errors: number;
}

const SPEAKERS: ReadonlySet<string> = new Set([
  ...['user', 'human', 'assistant', 'ai', 'model', 'bot', 'gemini'],
  ...['tool', 'function', 'tool_call', 'tool_use', 'tool_result', 'function_call', 'function_call_output', 'reasoning'],
]);
const NAMED_BY = ['role', 'type', 'author', 'sender', 'speaker', 'from'];
const WORDS = ['content', 'text', 'parts', 'message', 'tool_calls', 'arguments', 'parameters', 'output', 'value'];

/** What a message may say beside its content. */
const BESIDE = ['tool_calls', 'function_call', 'reasoning', 'reasoning_content'];

/** True for a record that says who speaks and holds what was said, itself or in its `message`. */
export function isSpoken(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const inner = recordAt(value, 'message');
  return (speaks(value) || (inner !== undefined && speaks(inner))) && (holdsWords(value) || holdsWords(inner));
}

function speaks(fields: Fields): boolean {
  return NAMED_BY.some((key) => SPEAKERS.has(stringAt(fields, key) ?? ''));
}

function holdsWords(fields: Fields | undefined): boolean {
  return fields !== undefined && WORDS.some((key) => !isEmpty(ownAt(fields, key)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function typesIfMute({ value }: ImportedMessage): readonly string[] {
  if (!isRecord(value) || (value.role !== 'user' && value.role !== 'assistant')) return [];
  const blocks = arrayAt(value, 'content') ?? [];
  const saysBeside = BESIDE.some((key) => !isEmpty(ownAt(value, key)));
  if (saysBeside || blocks.some(isKnownBlock)) return [];
  return blocks.map((block) => (isRecord(block) ? (stringAt(block, 'type') ?? '') : '').slice(0, 40));
}

/** Events may turn out to belong to a message that comes later; so many are waited for. */
const WAITING = 4096;
const TYPES_LISTED = 5;

/** Counts while a file is read. */
export class SpeechCount {
  readonly #pending = new Set<number>();
  readonly #lost = new Set<number>();
  #spoken = 0;
  #gone = 0;
  #mute = 0;
  readonly #muteTypes = new Set<string>();

  get heard(): Pick<Heard, 'spoken' | 'lost' | 'mute' | 'muteTypes'> {
    return {
      spoken: this.#spoken,
      lost: this.#gone + this.#lost.size,
      mute: this.#mute,
      muteTypes: [...this.#muteTypes],
    };
  }

  /** A record is about to be read. */
  deliver({ value, byteStart }: SourceRecord): void {
    if (!isSpoken(value)) return;
    this.#spoken++;
    if (this.#pending.size < WAITING) this.#pending.add(byteStart);
  }

  /** What became of it. An event that is a message as well is a message. */
  claim(byteStart: number, kind: 'inMessages' | 'inEvents' | 'ignored'): void {
    if (kind !== 'inEvents') {
      this.#pending.delete(byteStart);
      this.#lost.delete(byteStart);
      return;
    }
    if (!this.#pending.delete(byteStart)) return;
    this.#lost.add(byteStart);
    if (this.#lost.size <= WAITING) return;
    for (const oldest of this.#lost) {
      this.#lost.delete(oldest);
      this.#gone++;
      break;
    }
  }

  message(message: ImportedMessage): void {
    const types = typesIfMute(message);
    if (types.length > 0) this.#mute++;
    for (const type of types) if (this.#muteTypes.size < TYPES_LISTED) this.#muteTypes.add(type);
  }
}

/** Whether a reading shows that the file is another format's. `whole`: all of the file was read. */
export function isMisread({ spoken, lost, messages, mute, errors }: Heard, whole: boolean): boolean {
  if (errors > 0) return false;
  return lost * 2 > spoken || mute * 4 > messages || (whole && messages === 0);
}

// A message or two of a kind that came up since are not a sign of another format.
function isPartlyMute({ mute, messages }: Heard): boolean {
  return mute * 20 > messages;
}

/** What is to be said when a file has been read; null if what looks like messages became messages that say something. */
export function misreadProblem(format: Format, heard: Heard, records: number): Problem | null {
  // A mapping reports itself what it finds no place for.
  if (format.id.startsWith(`${GENERIC_ID}:`)) return null;
  if (records === 0 || heard.errors > 0 || (!isPartlyMute(heard) && !isMisread(heard, true))) return null;
  const [code, text] = misreadText(format, heard, records);
  return {
    code,
    severity: 'warning',
    text: `${text} The file may be of another format; map its fields to read it whole.`,
  };
}

function misreadText(
  { title }: Format,
  { spoken, lost, messages, mute, muteTypes }: Heard,
  records: number,
): readonly [code: string, text: string] {
  if (messages === 0) {
    const kept =
      records === 1 ? 'its one record is kept as an event' : `its ${grouped(records)} records are kept as events`;
    return ['import.no_messages', `No message was found in this file, which was read as ${title}: ${kept}.`];
  }
  if (lost * 2 > spoken) {
    const what = `${grouped(lost)} of ${grouped(spoken)} records that look like messages`;
    return ['import.mostly_events', `${what} are events only: the reader of ${title} does not find what they say.`];
  }
  const types = muteTypes.map((type) => `"${type}"`).join(', ');
  const text = `${grouped(mute)} of ${grouped(messages)} messages hold nothing but blocks of unknown types (${types}): their calls and texts are not seen.`;
  return ['import.unknown_blocks', text];
}
