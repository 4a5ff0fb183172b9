// The rules for one list of objects, if it could be messages.

import { EACH_ELEMENT, type PathStep, pathText } from '../../../model/mapping/path.ts';
import type { MappedRole, MessageRule, RoleRule, UsageRule } from '../../../model/mapping/types.ts';
import { isRecord } from '../../../util/unknown.ts';
import { isoTime } from '../../reading/shared.ts';
import { type Field, fieldsOf } from './fields.ts';
import { type CallsGuess, guessCalls } from './guessCalls.ts';
import { roleMeant, sounds } from './words.ts';

/** Rules for what is in a list, how sure they are, and why. */
export interface RuleGuess {
  readonly rules: readonly MessageRule[];
  readonly confidence: number;
  readonly why: readonly string[];
}

type Items = readonly Readonly<Record<string, unknown>>[];

const DEPTH = 3;

/** Null if the objects do not look like messages. */
export function guessRule(items: Items): RuleGuess | null {
  const fields = fieldsOf(items, DEPTH);
  return spoken(items, fields) ?? questionAndAnswer(items, fields);
}

interface RoleGuess {
  readonly field: Field;
  readonly rule: RoleRule;
  readonly score: number;
  readonly unknown: readonly string[];
}

function spoken(items: Items, fields: readonly Field[]): RuleGuess | null {
  const role = best(
    fields.flatMap((field) => roleGuess(field, items.length) ?? []),
    (one) => one.score,
  );
  if (role === undefined || role.score < 0.45) return null;
  const calls = guessCalls(items, fields);
  const taken = [role.field.steps, ...calls.taken];
  const text = textField(fields, items.length, taken);
  if (text === undefined && calls.calls === undefined) return null;
  const confidence = Math.min(1, role.score * 0.6 + (text?.score ?? 0.4) * 0.4);
  if (confidence < 0.4) return null;
  const rule: MessageRule = {
    role: withToolRole(role, calls),
    ...(text === undefined ? {} : { text: at(text.field.steps) }),
    ...calls.rule,
    ...extras(fields, items, text?.field ?? null),
  };
  return {
    rules: [rule],
    confidence,
    why: [...roleWhy(role), ...(text ? [`${at(text.field.steps)} holds the text.`] : []), ...calls.why],
  };
}

function roleGuess(field: Field, total: number): RoleGuess | null {
  if (field.steps.includes(EACH_ELEMENT) || field.holders < total * 0.5) return null;
  const said = field.values.map(plain);
  if (said.some((value) => value === null)) return null;
  const distinct = [...new Set(said.flatMap((value) => value ?? []))];
  if (distinct.length === 0 || distinct.length > 12 || distinct.some((value) => value.length > 60)) return null;
  const meant = distinct.map((value): [string, MappedRole | null] => [value, roleMeant(value, field.name)]);
  const known = said.filter((value) => value !== null && roleMeant(value, field.name) !== null).length / said.length;
  const two = new Set(meant.flatMap(([, role]) => role ?? [])).size >= 2;
  const name = sounds('role', field.name);
  if (known < 0.34) return name === 1 && distinct.length > 1 ? strangers(field, distinct) : null;
  if (!two && name === 0) return null;
  const score = known * 0.55 + name * 0.25 + (two ? 0.2 : 0);
  const values = Object.fromEntries(
    meant.flatMap(([value, role]) => (role === null || role === value ? [] : [[value, role] as const])),
  );
  const unknown = meant.flatMap(([value, role]) => (role === null ? [value] : []));
  const rule: RoleRule = { path: at(field.steps), ...(Object.keys(values).length > 0 ? { values } : {}) };
  return { field, rule, score: score - field.steps.length * 0.01, unknown };
}

// It is called a role, and nobody knows its values: people's names, perhaps. That is little to go by.
function strangers(field: Field, unknown: readonly string[]): RoleGuess {
  return { field, rule: { path: at(field.steps), otherwise: 'user' }, score: 0.45, unknown };
}

