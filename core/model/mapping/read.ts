// browser-safe
// Mappings come from files, people and other machines: read field by field, every fault named by its place.

import { type Fields, isRecord } from '../../util/unknown.ts';
import { parsePath } from './path.ts';
import {
  type CallsRule,
  MAPPED_ROLES,
  MAX_RULES,
  type MappedRole,
  type Mapping,
  type MessageRule,
  type ResultsRule,
  type RoleRule,
  type TranscriptRule,
  type UsageRule,
} from './types.ts';

/** Something wrong with a mapping. */
export interface MappingFault {
  /** The field, e.g. `messages[0].role.path`; '' = the whole. */
  readonly field: string;
  /** One sentence. */
  readonly text: string;
  /** In the field's text, from 1, where it is a path that stops being one. */
  readonly column?: number;
}

/** A mapping, or what is wrong with it. */
export type MappingReading =
  | { readonly mapping: Mapping; readonly faults: readonly [] }
  | { readonly mapping: null; readonly faults: readonly MappingFault[] };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads a mapping from parsed JSON. */
export function readMapping(value: unknown): MappingReading {
  const reader = new Reader();
  const mapping = reader.mapping(value);
  const [first, ...others] = reader.faults;
  if (first === undefined && mapping !== null) return { mapping, faults: [] };
  return {
    mapping: null,
    faults: first === undefined ? [{ field: '', text: 'this is not a mapping' }] : [first, ...others],
  };
}

const ROLE_NAMES: ReadonlySet<string> = new Set(MAPPED_ROLES);

/** True for the name of a role. */
export function isMappedRole(value: unknown): value is MappedRole {
  return typeof value === 'string' && ROLE_NAMES.has(value);
}

class Reader {
  readonly faults: MappingFault[] = [];

