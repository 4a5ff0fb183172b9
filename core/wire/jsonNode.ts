// A JSON value with its own text: what is carried over is cut out of the text, never printed again, so that numbers,
// escapes and the order of keys survive.
import { elements, members } from '../util/json/index.ts';
import { isRecord } from '../util/unknown.ts';

/** A value and its exact text. Members and elements are cut out when first asked for. */
export class JsonNode {
  readonly text: string;
  readonly value: unknown;
  #members: ReadonlyMap<string, JsonNode> | null = null;
  #elements: readonly JsonNode[] | null = null;

  constructor(text: string, value: unknown) {
    this.text = text;
    this.value = value;
  }

  /** Parses a text. Throws SyntaxError if it is not JSON. */
  static parse(text: string): JsonNode {
    const value: unknown = JSON.parse(text);
    return new JsonNode(text.trim(), value);
  }

  /** The members of an object by key, the last of a key; empty for anything else. */
  get members(): ReadonlyMap<string, JsonNode> {
    this.#members ??= membersOf(this.text, this.value);
    return this.#members;
  }

  /** The elements of an array; empty for anything else. */
  get elements(): readonly JsonNode[] {
    this.#elements ??= elementsOf(this.text, this.value);
    return this.#elements;
  }

  get(key: string): JsonNode | null {
    return this.members.get(key) ?? null;
  }

  at(path: readonly (string | number)[]): JsonNode | null {
    let node: JsonNode | null = this;
    for (const step of path) {
      if (node === null) return null;
      node = typeof step === 'number' ? (node.elements[step] ?? null) : node.get(step);
    }
    return node;
  }

  /** The member of that key if it is a string. */
  string(key: string): string | undefined {
    const value = this.get(key)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  get isString(): boolean {
    return typeof this.value === 'string';
  }

  get isArray(): boolean {
    return Array.isArray(this.value);
  }

  get isRecord(): boolean {
    return isRecord(this.value);
  }

  /** True for null, "", [], {} and false: what says no more than being absent. */
  get isEmpty(): boolean {
    const { value } = this;
    if (value === null || value === '' || value === false) return true;
    return typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  }
}

function membersOf(text: string, value: unknown): ReadonlyMap<string, JsonNode> {
  const found = new Map<string, JsonNode>();
  if (!isRecord(value)) return found;
  for (const { key, valueStart, valueEnd } of members(text, 0)) {
    found.set(key, new JsonNode(text.slice(valueStart, valueEnd), value[key]));
  }
  return found;
}

function elementsOf(text: string, value: unknown): readonly JsonNode[] {
  if (!Array.isArray(value)) return [];
  const list: readonly unknown[] = value;
  return elements(text, 0).map(({ start, end }, at) => new JsonNode(text.slice(start, end), list[at]));
}
