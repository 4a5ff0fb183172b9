// What objects of a sample hold: every field that can be named by a path, with what is there. For guessing, and for
// the paths that an editor offers.

import { EACH_ELEMENT, type PathStep, pathText } from '../../../model/mapping/path.ts';
import { isRecord } from '../../../util/unknown.ts';

/** A field of a sample of values. */
export interface Field {
  readonly steps: readonly PathStep[];
  /** The name it has: its last step that is one. */
  readonly name: string;
  /** Number of the sample's values that have it, and not as null. */
  readonly holders: number;
  /** What is there: at most 400 values, nulls left out. */
  readonly values: readonly unknown[];
}

interface Growing {
  readonly steps: readonly PathStep[];
  readonly name: string;
  holders: number;
  lastHolder: number;
  readonly values: unknown[];
}

const MOST_VALUES = 400;
const MOST_FIELDS = 400;
const MOST_KEYS = 60;
const MOST_ELEMENTS = 20;

/** The fields within `items`, down to `depth` names; lists count as `[*]`. In the order they are met. */
export function fieldsOf(items: readonly unknown[], depth: number): readonly Field[] {
  const collector = new Collector();
  for (const [holder, item] of items.entries()) collector.walk(item, { steps: [], name: '' }, depth, holder);
  return collector.fields;
}

type Place = Pick<Field, 'steps' | 'name'>;

class Collector {
  readonly #fields = new Map<string, Growing>();

  get fields(): readonly Field[] {
    return [...this.#fields.values()];
  }

  walk(value: unknown, place: Place, left: number, holder: number): void {
    if (place.steps.length > 0) this.#note(value, place, holder);
    if (Array.isArray(value)) {
      const inner: Place = { steps: [...place.steps, EACH_ELEMENT], name: place.name };
      for (const element of value.slice(0, MOST_ELEMENTS)) this.walk(element, inner, left, holder);
    } else if (isRecord(value) && left > 0) {
      for (const [name, child] of Object.entries(value).slice(0, MOST_KEYS)) {
        this.walk(child, { steps: [...place.steps, name], name }, left - 1, holder);
      }
    }
  }

  #note(value: unknown, { steps, name }: Place, holder: number): void {
    const key = pathText({ root: '@', steps });
    const known = this.#fields.get(key);
    if (known === undefined && this.#fields.size >= MOST_FIELDS) return;
    const field = known ?? { steps, name, holders: 0, lastHolder: -1, values: [] };
    this.#fields.set(key, field);
    if (value === null || value === undefined) return;
    if (field.lastHolder !== holder) field.holders++;
    field.lastHolder = holder;
    if (field.values.length < MOST_VALUES) field.values.push(value);
  }
}
