// Random transcripts in the four shapes, from a seed: calls that fail and are repaired, parallel calls, results that
// share identifiers, repeated and missing results, signed reasoning, prose, images. The same seed gives the same one.
import { type Rng, seededRng } from '../../core/util/rng.ts';

/** How calls and results are written. `mixed` changes from turn to turn. */
export type Shape = 'openai' | 'harn' | 'anthropic' | 'runtime' | 'mixed';

/** All shapes. */
export const SHAPES: readonly Shape[] = ['openai', 'harn', 'anthropic', 'runtime', 'mixed'];

/** What may be in a random transcript. */
export interface RandomOptions {
  readonly seed: number;
  readonly turns?: number;
  readonly shape?: Shape;
  /** Characters of a large result, at most. */
  readonly bodyChars?: number;
  /** Broken pairs: unanswered calls, orphan and repeated results, results without ids. */
  readonly broken?: boolean;
  readonly signed?: boolean;
  /** How many different files are spoken of: fewer are shared more. */
  readonly files?: number;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

type Message = Record<string, unknown>;

const TOOLS = [
  'read',
  'run',
  'Grep',
  'edit_file',
  'lookup',
  'fetch',
  'list',
  'search',
  'test',
  'commit',
  'plan',
  'ask',
];
const WORDS = ['the', 'value', 'of', 'a', 'line', 'is', 'old', 'new', 'und', 'größer', '😀', 'error', 'ok', 'end.'];

/** Messages as JSON texts. */
export function randomTranscript(options: RandomOptions): string[] {
  const rng = seededRng(options.seed);
  const builder = new Builder(rng, options);
  for (let turn = 0; turn < (options.turns ?? 8); turn++) builder.turn();
  return builder.messages.map((message) => JSON.stringify(message));
}

class Builder {
  readonly messages: Message[] = [];
  readonly #rng: Rng;
  readonly #options: RandomOptions;
  #calls = 0;

  constructor(rng: Rng, options: RandomOptions) {
    this.#rng = rng;
    this.#options = options;
  }

  turn(): void {
    const rng = this.#rng;
    if (rng.chance(0.3)) this.messages.push({ role: 'user', content: this.#prose(8) });
    const count = rng.pick([0, 1, 1, 1, 2, 3]);
    const calls = Array.from({ length: count }, () => this.#call());
    const shape = this.#shape();
    this.messages.push(this.#assistant(calls, shape));
    this.#results(calls, shape);
  }

  #shape(): Exclude<Shape, 'mixed'> {
    const { shape = 'mixed' } = this.#options;
    return shape === 'mixed' ? this.#rng.pick(['openai', 'harn', 'anthropic', 'runtime'] as const) : shape;
  }

  #call(): Call {
    const rng = this.#rng;
    return { id: `call_${this.#calls++}`, name: rng.pick(TOOLS), path: this.#path() };
  }

  #path(): string {
    return `src/${this.#rng.pick(['app', 'core', 'lib'])}/file${this.#rng.below(this.#options.files ?? 12)}.ts`;
  }

  #prose(words: number): string {
    const rng = this.#rng;
    const text = Array.from({ length: 1 + rng.below(words) }, () => rng.pick(WORDS)).join(' ');
    return rng.chance(0.1) ? `${text} in ${this.#path()}, #${rng.below(this.#options.files ?? 40)}` : text;
  }

  #body(): string {
    const limit = this.#options.bodyChars ?? 1500;
    const lines: string[] = [];
    const wanted = this.#rng.below(limit);
    for (let chars = 0; chars < wanted; chars += lines.at(-1)?.length ?? 0) lines.push(this.#prose(12));
    return lines.join('\n');
  }

  #assistant(calls: readonly Call[], shape: Exclude<Shape, 'mixed'>): Message {
    const says = calls.length === 0 || this.#rng.chance(0.3) ? this.#prose(10) : '';
    const signature = this.#options.signed === true && this.#rng.chance(0.15) ? { signature: 's' } : {};
    if (shape === 'openai' || shape === 'harn') {
      const tool_calls = calls.map((call) => openCall(call, shape));
      return { role: 'assistant', content: says, ...(calls.length > 0 && { tool_calls }) };
    }
    const content: Message[] = [];
    if (this.#rng.chance(0.2)) content.push({ type: 'thinking', thinking: this.#prose(5), ...signature });
    if (says !== '') content.push({ type: 'text', text: says });
    content.push(...calls.map((call) => blockCall(call, shape)));
    return { role: 'assistant', content };
  }

  #results(calls: readonly Call[], shape: Exclude<Shape, 'mixed'>): void {
    const rng = this.#rng;
    const broken = this.#options.broken === true;
    const blocks: Message[] = [];
    for (const call of rng.chance(0.2) ? rng.shuffle(calls) : calls) {
      if (broken && rng.chance(0.08)) continue;
      const times = broken && rng.chance(0.05) ? 2 : 1;
      for (let i = 0; i < times; i++)
        blocks.push(this.#result(broken && rng.chance(0.05) ? { ...call, id: '' } : call, shape));
    }
    if (shape !== 'anthropic') this.messages.push(...blocks);
    else if (blocks.length > 0) this.#userBlocks(blocks);
    if (broken && rng.chance(0.04)) this.messages.push({ role: 'tool', tool_call_id: 'nobody', content: this.#body() });
  }

  #userBlocks(blocks: readonly Message[]): void {
    const extra = this.#rng.chance(0.2) ? [{ type: 'text', text: this.#prose(6) }] : [];
    this.messages.push({ role: 'user', content: [...blocks, ...extra] });
  }

  #result(call: Call, shape: Exclude<Shape, 'mixed'>): Message {
    const failed = this.#rng.chance(0.35);
    const text = failed ? `Error: ${this.#prose(4)}` : `${call.path}\n${this.#body()}`;
    const content = this.#rng.chance(0.2) ? [{ type: 'text', text }, { n: 1.5 }] : text;
    const flag = failed ? { is_error: true } : {};
    const named = this.#rng.chance(0.7) ? { name: call.name } : {};
    const data = this.#rng.chance(0.2) ? { data: { issue_number: this.#rng.below(40), object_id: 'widget' } } : {};
    const common = { content, ...flag, ...data };
    const id = (key: string) => (call.id === '' ? {} : { [key]: call.id });
    if (shape === 'openai') return { role: 'tool', ...id('tool_call_id'), ...named, ...common };
    if (shape === 'harn') return { role: 'tool_result', ...id('tool_call_id'), ...named, ...common };
    if (shape === 'anthropic') return { type: 'tool_result', ...id('tool_use_id'), ...common };
    return { role: 'toolResult', ...id('toolCallId'), toolName: call.name, ...common };
  }
}

function openCall(call: Call, shape: 'openai' | 'harn'): Message {
  const input = { path: call.path };
  if (shape === 'harn') return { id: call.id, name: call.name, arguments: input };
  return { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(input) } };
}

function blockCall(call: Call, shape: 'anthropic' | 'runtime'): Message {
  const input = { path: call.path };
  if (shape === 'anthropic') return { type: 'tool_use', id: call.id, name: call.name, input };
  return { type: 'toolCall', id: call.id, name: call.name, arguments: input };
}
