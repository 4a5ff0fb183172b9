// What a target takes as it stands, as data: the keys of each block, message and item its published types know. Keys
// beyond them are cut out of the text; a value of another form is read and written again.
import { removeMember, setMember } from '../util/json/index.ts';
import type { JsonNode } from './jsonNode.ts';
import type { LossList, LossPlace } from './losses.ts';
import type { LossKind } from './types.ts';

/** True if a value may stand as it is. */
export type Check = (node: JsonNode) => boolean;

/** An object: its keys with their checks, and those that must be there. */
export interface Shape {
  readonly keys: Readonly<Record<string, Check>>;
  readonly required: readonly string[];
  /** Members whose own keys are looked at too, by key and `type`. */
  readonly inside?: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
}

/** Anything. */
export const any: Check = () => true;
/** A string. */
export const text: Check = (node) => node.isString;
/** A boolean. */
export const flag: Check = (node) => typeof node.value === 'boolean';
/** An object. */
export const record: Check = (node) => node.isRecord;
/** An array. */
export const list: Check = (node) => node.isArray;

/** The same, or null. */
export const nullable =
  (check: Check): Check =>
  (node) =>
    node.value === null || check(node);

/** One of these values. */
export const oneOf =
  (...values: readonly (string | boolean)[]): Check =>
  ({ value }) =>
    values.some((each) => each === value);

/** What one of the checks takes. */
export const either =
  (...checks: readonly Check[]): Check =>
  (node) =>
    checks.some((check) => check(node));

/** An array whose elements all pass. */
export const listOf =
  (check: Check): Check =>
  (node) =>
    node.isArray && node.elements.every(check);

/** An object of exactly this shape: nothing missing, nothing beyond. */
export const exactly =
  (shape: Shape): Check =>
  (node) =>
    fits(node, shape) && extraKeys(node, shape).length === 0;

/** One of several objects, distinguished by `type`. */
export const block =
  (shapes: Readonly<Record<string, Shape>>): Check =>
  (node) => {
    const shape = shapeFor(node, shapes);
    return shape !== null && exactly(shape)(node);
  };

/** A shape: required keys first. */
export function shape(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Shape {
  return { keys: { ...required, ...optional }, required: Object.keys(required) };
}

/** The shape of an object by its `type`; null if there is none of that type. */
export function shapeFor(node: JsonNode, shapes: Readonly<Record<string, Shape>>): Shape | null {
  const type = node.string('type');
  return type !== undefined && Object.hasOwn(shapes, type) ? (shapes[type] ?? null) : null;
}

/** True if an object has all that the shape asks for, each in its form. What is beyond does not count. */
export function fits(node: JsonNode, { keys, required }: Shape): boolean {
  if (!node.isRecord || required.some((key) => node.get(key) === null)) return false;
  for (const [key, check] of Object.entries(keys)) {
    const member = node.get(key);
    if (member === null) continue;
    // A null that is not taken is as good as absent, and cut out.
    if (!check(member) && (member.value !== null || required.includes(key))) return false;
  }
  return true;
}

function extraKeys(node: JsonNode, { keys }: Shape): readonly string[] {
  return [...node.members].flatMap(([key, member]) => {
    const check = Object.hasOwn(keys, key) ? keys[key] : undefined;
    return check === undefined || (member.value === null && !check(member)) ? [key] : [];
  });
}

/** The text of an object that fits, without what is beyond the shape; each such key that says something is reported. */
export function trimmed(
  node: JsonNode,
  fitting: Shape,
  place: LossPlace,
  path: readonly (string | number)[],
  losses: LossList,
  rest: LossKind = 'field',
): string {
  const extra = extraKeys(node, fitting);
  if (extra.length > 0) losses.unused(place, node, path, new Set(Object.keys(fitting.keys)), rest);
  const own = extra.reduce((edited, key) => removeMember(edited, [], key), node.text);
  return Object.entries(fitting.inside ?? {}).reduce((edited, [key, shapes]) => {
    const member = node.get(key);
    const inner = member === null ? null : shapeFor(member, shapes);
    if (member === null || inner === null || !fits(member, inner)) return edited;
    const text = trimmed(member, inner, place, [...path, key], losses);
    return text === member.text ? edited : setMember(edited, [], key, text);
  }, own);
}
