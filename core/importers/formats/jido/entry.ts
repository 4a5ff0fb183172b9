// An entry of a thread, and what it says beside the message it stands for.
import type { MessageMeta, ThreadEntryMeta } from '../../../model/message.ts';
import { atom, outcomeTag, type ThreadEntry } from '../../../model/threadEntry.ts';
import { type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { anthropicUsage, defined, isoTime } from '../../reading/shared.ts';

/** One entry of a file. */
export interface Entry extends ThreadEntry {
  readonly id: string | undefined;
  readonly seq: number | undefined;
  readonly at: string | undefined;
}

/** True for `{kind, payload}` with what orders or correlates it: `seq`, `refs` or `at`. */
export function isEntry(value: unknown): value is Fields {
  if (!isRecord(value) || stringAt(value, 'kind') === undefined || !recordAt(value, 'payload')) return false;
  return (
    numberAt(value, 'seq') !== undefined || recordAt(value, 'refs') !== undefined || ownAt(value, 'at') !== undefined
  );
}

/** The entry in a value that isEntry. */
export function entryOf(text: string, value: Fields): Entry {
  return {
    text,
    kind: atom(stringAt(value, 'kind') ?? ''),
    id: stringAt(value, 'id'),
    seq: numberAt(value, 'seq'),
    payload: recordAt(value, 'payload') ?? {},
    refs: recordAt(value, 'refs') ?? {},
    at: isoTime(ownAt(value, 'at')),
  };
}

/** What an entry says beside its message. */
export function metaOf(entry: Entry): MessageMeta {
  const own = ownMeta(entry);
  return { ...sharedMeta(entry), ...(Object.keys(own).length > 0 && { entries: [own] }) };
}

/** The same of the calls that became one message. */
export function callsMeta(entries: readonly Entry[]): MessageMeta {
  const [first, ...others] = entries;
  if (first === undefined) return {};
  if (others.length === 0) return metaOf(first);
  const own = entries.map((entry) => defined({ id: entry.id, timestamp: entry.at, ...ownMeta(entry) }));
  return { ...sharedMeta(first), entries: own };
}

function sharedMeta({ id, at, refs, payload }: Entry): MessageMeta {
  return defined({
    id,
    timestamp: at,
    requestId: stringAt(refs, 'request_id'),
    callId: stringAt(refs, 'call_id'),
    parentCallId: stringAt(refs, 'parent_call_id'),
    iteration: numberAt(refs, 'iteration'),
    model: stringAt(refs, 'model') ?? stringAt(payload, 'model'),
    usage: anthropicUsage(ownAt(payload, 'usage')),
  });
}

function ownMeta({ kind, refs, payload }: Entry): ThreadEntryMeta {
  const isModelInPayload = stringAt(refs, 'model') === undefined && stringAt(payload, 'model') !== undefined;
  return {
    ...(isModelInPayload && { isModelInPayload }),
    ...(kind === 'tool_result' && resultForm(payload)),
  };
}

function resultForm(payload: Fields): ThreadEntryMeta {
  const result = ownAt(payload, Object.hasOwn(payload, 'result') ? 'result' : 'content');
  const tagged = Object.hasOwn(payload, 'result') ? outcomeTag(result) : null;
  const value = tagged === null ? result : at(result, tagged.at);
  return {
    ...(tagged !== null && { tag: tagged.tag }),
    ...(tagged?.at === 1 && { isPair: true }),
    ...(value !== undefined && typeof value !== 'string' && { isJson: true }),
  };
}

function at(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isRecord(value) ? ownAt(value, String(step)) : undefined;
}
