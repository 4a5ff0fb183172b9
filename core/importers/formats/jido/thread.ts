// What a record of threads is: a thread, several by name, an entry of a journal; and what a thread says of itself.

import type { JsonPath } from '../../../model/message.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { isEntry } from './entry.ts';

/** A thread in a record, with the name it is known by there. */
export interface Place {
  readonly path: JsonPath;
  readonly name: string | undefined;
  readonly thread: Fields;
}

/** Where an export or an agent's state keeps its thread. */
const HOLDERS: readonly (readonly string[])[] = [[], ['thread'], ['__thread__'], ['state', '__thread__']];
const MAPS: readonly (readonly string[])[] = [['__threads__'], ['threads'], ['state', '__threads__']];

function at(fields: Fields, path: readonly string[]): unknown {
  let value: unknown = fields;
  for (const step of path) value = isRecord(value) ? ownAt(value, step) : undefined;
  return value;
}

/** True for a thread: entries, or the head of one whose entries follow. */
export function isThread(value: unknown): value is Fields {
  if (!isRecord(value)) return false;
  const entries = arrayAt(value, 'entries');
  if (entries) return entries.length === 0 ? numberAt(value, 'rev') !== undefined : entries.some(isEntry);
  return numberAt(value, 'rev') !== undefined && stringAt(value, 'id') !== undefined;
}

/** The threads a record holds. */
export function threadsIn(fields: Fields): readonly Place[] {
  for (const path of HOLDERS) {
    const thread = at(fields, path);
    if (isThread(thread)) return [{ path, name: undefined, thread }];
  }
  for (const path of MAPS) {
    const map = at(fields, path);
    const named = isRecord(map) ? Object.entries(map) : Array.isArray(map) ? [...map.entries()] : [];
    const threads = named.flatMap(([key, thread]) =>
      isThread(thread) ? [{ path: [...path, key], name: typeof key === 'string' ? key : undefined, thread }] : [],
    );
    if (threads.length > 0) return threads;
  }
  return [];
}

/** The entry that a journal's record holds under `entry`, and the thread it names. */
export function journaled(fields: Fields): { readonly entry: Fields; readonly thread: string | undefined } | null {
  const entry = recordAt(fields, 'entry');
  return isEntry(entry) ? { entry, thread: stringAt(fields, 'thread_id') } : null;
}

/** The facts of a thread; its parent, where it is a fork, is for the reader to find. */
export function threadMeta(text: string, path: JsonPath, thread: Fields): Partial<TranscriptMeta> {
  const metadata = recordAt(thread, 'metadata') ?? {};
  const prompt = stringAt(metadata, 'system_prompt') === undefined ? null : ['metadata', 'system_prompt'];
  return defined({
    sessionId: stringAt(thread, 'id'),
    title: stringAt(metadata, 'title'),
    startedAt: isoTime(ownAt(thread, 'created_at')),
    endedAt: isoTime(ownAt(thread, 'updated_at')),
    systemJson: prompt ? (sliceAt(text, [...path, ...prompt]) ?? undefined) : undefined,
  });
}

/** The sequence number of the first entry that a fork does not share with its parent. */
export function forkSeqOf(thread: Fields): number | undefined {
  return numberAt(recordAt(thread, 'metadata') ?? {}, 'fork_seq');
}

/** The thread it was forked from. */
export function parentOf(thread: Fields): string | undefined {
  return stringAt(recordAt(thread, 'metadata') ?? {}, 'parent_thread_id');
}