  mapping(value: unknown): Mapping | null {
    if (!isRecord(value)) return this.#fault('', 'a mapping is a JSON object');
    if (value.mapping !== 1) {
      const newer = typeof value.mapping === 'number' && value.mapping > 1;
      return this.#fault(
        'mapping',
        newer
          ? `version ${String(value.mapping)} is newer than this program knows`
          : 'a mapping begins with "mapping": 1',
      );
    }
    this.#known(value, '', ['mapping', 'name', 'transcripts', 'at', 'messages']);
    const name = typeof value.name === 'string' ? value.name.trim() : '';
    if (name.length > 100) this.#fault('name', 'the name is longer than 100 characters');
    const at = this.#path(value, '', 'at', '$');
    if (at === undefined) this.#fault('at', 'the path of the messages is missing, e.g. "$[*]" or "$.messages[*]"');
    const messages = this.#rules(value.messages);
    const transcripts = value.transcripts === undefined ? undefined : this.#transcripts(value.transcripts, at);
    if (at === undefined) return null;
    return { mapping: 1, name, ...(transcripts === undefined ? {} : { transcripts }), at, messages };
  }

  #transcripts(value: unknown, messagesAt: string | undefined): TranscriptRule | undefined {
    if (!isRecord(value)) return this.#fault('transcripts', 'this is not an object') ?? undefined;
    this.#known(value, 'transcripts', ['at', 'id', 'title', 'by']);
    const at = this.#path(value, 'transcripts', 'at', '$');
    if (at !== undefined && messagesAt !== undefined && !beginsWith(messagesAt, at)) {
      this.#fault(
        'transcripts.at',
        `the path of the messages (${messagesAt}) has to begin with that of the transcripts`,
      );
    }
    const rest = this.#paths(value, 'transcripts', ['id', 'title', 'by'] as const);
    return { ...(at === undefined ? {} : { at }), ...rest };
  }

  #rules(value: unknown): readonly MessageRule[] {
    if (!Array.isArray(value) || value.length === 0) {
      this.#fault('messages', 'rules for the messages are missing');
      return [];
    }
    if (value.length > MAX_RULES) this.#fault('messages', `there are more than ${MAX_RULES} rules`);
    return value.slice(0, MAX_RULES).flatMap((rule: unknown, i) => this.#rule(rule, `messages[${i}]`) ?? []);
  }

  #rule(value: unknown, field: string): MessageRule | null {
    if (!isRecord(value)) return this.#fault(field, 'this is not an object');
    const plain = ['text', 'blocks', 'reasoning', 'time', 'model', 'id', 'parent'] as const;
    this.#known(value, field, ['role', 'calls', 'results', 'usage', ...plain]);
    const role = this.#role(value.role, `${field}.role`);
    const rule: Partial<Writable<MessageRule>> = this.#paths(value, field, plain);
    if (value.calls !== undefined) {
      const calls = this.#calls(value.calls, `${field}.calls`);
      if (calls) rule.calls = calls;
    }
    if (value.results !== undefined) {
      const names = ['at', 'callId', 'name', 'text', 'error'] as const;
      const results: ResultsRule | null = this.#object(value.results, `${field}.results`, names);
      if (results) rule.results = results;
    }
    if (value.usage !== undefined) {
      const names = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'total'] as const;
      const usage: UsageRule | null = this.#object(value.usage, `${field}.usage`, names);
      if (usage) rule.usage = usage;
    }
    const says = ['text', 'blocks', 'reasoning', 'calls', 'results'] as const;
    if (says.every((name) => value[name] === undefined))
      this.#fault(`${field}.text`, 'the path of the text is missing');
    return role === null ? null : { role, ...rule };
  }

  #role(value: unknown, field: string): RoleRule | null {
    if (!isRecord(value)) return this.#fault(field, 'the path of the role is missing');
    this.#known(value, field, ['constant', 'path', 'values', 'otherwise']);
    if (value.constant !== undefined) {
      if (isMappedRole(value.constant)) return { constant: value.constant };
      return this.#fault(`${field}.constant`, notARole(value.constant));
    }
    const path = this.#path(value, field, 'path', '@');
    if (path === undefined) {
      if (value.path === undefined) this.#fault(`${field}.path`, 'the path of the role is missing');
      return null;
    }
    const values = this.#values(value.values, `${field}.values`);
    const { otherwise } = value;
    if (otherwise !== undefined && !isMappedRole(otherwise))
      return this.#fault(`${field}.otherwise`, notARole(otherwise));
    return { path, ...(values === undefined ? {} : { values }), ...(otherwise === undefined ? {} : { otherwise }) };
  }

  #values(value: unknown, field: string): Readonly<Record<string, MappedRole>> | undefined {
    if (value === undefined) return undefined;
    if (!isRecord(value)) return this.#fault(field, 'this is not an object') ?? undefined;
    const values: [string, MappedRole][] = [];
    for (const [key, role] of Object.entries(value)) {
      if (isMappedRole(role)) values.push([key, role]);
      else this.#fault(`${field}.${key}`, notARole(role));
    }
    return Object.fromEntries(values);
  }

  #calls(value: unknown, field: string): CallsRule | null {
    const names = ['at', 'id', 'name', 'arguments'] as const;
    const calls = this.#object(value, field, names);
    if (calls === null) return null;
    const { at, ...rest } = calls;
    if (at === undefined) return this.#fault(`${field}.at`, 'the path of the calls is missing');
    return { at, ...rest };
  }

  #object<K extends string>(value: unknown, field: string, names: readonly K[]): { readonly [N in K]?: string } | null {
    if (!isRecord(value)) return this.#fault(field, 'this is not an object');
    this.#known(value, field, names);
    return this.#paths(value, field, names);
  }

  #paths<K extends string>(value: Fields, field: string, names: readonly K[]): { readonly [N in K]?: string } {
    const found: { [N in K]?: string } = {};
    for (const name of names) {
      const path = this.#path(value, field, name, '@');
      if (path !== undefined) found[name] = path;
    }
    return found;
  }

  #path(value: Fields, field: string, name: string, root: '$' | '@'): string | undefined {
    const text = value[name];
    const place = field === '' ? name : `${field}.${name}`;
    if (text === undefined) return undefined;
    if (typeof text !== 'string') return this.#fault(place, 'a path is a text') ?? undefined;
    const path = parsePath(text, root);
    if (!path.ok) {
      const { message, column } = path.error;
      this.faults.push({
        field: place,
        text: `the path ${JSON.stringify(text)} stops at column ${column}: ${message}`,
        column,
      });
      return undefined;
    }
    if (path.value.root !== root) {
      const wanted =
        root === '$' ? 'this path begins at the file, with "$"' : 'this path begins at the message, with "@"';
      return this.#fault(place, `${wanted}, and not with "${path.value.root}"`) ?? undefined;
    }
    return text.trim();
  }

  // A misspelt field would be passed over without a word.
  #known(value: Fields, field: string, names: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (names.includes(key)) continue;
      this.#fault(field === '' ? key : `${field}.${key}`, `there is no such field; known are ${names.join(', ')}`);
    }
  }

  #fault(field: string, text: string): null {
    this.faults.push({ field, text });
    return null;
  }
}

function notARole(value: unknown): string {
  return `${JSON.stringify(value) ?? 'nothing'} is not a role; roles are ${MAPPED_ROLES.join(', ')}`;
}

function beginsWith(path: string, start: string): boolean {
  const whole = parsePath(path, '$');
  const first = parsePath(start, '$');
  if (!whole.ok || !first.ok) return true;
  return first.value.steps.every((step, i) => step === whole.value.steps[i]);
}
