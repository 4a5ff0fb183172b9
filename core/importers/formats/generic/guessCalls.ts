// Tool calls and their results: lists whose objects have a name and arguments, and whatever repeats their ids.

import { EACH_ELEMENT, findPlaces, type PathStep, pathText } from '../../../model/mapping/path.ts';
import type { CallsRule, MessageRule, ResultsRule } from '../../../model/mapping/types.ts';
import { valueAt } from '../../../model/partText.ts';
import { contentText } from '../../../model/readResult.ts';
import { isRecord } from '../../../util/unknown.ts';
import { type Field, fieldsOf } from './fields.ts';
import { sounds } from './words.ts';

/** What was found of calls. */
export interface CallsGuess {
  readonly rule: Pick<MessageRule, 'calls' | 'results'>;
  readonly calls: CallsRule | undefined;
  /** Fields that calls and results are in: no texts. */
  readonly taken: readonly (readonly PathStep[])[];
  /** Values of fields of messages that answer a call, whichever of them is the role. */
  readonly answeringRoles: ReadonlySet<string>;
  readonly why: readonly string[];
}

type Items = readonly Readonly<Record<string, unknown>>[];

const NONE: CallsGuess = { rule: {}, calls: undefined, taken: [], answeringRoles: new Set(), why: [] };

/** Looks for calls in `items`, whose fields are `fields`. */
export function guessCalls(items: Items, fields: readonly Field[]): CallsGuess {
  const found = listOf(fields, callsRule);
  if (found === undefined) return resultsWithoutCalls(items, fields);
  const { rule: calls, list, ids } = found;
  const results = resultsList(fields, list, ids) ?? resultMessages(items, fields, list, ids);
  const why = [`${calls.at} holds tool calls.`, ...(results ? [results.why] : [])];
  return {
    rule: { calls, ...(results ? { results: results.rule } : {}) },
    calls,
    taken: [list.steps, ...(results?.taken ?? [])],
    answeringRoles: results?.roles ?? new Set(),
    why,
  };
}

interface Found<T> {
  readonly rule: T;
  readonly list: Field;
  readonly ids: ReadonlySet<string>;
}

function listOf<T>(fields: readonly Field[], read: (list: Field) => Found<T> | null): Found<T> | undefined {
  for (const list of fields) {
    const found = list.values.length > 0 ? read(list) : null;
    if (found !== null) return found;
  }
  return undefined;
}

function callsRule(list: Field): Found<CallsRule> | null {
  const named = sounds('calls', list.name);
  const objects = objectsOf(list);
  if (objects === null) return null;
  const { elements, steps } = objects;
  // Of mixed lists only some elements are calls: no path can say what distinguishes them.
  const inner = fieldsOf(elements, 2).filter(({ holders }) => holders >= elements.length * 0.9);
  const name = pick(inner, 'callName', isText);
  const args = pick(inner, 'callArguments', () => true);
  if (name === undefined || args === undefined) return null;
  // Whatever the list is called: who but a call has both?
  const plain = sounds('callName', name.name) === 1 && sounds('callArguments', args.name) === 1;
  if (named === 0 && !plain) return null;
  const id = pick(inner, 'callId', isScalar, (field) => field.steps.length === 1 && field !== name);
  const rule: CallsRule = {
    at: at(steps),
    ...(id === undefined ? {} : { id: at(id.steps) }),
    name: at(name.steps),
    arguments: at(args.steps),
  };
  return { rule, list, ids: new Set((id?.values ?? []).map(String)) };
}

// A list of objects, or an object in each element of a list.
function objectsOf({
  values,
  steps,
}: Field): { readonly elements: readonly unknown[]; readonly steps: readonly PathStep[] } | null {
  const isList = values.every(Array.isArray);
  if (isList === steps.includes(EACH_ELEMENT)) return null;
  const elements = isList ? values.flat() : values;
  if (elements.length === 0 || !elements.every(isRecord)) return null;
  return { elements, steps: isList ? [...steps, EACH_ELEMENT] : steps };
}

interface ResultsGuess {
  readonly rule: ResultsRule;
  readonly taken: readonly (readonly PathStep[])[];
  readonly roles: ReadonlySet<string>;
  readonly why: string;
}

