// Folds a recorded stream: of each message and part the last state counts. A part that came in pieces only (the stream
// ended before its last state) is put together from them. All is held until the end, because parts change late.

import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { JsonPath } from '../../../model/message.ts';
import { replaceAt } from '../../../util/json/index.ts';
import { type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { originOf, titleOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { type BusEvent, hookIn } from './event.ts';
import { isScrubbed } from './part.ts';
import type { Piece } from './turn.ts';
import type { SessionWriter } from './writer.ts';

/** A record, its value dropped, and the path to what counts in it. */
interface Stretch {
  readonly record: SourceRecord;
  readonly path: JsonPath;
}

interface HeldPart {
  record: SourceRecord;
  path: JsonPath;
  deltas: Stretch[];
}

interface HeldTurn {
  info: { readonly record: SourceRecord; readonly path: JsonPath; readonly fields: Fields };
  readonly parts: Map<string, HeldPart>;
}

type Item =
  | { readonly kind: 'turn'; readonly turn: HeldTurn }
  | {
      readonly kind: 'event';
      readonly session: string | undefined;
      readonly name: string;
      readonly text: string;
      readonly record: SourceRecord;
    };

const SUPERSEDED = 'a later record of the stream holds this whole';

/** Takes events in order; `end` hands everything to the writer. */
export class StreamFold {
  readonly #sink: ImportSink;
  readonly #writer: SessionWriter;
  readonly #items: Item[] = [];
  readonly #turns = new Map<string, HeldTurn>();
  readonly #parts = new Map<string, HeldPart>();
  readonly #systems = new Map<string, { readonly session: string | undefined; readonly json: string }>();
  #last: HeldTurn | undefined;
  #serial = 0;

  constructor(sink: ImportSink, writer: SessionWriter) {
    this.#sink = sink;
    this.#writer = writer;
  }

  event(record: SourceRecord, event: BusEvent): void {
    const { type, properties, path } = event;
    const info = recordAt(properties, 'info');
    const part = recordAt(properties, 'part');
    if (type === 'message.updated' && info) this.#info(record, [...path, 'info'], info);
    else if (type === 'message.part.updated' && part) this.#part(record, [...path, 'part'], part);
    else if (type === 'message.part.delta') this.#delta(record, event);
    else {
      if (info && type.startsWith('session.')) this.#writer.learn(info);
      this.#note(record, stringAt(properties, 'sessionID'), type, wordsOf(properties));
    }
  }

  /** A record of another kind: a plugin's hook, or something unknown. */
  other(record: SourceRecord): void {
    const hook = hookIn(record.value);
    const input = isRecord(hook?.input) ? hook.input : {};
    const session = stringAt(input, 'sessionID');
    if (!hook) {
      const type = (isRecord(record.value) ? stringAt(record.value, 'type') : undefined) ?? 'untyped';
      this.#note(record, undefined, `unknown:${type}`, 'a record of an unknown type');
    } else if (hook.name === 'experimental.chat.system.transform') {
      const prompts = isRecord(hook.output) ? ownAt(hook.output, 'system') : undefined;
      const model = stringAt(recordAt(input, 'model') ?? {}, 'id') ?? '';
      const json = Array.isArray(prompts) ? systemJson(record.text, prompts) : null;
      if (json !== null) this.#systems.set(`${session} ${model}`, { session, json });
      this.#note(record, session, 'system_prompt', `the system prompt for ${model === '' ? 'a model' : model}`);
    } else this.#note(record, session, hook.name, stringAt(input, 'toolID') ?? hook.name);
  }

  end(): void {
    for (const item of this.#items) {
      if (item.kind === 'event') {
        this.#writer.event(item.session, item.name, item.text, item.record.text, originOf(item.record));
        continue;
      }
      const { info, parts } = item.turn;
      this.#writer.turn({ info: pieceOf(info.record, info.path, []), parts: [...parts.values()].map(partPiece) });
      // Titles are asked of another model: the prompt of the one that answered is the session's.
      const session = stringAt(info.fields, 'sessionID');
      const system = this.#systems.get(`${session} ${stringAt(info.fields, 'modelID') ?? ''}`);
      if (system) this.#writer.system(session, system.json);
    }
  }

  #info(record: SourceRecord, path: JsonPath, fields: Fields): void {
    this.#writer.enter(stringAt(fields, 'sessionID'));
    const key = this.#keyOf(fields);
    const known = this.#turns.get(key);
    if (known) {
      this.#sink.ignored(known.info.record, SUPERSEDED);
      known.info = { record, path, fields };
      return;
    }
    const turn: HeldTurn = { info: { record, path, fields }, parts: new Map() };
    this.#turns.set(key, turn);
    this.#last = turn;
    this.#items.push({ kind: 'turn', turn });
  }

  #part(record: SourceRecord, path: JsonPath, fields: Fields): void {
    this.#writer.enter(stringAt(fields, 'sessionID'));
    const messageId = stringAt(fields, 'messageID') ?? '';
    const turn = isScrubbed(messageId) ? this.#last : this.#turns.get(messageId);
    if (!turn) {
      this.#note(record, stringAt(fields, 'sessionID'), 'part.without_message', 'a part of a message that is not here');
      return;
    }
    const key = this.#keyOf(fields);
    const known = turn.parts.get(key);
    if (!known) {
      const held = { record: withoutValue(record), path, deltas: [] };
      turn.parts.set(key, held);
      this.#parts.set(key, held);
      return;
    }
    const old = [known.record, ...known.deltas.map((delta) => delta.record)];
    for (const each of old) this.#sink.ignored(each, SUPERSEDED);
    Object.assign(known, { record: withoutValue(record), path, deltas: [] });
  }

  #delta(record: SourceRecord, { properties, path }: BusEvent): void {
    const held = this.#parts.get(stringAt(properties, 'partID') ?? '');
    const isText = stringAt(properties, 'field') === 'text' && stringAt(properties, 'delta') !== undefined;
    if (held && isText) held.deltas.push({ record: withoutValue(record), path: [...path, 'delta'] });
    else
      this.#note(record, stringAt(properties, 'sessionID'), 'message.part.delta', 'a piece of a part that is not here');
  }

  // A scrubbed id names nothing: what has one is taken for new.
  #keyOf(fields: Fields): string {
    const id = stringAt(fields, 'id') ?? '';
    return isScrubbed(id) ? `#${this.#serial++}` : id;
  }

  #note(record: SourceRecord, session: string | undefined, name: string, text: string): void {
    if (session !== undefined) this.#writer.enter(session);
    this.#items.push({ kind: 'event', session, name, text, record: withoutValue(record) });
  }
}

