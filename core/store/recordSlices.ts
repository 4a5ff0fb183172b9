// Which stretches of a record are stretches of a message's text: a message that stands in its record as it is, or a
// message joined of several records, whose blocks stand in them one by one.

import { elements, JsonSyntaxError, locate } from '../util/json/index.ts';

/** A stretch both texts share; shorter ones are not worth the bookkeeping. */
export interface SharedStretch {
  readonly start: number;
  readonly length: number;
  readonly messageStart: number;
}

const MIN_LENGTH = 64;

/** Stretches of `record` that equal stretches of `message`, in order and without overlap. */
export function sharedStretches(record: string, message: string): SharedStretch[] {
  if (message.length < MIN_LENGTH) return [];
  const whole = record.indexOf(message);
  if (whole >= 0) return [{ start: whole, length: message.length, messageStart: 0 }];
  const found: SharedStretch[] = [];
  let from = 0;
  for (const span of blockSpans(message)) {
    const length = span.end - span.start;
    if (length < MIN_LENGTH || length > record.length - from) continue;
    const start = record.indexOf(message.slice(span.start, span.end), from);
    if (start < 0) continue;
    found.push({ start, length, messageStart: span.start });
    from = start + length;
  }
  return found;
}

/** The blocks of the message's content, or the content itself if it is no array. */
function blockSpans(message: string): readonly { readonly start: number; readonly end: number }[] {
  try {
    const content = locate(message, ['content']);
    if (content === null) return [];
    return message.charCodeAt(content.start) === 0x5b ? elements(message, content.start) : [content];
  } catch (error) {
    // A message need not be valid JSON by this program's grammar to be kept: then nothing is shared.
    if (error instanceof JsonSyntaxError) return [];
    throw error;
  }
}
