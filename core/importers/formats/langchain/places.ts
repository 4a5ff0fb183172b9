// Where a record holds messages: a state, a checkpoint, a run's inputs and outputs, what a model was asked and answered.

import type { JsonPath } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { isMessage } from './message.ts';

/** A list of messages in a record. `isAsked` = what a model was asked: only calls of models write lists of lists. */
export interface Place {
  readonly path: JsonPath;
  readonly values: readonly unknown[];
  readonly isAsked: boolean;
  /** What a node adds to the messages, not all there are. */
  readonly isUpdate?: boolean;
}

/** The answers of a model in a record, as paths to the messages; those of one prompt are choices, the first counts. */
export interface Answers {
  readonly paths: readonly JsonPath[];
  readonly values: readonly unknown[];
}

const CONTAINERS: readonly (readonly string[])[] = [
  [],
  ['input'],
  ['inputs'],
  ['inputs', 'input'],
  ['data', 'input'],
  ['kwargs'],
  ['values'],
  ['state'],
  ['channel_values'],
  ['checkpoint', 'channel_values'],
  ['output'],
  ['outputs'],
  ['outputs', 'output'],
  ['data', 'output'],
];
const LISTS = ['messages', 'chat_history', 'history'];

/** The value at a path of keys, or undefined. */
function under(value: unknown, path: readonly (string | number)[]): unknown {
  let at: unknown = value;
  for (const step of path) {
    if (typeof step === 'number') at = Array.isArray(at) ? at[step] : undefined;
    else at = isRecord(at) ? ownAt(at, step) : undefined;
  }
  return at;
}

/** The lists of messages in a value, in the order of what happened: inputs before outputs. */
export function placesIn(value: unknown): readonly Place[] {
  if (Array.isArray(value)) return listsAt(value, []);
  return CONTAINERS.flatMap((path) => {
    const inner = under(value, path);
    if (Array.isArray(inner)) return listsAt(inner, path);
    if (!isRecord(inner)) return [];
    if (path.length > 0 && isMessage(inner)) return [{ path, values: [inner], isAsked: false }];
    return LISTS.flatMap((key) => listsAt(arrayAt(inner, key) ?? [], [...path, key]));
  });
}

function listsAt(list: readonly unknown[], path: JsonPath): readonly Place[] {
  if (list.some(isMessage)) return [{ path, values: list, isAsked: false }];
  return list.flatMap((inner, at) => {
    const isList = Array.isArray(inner) && inner.some(isMessage);
    return isList ? [{ path: [...path, at], values: inner, isAsked: true }] : [];
  });
}

/** The updates of a state, each under the name of the node it came from; none in a record that is a state itself. */
export function updatesIn(value: unknown): readonly Place[] {
  if (!isRecord(value) || placesIn(value).length > 0) return [];
  return Object.entries(value).flatMap(([node, update]) => {
    const messages = isRecord(update) ? ownAt(update, 'messages') : undefined;
    const path = [node, 'messages'];
    if (isMessage(messages)) return [{ path, values: [messages], isAsked: false, isUpdate: true }];
    const values = Array.isArray(messages) && messages.some(isMessage) ? messages : null;
    return values ? [{ path, values, isAsked: false, isUpdate: true }] : [];
  });
}

/** True for what a run was given. */
export function isInput({ path }: Place): boolean {
  return path[0] === 'input' || path[0] === 'inputs' || (path[0] === 'data' && path[1] === 'input');
}

/** What a model answered (`generations`), alone or as the outputs of a run; null if the record holds no answer. */
export function answersIn(fields: Fields): Answers | null {
  for (const path of [[], ['outputs'], ['output']]) {
    const list = under(fields, [...path, 'generations']);
    if (!Array.isArray(list) || list.length === 0) continue;
    const [first]: readonly unknown[] = list;
    const prompt: readonly unknown[] = Array.isArray(first) ? first : list;
    const before = [...path, 'generations', ...(Array.isArray(first) ? [0] : [])];
    const said = prompt.flatMap((generation, at) => {
      const message = isRecord(generation) ? ownAt(generation, 'message') : undefined;
      return isMessage(message) ? [{ path: [...before, at, 'message'], message }] : [];
    });
    if (said.length === 0) continue;
    return { paths: said.map((each) => each.path), values: said.map((each) => each.message) };
  }
  return null;
}

/** The names of what a record holds besides the messages at `paths`. */
export function restOf(fields: Fields, paths: readonly JsonPath[]): readonly string[] {
  return Object.keys(fields).flatMap((key) => {
    const inside = paths.filter((path) => path[0] === key);
    if (inside.length === 0) return [key];
    if (inside.some((path) => path.length === 1 || typeof path[1] === 'number')) return [];
    const inner = recordAt(fields, key) ?? {};
    return Object.keys(inner).filter((name) => !inside.some((path) => path[1] === name));
  });
}

/** The thread or session a record names. */
export function sessionIn(fields: Fields): string | undefined {
  const config = recordAt(recordAt(fields, 'config') ?? {}, 'configurable') ?? {};
  const holders = [config, recordAt(fields, 'metadata') ?? {}, fields];
  for (const key of ['thread_id', 'session_id']) {
    for (const holder of holders) {
      const id = stringAt(holder, key);
      if (id !== undefined && id !== '') return id;
    }
  }
  return undefined;
}
