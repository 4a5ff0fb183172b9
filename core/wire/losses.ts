import { entryOf, isRecord } from '../util/unknown.ts';
import type { JsonNode } from './jsonNode.ts';
import type { Loss, LossKind } from './types.ts';

type Path = readonly (string | number)[];

/** Where something was: a message of the view, or null for system and tools. */
export interface LossPlace {
  readonly index: number | null;
  readonly position: number | null;
}

const KIND_OF_KEY: Readonly<Record<string, LossKind>> = {
  cache_control: 'cache_control',
  cache_prompt: 'cache_control',
  prompt_cache_breakpoint: 'cache_control',
  citations: 'citation',
  annotations: 'citation',
  signature: 'signature',
  thinkingSignature: 'signature',
  thinking_signature: 'signature',
  thoughtSignature: 'signature',
  thought_signature: 'signature',
  encrypted_content: 'encrypted',
  is_error: 'error_flag',
  isError: 'error_flag',
  name: 'name',
  thinking_blocks: 'signature',
  reasoning_details: 'signature',
  audio: 'audio',
  refusal: 'refusal',
};

const WHY: Readonly<Partial<Record<LossKind, string>>> = {
  cache_control: 'marks of the prompt cache mean nothing there',
  citation: 'citations have no place there',
  signature: 'only the provider that signed it can read a signature',
  encrypted: 'only the provider that encrypted it can read it',
  name: 'names of speakers have no place there',
  error_flag: 'a result has no error flag there',
  audio: 'sounds by the id of an answer have no place there',
  refusal: 'refusals have no place there',
  metadata: 'kept by the tool, no part of a request',
};

/** Collects what is lost, in order. Nothing is counted twice: each value is reported where it is passed over. */
export class LossList {
  readonly list: Loss[] = [];

  leftOut(place: LossPlace, kind: LossKind, path: Path, text: string): void {
    this.#add('left_out', place, kind, path, text);
  }

  changed(place: LossPlace, kind: LossKind, path: Path, text: string): void {
    this.#add('changed', place, kind, path, text);
  }

  /** Reports the members of a node that were not used and say something; one loss per kind, `rest` if no other is known. */
  unused(place: LossPlace, node: JsonNode, path: Path, used: ReadonlySet<string>, rest: LossKind = 'field'): void {
    if (!isRecord(node.value)) return;
    const byKind = new Map<LossKind, string[]>();
    for (const [key, member] of node.members) {
      if (used.has(key) || member.isEmpty) continue;
      const kind = entryOf(KIND_OF_KEY, key) ?? rest;
      const keys = byKind.get(kind);
      if (keys === undefined) byKind.set(kind, [key]);
      else keys.push(key);
    }
    for (const [kind, keys] of byKind) {
      const [only, ...others] = keys;
      const at = others.length === 0 && only !== undefined ? [...path, only] : path;
      const why = WHY[kind] ?? 'no such field there';
      this.leftOut(place, kind, at, `${keys.join(', ')}: ${why}`);
    }
  }

  #add(how: Loss['how'], { index, position }: LossPlace, kind: LossKind, path: Path, text: string): void {
    this.list.push({ kind, how, index, position, path: pathText(path), text });
  }
}

/** `content[2].signature`. */
export function pathText(path: Path): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${step}`)).join('');
}
