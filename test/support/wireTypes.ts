// Bodies against the published types of the SDKs: every distinct message, item, tool and envelope becomes a typed literal
// in a file of its own line, and the compiler says which lines it refuses. Strings that carry no meaning for the types
// are shortened, so that a hundred thousand messages are a few hundred lines.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { arrayAt, isRecord } from '../../core/util/unknown.ts';
import type { WireTarget } from '../../core/wire/types.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');

/** What the compiler refuses: the literal, and why. */
export interface Refusal {
  readonly literal: string;
  readonly why: string;
}

interface Kind {
  readonly type: string;
  readonly list: string;
}

const LISTS: Readonly<Record<WireTarget, Kind>> = {
  anthropic: { type: 'Message', list: 'messages' },
  openai: { type: 'Message', list: 'messages' },
  responses: { type: 'Item', list: 'input' },
  gemini: { type: 'Content', list: 'contents' },
};

// Differences from the types, each as recorded requests have it. Anthropic: the beta's blocks too. Responses: what the
// model said is sent back without ids, states and annotations (store: false). Gemini: the SDK's types are those of its
// methods; the body's lists are of the same types, its words those of enums, which literals are not. Settings: those of
// requests that stream, and of the beta.
const HEADS: Readonly<Record<WireTarget, string>> = {
  anthropic: `
import type { MessageCreateParams, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { BetaMessageParam, MessageCreateParams as BetaCreateParams } from '@anthropic-ai/sdk/resources/beta/messages';
type Message = MessageParam | BetaMessageParam;
type Body = MessageCreateParams | BetaCreateParams;
`,
  openai: `
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
type Message = ChatCompletionMessageParam;
type Body = ChatCompletionCreateParams;
`,
  responses: `
import type { ResponseCreateParams, ResponseInputItem, ResponseOutputMessage, ResponseOutputRefusal,
  ResponseOutputText, ResponseReasoningItem, ResponseFunctionWebSearch } from 'openai/resources/responses/responses';
type Loose<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type Said = Omit<Loose<ResponseOutputMessage, 'id' | 'status'>, 'content'> & {
  content: string | Array<Loose<ResponseOutputText, 'annotations'> | ResponseOutputRefusal> };
type Item = ResponseInputItem | Said | Loose<ResponseReasoningItem, 'id'> | Loose<ResponseFunctionWebSearch, 'id'>;
type Body = ResponseCreateParams;
`,
  gemini: `
import type { Content, GenerationConfig, Tool } from '@google/genai';
interface Body { contents: Content[]; systemInstruction?: Content; tools?: Tool[];
  generationConfig?: Omit<GenerationConfig, 'responseModalities'> & { responseModalities?: string[] };
  toolConfig?: { functionCallingConfig?: { mode?: string; allowedFunctionNames?: string[] } };
  safetySettings?: { category?: string; threshold?: string }[]; cachedContent?: string; labels?: Record<string, string> }
`,
};

/** Distinct literals of bodies, and who has them. */
export class TypeCheck {
  readonly #literals = new Map<WireTarget, Map<string, { readonly type: string; readonly names: Set<string> }>>();

  /** Takes a body in. `name` comes back with what is refused of it. */
  add(target: WireTarget, name: string, text: string): void {
    const body: unknown = JSON.parse(text);
    const { list, type } = LISTS[target];
    const messages = isRecord(body) ? arrayAt(body, list) : undefined;
    if (!isRecord(body) || messages === undefined) throw new Error(`a body without ${list}`);
    for (const message of messages) this.#keep(target, type, name, reduced(message, ''));
    const { [list]: _messages, ...envelope } = body;
    this.#keep(target, 'Body', name, { ...Object(reduced(envelope, '')), [list]: [] });
  }

  /** Runs the compiler once. What is refused, by target and name of the body. */
  run(): ReadonlyMap<string, readonly Refusal[]> {
    const dir = mkdtempSync(join(tmpdir(), 'parallax-wire-'));
    try {
      symlinkSync(join(CHECKOUT, 'node_modules'), join(dir, 'node_modules'));
      const lines = new Map<string, { readonly literal: string; readonly names: ReadonlySet<string> }>();
      for (const [target, literals] of this.#literals) this.#write(dir, target, literals, lines);
      writeFileSync(
        join(dir, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: OPTIONS, files: [...this.#literals.keys()].map((each) => `${each}.ts`) }),
      );
      const tsc = spawnSync(process.execPath, [join(CHECKOUT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', dir], {
        encoding: 'utf8',
        cwd: dir,
      });
      return refusals(`${tsc.stdout}${tsc.stderr}`, lines);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }

  #keep(target: WireTarget, type: string, name: string, value: unknown): void {
    const literals = this.#literals.get(target) ?? new Map();
    this.#literals.set(target, literals);
    const literal = JSON.stringify(value);
    const known = literals.get(literal) ?? { type, names: new Set<string>() };
    literals.set(literal, known);
    known.names.add(`${target} ${name}`);
  }

  #write(
    dir: string,
    target: WireTarget,
    literals: ReadonlyMap<string, { readonly type: string; readonly names: ReadonlySet<string> }>,
    lines: Map<string, { readonly literal: string; readonly names: ReadonlySet<string> }>,
  ): void {
    const head = HEADS[target].trim().split('\n');
    const text = [...head];
    for (const [literal, { type, names }] of literals) {
      text.push(`export const v${text.length}: ${type} = ${literal};`);
      lines.set(`${target}.ts:${text.length}`, { literal, names });
    }
    writeFileSync(join(dir, `${target}.ts`), `${text.join('\n')}\n`);
  }
}

const OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  lib: ['esnext', 'dom'],
};

function refusals(
  said: string,
  lines: ReadonlyMap<string, { readonly literal: string; readonly names: ReadonlySet<string> }>,
): ReadonlyMap<string, readonly Refusal[]> {
  const found = new Map<string, Refusal[]>();
  for (const [, file = '', line = '', why = ''] of said.matchAll(
    /^(\w+\.ts)\((\d+),\d+\): error (.*(?:\n {2}.*)*)/gm,
  )) {
    const at = lines.get(`${file}:${line}`);
    if (at === undefined) throw new Error(`the compiler objects to the head of ${file}: ${why}`);
    for (const name of at.names) {
      const own = found.get(name) ?? [];
      found.set(name, own);
      own.push({ literal: at.literal, why });
    }
  }
  if (found.size === 0 && /error/.test(said)) throw new Error(said.slice(0, 2000));
  return found;
}

/** Keys whose values are anybody's. */
const OPEN = new Set(['input', 'args', 'parameters', 'parametersJsonSchema', 'response', 'properties']);
/** Keys whose strings are anybody's. */
const SAID = new Set([
  'text',
  'content',
  'thinking',
  'signature',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'name',
]);
/** Words the types may know: `base64`, `image/png`, `ephemeral`. */
const WORD = /^[a-z0-9][a-z0-9_./-]{0,30}$/;

function reduced(value: unknown, key: string): unknown {
  if (typeof value === 'string') return WORD.test(value) && (!SAID.has(key) || key === 'name') ? value : 'x';
  if (Array.isArray(value)) return value.map((each) => reduced(each, key));
  if (!isRecord(value)) return value;
  if (OPEN.has(key)) return {};
  return Object.fromEntries(Object.entries(value).map(([inner, each]) => [inner, reduced(each, inner)]));
}
