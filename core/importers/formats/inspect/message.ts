// A message of a sample, or of a model's input or output: the file's text with attachments put in.

import type { MessageMeta, Usage } from '../../../model/message.ts';
import { contentText } from '../../../model/readResult.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import type { FoldMessage } from '../../reading/requestFolder.ts';
import { defined, isoTime, nonEmpty } from '../../reading/shared.ts';
import { elementSpans, type Span, sliceAt, spanAt } from '../../reading/slices.ts';
import type { Attachments } from './attachments.ts';

/** A value of a record and where its text stands. */
export interface Placed {
  readonly value: Fields;
  readonly span: Span;
}

/** The objects of the array at `path` of the value that begins at `from`, with their places; others are left out. */
export function placedAt(text: string, value: Fields, path: readonly string[], from = 0): readonly Placed[] {
  const holder = path.slice(0, -1).reduce<Fields>((fields, key) => recordAt(fields, key) ?? {}, value);
  const values = arrayAt(holder, path.at(-1) ?? '');
  const span = values ? spanAt(text, path, from) : null;
  if (!values || !span) return [];
  return elementSpans(text, span.start).flatMap((place, at) => {
    const one = values[at];
    return isRecord(one) ? [{ value: one, span: place }] : [];
  });
}

/** The message's text as the model got it, and its value. */
export function messageOf(text: string, { value, span }: Placed, attachments: Attachments): FoldMessage {
  const own = text.slice(span.start, span.end);
  const whole = errorAsContent(attachments.resolve(own), value);
  return { text: whole, value: whole === own ? value : JSON.parse(whole) };
}

// A tool that failed has no content: the model is sent the error's message in its place.
function errorAsContent(text: string, message: Fields): string {
  const error = recordAt(message, 'error');
  const content = ownAt(message, 'content');
  const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
  if (!error || !isEmpty || stringAt(error, 'message') === undefined) return text;
  const place = spanAt(text, ['content']);
  const said = sliceAt(text, ['error', 'message']);
  return place && said !== null ? text.slice(0, place.start) + said + text.slice(place.end) : text;
}

/** What makes two messages the same one, their ids left out. */
export function identityOf({ value }: FoldMessage): string {
  const fields = isRecord(value) ? value : {};
  const [content, calls] = ['content', 'tool_calls'].map((key) => contentText(ownAt(fields, key)));
  return [stringAt(fields, 'role'), content, calls, stringAt(fields, 'tool_call_id')].join('\n');
}

/** The answer of a model event (or of a sample's `output`): its first choice, and what is known of it. */
export interface Answer {
  readonly message: FoldMessage;
  readonly id: string | undefined;
  readonly meta: MessageMeta;
}

/** The answer under `output` of the value at `place`; undefined if the model gave none. */
export function answerOf(text: string, { value, span }: Placed, attachments: Attachments): Answer | undefined {
  const output = recordAt(value, 'output') ?? {};
  const [choice] = placedAt(text, value, ['output', 'choices'], span.start);
  const message = choice && recordAt(choice.value, 'message');
  const place = choice && message ? spanAt(text, ['message'], choice.span.start) : null;
  if (!choice || !message || !place) return undefined;
  const id = named(message, 'id');
  const meta = defined({
    id,
    timestamp: isoTime(ownAt(value, 'completed')) ?? isoTime(ownAt(value, 'timestamp')),
    model: named(output, 'model') ?? named(value, 'model'),
    usage: usageOf(recordAt(output, 'usage')),
    stopReason: named(choice.value, 'stop_reason'),
  });
  return { message: messageOf(text, { value: message, span: place }, attachments), id, meta };
}

/** As recorded: whether `input` includes cached tokens is the provider's way. */
function usageOf(usage: Fields | undefined): Usage | undefined {
  if (!usage) return undefined;
  return nonEmpty({
    input: numberAt(usage, 'input_tokens'),
    output: numberAt(usage, 'output_tokens'),
    cacheRead: numberAt(usage, 'input_tokens_cache_read'),
    cacheWrite: numberAt(usage, 'input_tokens_cache_write'),
    reasoning: numberAt(usage, 'reasoning_tokens'),
    total: numberAt(usage, 'total_tokens'),
  });
}

/** The string under `key`, if it is not empty. */
export function named(fields: Fields, key: string): string | undefined {
  const value = stringAt(fields, key);
  return value === '' ? undefined : value;
}
