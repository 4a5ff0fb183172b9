// Puts an answer together from the events it was streamed in (message_start … message_stop). Texts are joined from the
// literals of the deltas; a call's input is the JSON its pieces add up to. Source: Messages API, streaming.

import { anthropicDiagnosis } from '../../../model/cacheDiagnosis.ts';
import type { SourceRecord } from '../../../model/importSink.ts';
import { inputTransformations } from '../../../model/inputTransformations.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { Origin } from '../../../model/transcript.ts';
import { jsonString, setMember } from '../../../util/json/index.ts';
import { type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { parseJson } from '../../reading/record.ts';
import type { FoldMessage } from '../../reading/requestFolder.ts';
import { anthropicSpeed, anthropicUsage, appliedEdits, defined, originOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';

interface Block {
  /** The block as it began. */
  readonly start: string;
  /** Insides of string literals to be appended, by key. */
  readonly texts: Map<string, string>;
  input: string;
}

const TYPES = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

/** True for a stream event that belongs to an answer. */
export function isStreamEvent(fields: Fields): boolean {
  return TYPES.has(stringAt(fields, 'type') ?? '');
}

/** One streamed answer. Add its events in order; `done` after the last. */
export class StreamedAnswer {
  readonly #blocks = new Map<number, Block>();
  readonly #origins: Origin[] = [];
  #meta: MessageMeta = {};
  #done = false;

  get done(): boolean {
    return this.#done;
  }

  get origins(): readonly Origin[] {
    return this.#origins;
  }

  get meta(): MessageMeta {
    return this.#meta;
  }

  add(record: SourceRecord, fields: Fields): void {
    this.#origins.push(originOf(record));
    const index = numberAt(fields, 'index') ?? 0;
    switch (stringAt(fields, 'type')) {
      case 'message_start':
        this.#begin(recordAt(fields, 'message') ?? {});
        break;
      case 'content_block_start':
        this.#blocks.set(index, {
          start: sliceAt(record.text, ['content_block']) ?? '{}',
          texts: new Map(),
          input: '',
        });
        break;
      case 'content_block_delta':
        this.#delta(record, this.#blocks.get(index), recordAt(fields, 'delta') ?? {});
        break;
      case 'message_delta':
        this.#finish(fields);
        break;
      case 'message_stop':
        this.#done = true;
    }
  }

  /** The answer as far as it came. */
  message(): FoldMessage {
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => blockText(block));
    const text = `{"role":"assistant","content":[${blocks.join(',')}]}`;
    return { text, value: parseJson(text).value };
  }

  #begin(message: Fields): void {
    this.#meta = defined({
      id: stringAt(message, 'id'),
      model: stringAt(message, 'model'),
      usage: anthropicUsage(ownAt(message, 'usage')),
      cacheDiagnosis: anthropicDiagnosis(message),
      inputTransformations: inputTransformations(message),
      speed: anthropicSpeed(ownAt(message, 'usage')),
    });
  }

  // The last usage counts; fields it leaves out were said at the start.
  #finish(fields: Fields): void {
    const usage = anthropicUsage(ownAt(fields, 'usage'));
    const stopReason = stringAt(recordAt(fields, 'delta') ?? {}, 'stop_reason');
    this.#meta = {
      ...this.#meta,
      ...defined({
        stopReason,
        usage: usage ? { ...this.#meta.usage, ...usage } : undefined,
        appliedEdits: appliedEdits(ownAt(fields, 'context_management')),
      }),
    };
  }

  #delta(record: SourceRecord, block: Block | undefined, delta: Fields): void {
    if (!block) return;
    const partial = stringAt(delta, 'partial_json');
    if (partial !== undefined) block.input += partial;
    // A compaction's text and what is encrypted of it come in one piece each.
    for (const key of ['text', 'thinking', 'signature', 'content', 'encrypted_content']) {
      const literal = typeof ownAt(delta, key) === 'string' ? sliceAt(record.text, ['delta', key]) : null;
      if (literal) block.texts.set(key, (block.texts.get(key) ?? '') + literal.slice(1, -1));
    }
  }
}

function blockText(block: Block): string {
  let text = block.start;
  const began = parseJson(text).value;
  for (const [key, inner] of block.texts) {
    const before =
      isRecord(began) && typeof ownAt(began, key) === 'string' ? (sliceAt(text, [key]) ?? '""').slice(1, -1) : '';
    text = setMember(text, [], key, `"${before}${inner}"`);
  }
  if (block.input === '') return text;
  // A stream cut off leaves half an input: kept as the text it is.
  return setMember(text, [], 'input', parseJson(block.input).error ? jsonString(block.input) : block.input);
}