// The text is enough, and the value several times its size.
function withoutValue(record: SourceRecord): SourceRecord {
  return { ...record, value: undefined };
}

function wordsOf(properties: Fields): string {
  const status = recordAt(properties, 'status') ?? {};
  const words =
    stringAt(properties, 'file') ?? stringAt(status, 'type') ?? stringAt(recordAt(properties, 'info') ?? {}, 'title');
  return titleOf(words ?? '') ?? 'an event';
}

function systemJson(text: string, prompts: readonly unknown[]): string | null {
  if (prompts.length === 1) return sliceAt(text, [2, 'system', 0]);
  const blocks = prompts.map((_prompt, at) => `{"type":"text","text":${sliceAt(text, [2, 'system', at]) ?? '""'}}`);
  return blocks.length === 0 ? null : `[${blocks.join(',')}]`;
}

function pieceOf(record: SourceRecord, path: JsonPath, more: readonly SourceRecord[]): Piece {
  const text = sliceAt(record.text, path) ?? '{}';
  const fields: unknown = JSON.parse(text);
  return { text, fields: isRecord(fields) ? fields : {}, origins: [record, ...more].map(originOf) };
}

// The pieces are strings' literals: joined within one pair of quotes they are the literal of the whole.
function partPiece({ record, path, deltas }: HeldPart): Piece {
  const piece = pieceOf(
    record,
    path,
    deltas.map((delta) => delta.record),
  );
  if (deltas.length === 0) return piece;
  const literals = [
    sliceAt(piece.text, ['text']) ?? '""',
    ...deltas.map((delta) => sliceAt(delta.record.text, delta.path) ?? '""'),
  ];
  const literal = `"${literals.map((each) => each.slice(1, -1)).join('')}"`;
  const text = stringAt(piece.fields, 'text') === undefined ? piece.text : replaceAt(piece.text, ['text'], literal);
  const fields: unknown = JSON.parse(text);
  return { ...piece, text, fields: isRecord(fields) ? fields : {} };
}
