// Which stretches of a record are stretches of a message's text: a message that is in its record as it is, or a
// message joined of several records, whose blocks are in them one by one.

import { elements, type JsonSpan, JsonSyntaxError, skipValue } from '../../util/json/index.ts';

/** A stretch both texts share; shorter ones are not worth the bookkeeping. */
export interface SharedStretch {
  readonly start: number;
  readonly length: number;
  readonly messageStart: number;
}

const MIN_LENGTH = 64;

/** A message's text and where its blocks are in it: found once, then compared with each of its records. */
export class BlockedText {
  readonly text: string;
  #blocks: readonly JsonSpan[] | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** Values that a record may hold as they are: the elements of what looks like the content. A guess does no harm. */
  get blocks(): readonly JsonSpan[] {
    this.#blocks ??= blockSpans(this.text);
    return this.#blocks;
  }
}

/** Stretches of `record` that equal stretches of the message, in order and without overlap; looked for from `hint` on first. */
export function sharedStretches(record: string, message: BlockedText, hint = 0): SharedStretch[] {
  const { text } = message;
  if (text.length < MIN_LENGTH) return [];
  const whole = text.length > record.length ? -1 : indexAfter(record, text, hint);
  if (whole >= 0) return [{ start: whole, length: text.length, messageStart: 0 }];
  const found: SharedStretch[] = [];
  let from = 0;
  for (const span of message.blocks) {
    const length = span.end - span.start;
    if (length < MIN_LENGTH || length > record.length - from) continue;
    const start = record.indexOf(text.slice(span.start, span.end), from);
    if (start < 0) continue;
    found.push({ start, length, messageStart: span.start });
    from = start + length;
  }
  return found;
}

/** Those of some stretches of one text that do not overlap, in order; of two that begin together the longer. */
export function disjoint<S extends Pick<SharedStretch, 'start' | 'length'>>(stretches: readonly S[]): S[] {
  let end = 0;
  return [...stretches]
    .sort((a, b) => a.start - b.start || b.length - a.length)
    .filter(({ start, length }) => {
      if (start < end) return false;
      end = start + length;
      return true;
    });
}

/** Where `part` is in `text`, if it is from `hint` on there, else anywhere; -1 if nowhere. */
export function indexAfter(text: string, part: string, hint: number): number {
  const found = text.indexOf(part, hint);
  return found >= 0 || hint === 0 ? found : text.indexOf(part);
}

const CONTENT = /"content"\s*:\s*/;

function blockSpans(message: string): readonly JsonSpan[] {
  const key = CONTENT.exec(message);
  if (key === null) return [];
  const start = key.index + key[0].length;
  try {
    return message.charCodeAt(start) === 0x5b ? elements(message, start) : [{ start, end: skipValue(message, start) }];
  } catch (error) {
    // A message need not be valid JSON by this program's grammar to be kept: then nothing is shared.
    if (error instanceof JsonSyntaxError) return [];
    throw error;
  }
}