function plain(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

// Where the answers to calls are in messages of a role nobody knows, that role is the tool's.
function withToolRole({ rule, unknown }: RoleGuess, { answeringRoles }: CallsGuess): RoleRule {
  const tools = unknown.filter((value) => answeringRoles.has(value));
  if (tools.length === 0 || 'constant' in rule) return rule;
  const values = { ...rule.values, ...Object.fromEntries(tools.map((value) => [value, 'tool' as const])) };
  return { ...rule, values };
}

function roleWhy({ rule, field, unknown }: RoleGuess): readonly string[] {
  const values = 'constant' in rule ? [] : Object.entries(rule.values ?? {});
  const meaning = values.map(([value, role]) => `${value} = ${role}`).join(', ');
  const names = unknown.map((value) => JSON.stringify(value)).join(', ');
  if ('otherwise' in rule) {
    return [
      `${at(field.steps)} seems to hold the role. Say which of ${names} is the assistant: all are read as users.`,
    ];
  }
  const left = unknown.length === 0 ? '' : ` What ${names} means is open: such records are kept as events.`;
  return [`${at(field.steps)} holds the role${meaning === '' ? '' : ` (${meaning})`}.${left}`];
}

interface TextGuess {
  readonly field: Field;
  readonly score: number;
}

function textField(
  fields: readonly Field[],
  total: number,
  taken: readonly (readonly PathStep[])[],
): TextGuess | undefined {
  const free = fields.filter(({ steps }) => !taken.some((one) => beginsWith(steps, one)));
  const guesses = free.flatMap((field) => {
    const score = textScore(field, total);
    return score === null ? [] : [{ field, score }];
  });
  return best(guesses, (one) => one.score);
}

function textScore(field: Field, total: number): number | null {
  const { values, name, holders, steps } = field;
  const lists = values.every((value) => Array.isArray(value) && value.every(isBlock));
  const texts = values.filter((value) => typeof value === 'string');
  const named = sounds('text', name);
  const mixed =
    values.length > 0 &&
    values.every((value) => typeof value === 'string' || (Array.isArray(value) && value.every(isBlock)));
  if (values.length === 0 || (!mixed && !(lists && named > 0))) return null;
  if (sounds('reasoning', name) > 0 || sounds('time', name) === 1 || sounds('id', name) > 0) return null;
  const inList = steps.filter((step) => step === EACH_ELEMENT).length;
  const average = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  const variety = new Set(texts).size / Math.max(1, texts.length);
  if (named === 0 && (average < 12 || variety < 0.5)) return null;
  const length = lists ? 0.8 : Math.min(1, average / 40) * variety;
  const share = Math.min(1, holders / total);
  return named * 0.5 + length * 0.15 + share * 0.35 - steps.length * 0.02 - inList * 0.1;
}

// Content blocks as providers write them, or bare texts.
function isBlock(value: unknown): boolean {
  return (
    typeof value === 'string' || (isRecord(value) && (typeof value.type === 'string' || typeof value.text === 'string'))
  );
}

function extras(fields: readonly Field[], items: Items, text: Field | null): Partial<MessageRule> {
  const scalar = fields.filter(({ steps }) => !steps.includes(EACH_ELEMENT) && steps.length <= 2);
  const named = (what: Parameters<typeof sounds>[0], fits: (value: unknown) => boolean): string | undefined => {
    const found = best(
      scalar.filter(
        (field) =>
          field !== text && sounds(what, field.name) > 0 && field.values.length > 0 && field.values.every(fits),
      ),
      (field) => sounds(what, field.name) - field.steps.length * 0.1,
    );
    return found && at(found.steps);
  };
  const isText = (value: unknown) => typeof value === 'string';
  const id = best(
    scalar.filter((field) => sounds('id', field.name) > 0 && isKey(field, items.length)),
    (field) => -field.steps.length,
  );
  const parent =
    id &&
    best(
      scalar.filter((field) => sounds('parent', field.name) > 0 && refersTo(field, id)),
      (field) => -field.steps.length,
    );
  const usage = usageRule(scalar);
  const found = {
    reasoning: named('reasoning', (value) => isText(value) || Array.isArray(value)),
    time: named('time', (value) => isoTime(value) !== undefined),
    model: named('model', isText),
    id: id && at(id.steps),
    parent: parent && at(parent.steps),
    usage,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function isKey({ values, holders }: Field, total: number): boolean {
  return (
    holders >= total * 0.8 &&
    new Set(values.map(plain)).size === values.length &&
    values.every((value) => plain(value) !== null)
  );
}

function refersTo({ values }: Field, id: Field): boolean {
  const ids = new Set(id.values.map(plain));
  return values.length > 0 && values.filter((value) => ids.has(plain(value))).length >= values.length * 0.6;
}

const USAGE = {
  input: 'usageInput',
  output: 'usageOutput',
  cacheRead: 'usageCacheRead',
  cacheWrite: 'usageCacheWrite',
  total: 'usageTotal',
} as const;

function usageRule(fields: readonly Field[]): UsageRule | undefined {
  const counts = fields.filter(({ values }) => values.length > 0 && values.every((value) => typeof value === 'number'));
  const found = Object.entries(USAGE).flatMap(([name, sound]) => {
    const field = best(
      counts.filter((one) => sounds(sound, one.name) > 0),
      (one) => one.steps.length,
    );
    return field === undefined ? [] : [[name, at(field.steps)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

// Logs of exchanges: what was asked and what was answered, side by side.
function questionAndAnswer(items: Items, fields: readonly Field[]): RuleGuess | null {
  const texts = fields.filter(({ steps, values, holders }) => {
    return (
      steps.length <= 2 &&
      !steps.includes(EACH_ELEMENT) &&
      holders >= items.length * 0.5 &&
      values.every((value) => typeof value === 'string')
    );
  });
  const pick = (what: 'question' | 'answer' | 'system') =>
    best(
      texts.filter(({ name }) => sounds(what, name) > 0),
      ({ steps }) => -steps.length,
    );
  const question = pick('question');
  const answer = pick('answer');
  if (question === undefined || answer === undefined) return null;
  const system = pick('system');
  const more = extras(fields, items, question);
  const rule = (role: MappedRole, field: Field): MessageRule => ({
    role: { constant: role },
    text: at(field.steps),
    ...(role === 'assistant' ? withoutTree(more) : more.time === undefined ? {} : { time: more.time }),
  });
  const rules = [...(system ? [rule('system', system)] : []), rule('user', question), rule('assistant', answer)];
  const why = [`Each record holds a question (${at(question.steps)}) and its answer (${at(answer.steps)}).`];
  return { rules, confidence: 0.6, why };
}

function withoutTree({ parent: _parent, ...rest }: Partial<MessageRule>): Partial<MessageRule> {
  return rest;
}

function at(steps: readonly PathStep[]): string {
  return pathText({ root: '@', steps });
}

/** True if the steps lead to, or into, what `start` leads to. */
export function beginsWith(steps: readonly PathStep[], start: readonly PathStep[]): boolean {
  return start.length <= steps.length && start.every((step, i) => step === steps[i]);
}

/** The one that weighs most; of equal ones the first. */
export function best<T>(all: readonly T[], weight: (one: T) => number): T | undefined {
  let found: T | undefined;
  for (const one of all) if (found === undefined || weight(one) > weight(found)) found = one;
  return found;
}
