// Where messages could be in a sample: lists of objects, objects of objects, or the lines themselves.

import { EACH_ELEMENT, EACH_MEMBER, type PathStep, pathText } from '../../../model/mapping/path.ts';
import { isRecord } from '../../../util/unknown.ts';

/** A list (or the lines) that may be the messages, and what is in it. */
export interface Candidate {
  readonly steps: readonly PathStep[];
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

const MOST_ITEMS = 300;
const MOST_DEPTH = 7;
const MOST_LISTS = 60;
const LEAST_MEMBERS = 2;

/** All candidates of a sample: `values` are lines, or one document, which are candidates too. The outer come first. */
export function candidatesIn(values: readonly unknown[]): readonly Candidate[] {
  const found = new Map<string, { steps: readonly PathStep[]; items: Readonly<Record<string, unknown>>[] }>();
  const add = (steps: readonly PathStep[], value: unknown): void => {
    if (!isRecord(value)) return;
    const key = pathText({ root: '$', steps });
    const list = found.get(key) ?? { steps, items: [] };
    if (found.size >= MOST_LISTS && !found.has(key)) return;
    found.set(key, list);
    if (list.items.length < MOST_ITEMS) list.items.push(value);
  };
  const walk = (value: unknown, steps: readonly PathStep[]): void => {
    if (steps.length >= MOST_DEPTH) return;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, MOST_ITEMS)) {
        add([...steps, EACH_ELEMENT], element);
        walk(element, [...steps, EACH_ELEMENT]);
      }
    } else if (isRecord(value)) {
      const members = isTable(value);
      for (const [key, child] of Object.entries(value).slice(0, MOST_ITEMS)) {
        if (members) add([...steps, EACH_MEMBER], child);
        walk(child, [...steps, members ? EACH_MEMBER : key]);
      }
    }
  };
  for (const value of values) {
    add([], value);
    walk(value, []);
  }
  return [...found.values()];
}

// An object whose names are ids: its members are objects with the same names in them.
function isTable(value: Readonly<Record<string, unknown>>): boolean {
  const members = Object.values(value);
  if (members.length < LEAST_MEMBERS || !members.every(isRecord)) return false;
  const names = members.slice(0, 20).map((member) => Object.keys(member).sort().join());
  return names.every((one) => one === names[0] && one !== '');
}