// A list of results in a message: each names its call.
function resultsList(fields: readonly Field[], calls: Field, ids: ReadonlySet<string>): ResultsGuess | null {
  for (const list of fields) {
    const objects = list === calls || sounds('results', list.name) === 0 ? null : objectsOf(list);
    if (objects === null) continue;
    const { elements, steps } = objects;
    const inner = fieldsOf(elements, 2);
    const callId = inner.find((field) => repeats(field, ids)) ?? pick(inner, 'answered', isScalar);
    const text = pick(
      inner,
      'resultText',
      () => true,
      (field) => field !== callId,
    );
    if (text === undefined) continue;
    const rule: ResultsRule = { at: at(steps), ...partsOf(inner, callId, text) };
    return { rule, taken: [list.steps], roles: new Set(), why: `${rule.at ?? ''} holds their results.` };
  }
  return null;
}

// A message that is a result: a field of it repeats the id of a call.
function resultMessages(
  items: Items,
  fields: readonly Field[],
  calls: Field,
  ids: ReadonlySet<string>,
): ResultsGuess | null {
  const inside = (field: Field) => calls.steps.every((step, i) => field.steps[i] === step);
  const flat = fields.filter((field) => !inside(field) && !field.steps.includes(EACH_ELEMENT));
  const callId = flat.find((field) => repeats(field, ids));
  if (callId === undefined) return null;
  const answering = items.filter((item) =>
    findPlaces(item, callId.steps).some((path) => ids.has(contentText(valueAt(item, path)))),
  );
  const roles = new Set(
    fieldsOf(answering, 3).flatMap(({ values }) => values.flatMap((value) => (isText(value) ? [value] : []))),
  );
  const rule: ResultsRule = partsOf(flat, callId, undefined);
  return { rule, taken: [callId.steps], roles, why: `${at(callId.steps)} names the call that a message answers.` };
}

// Results that name calls which the sample does not hold.
function resultsWithoutCalls(items: Items, fields: readonly Field[]): CallsGuess {
  const flat = fields.filter((field) => !field.steps.includes(EACH_ELEMENT) && field.holders < items.length);
  const callId = flat.find(
    (field) =>
      /^(tool_?call_?id|tool_?use_?id)$/i.test(field.name) && field.values.length > 0 && field.values.every(isScalar),
  );
  if (callId === undefined) return NONE;
  const rule = { results: partsOf(flat, callId, undefined) };
  return { ...NONE, rule, taken: [callId.steps], why: [`${at(callId.steps)} names the call that a message answers.`] };
}

function partsOf(fields: readonly Field[], callId: Field | undefined, text: Field | undefined): ResultsRule {
  const error = pick(
    fields,
    'error',
    () => true,
    (field) => field !== text && field !== callId && field.steps.length <= 2,
  );
  const name = callId === undefined ? pick(fields, 'callName', isText) : undefined;
  return {
    ...(callId === undefined ? {} : { callId: at(callId.steps) }),
    ...(name === undefined ? {} : { name: at(name.steps) }),
    ...(text === undefined ? {} : { text: at(text.steps) }),
    ...(error === undefined ? {} : { error: at(error.steps) }),
  };
}

function repeats({ values }: Field, ids: ReadonlySet<string>): boolean {
  if (ids.size === 0 || values.length === 0 || !values.every(isScalar)) return false;
  const known = values.filter((value) => ids.has(contentText(value))).length;
  // A counter repeats small numbers by chance.
  const isDistinctive = values.some((value) => typeof value === 'string' && value.length > 2);
  return known >= values.length * 0.6 && (isDistinctive || known >= 1);
}

function pick(
  fields: readonly Field[],
  what: Parameters<typeof sounds>[0],
  fits: (value: unknown) => boolean,
  also: (field: Field) => boolean = () => true,
): Field | undefined {
  let found: Field | undefined;
  let most = 0;
  for (const field of fields) {
    const score = sounds(what, field.name) - field.steps.length * 0.05;
    if (score > most && field.values.length > 0 && field.values.every(fits) && also(field))
      [found, most] = [field, score];
  }
  return found;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function at(steps: readonly PathStep[]): string {
  return pathText({ root: '@', steps });
}
