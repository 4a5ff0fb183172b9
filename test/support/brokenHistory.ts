// Random histories with everything that hygiene mends: ids that are repeated, missing or too long, calls cut off or without
// results, results late, lost or twice, blank text, reasoning with and without a signature, images, turns of one role in a
// row, messages of other sessions, changing providers. From a seed: the same seed gives the same history.
import type { Rng } from '../../core/util/rng.ts';

/** How messages are written. */
export const HISTORY_SHAPES = ['camel', 'anthropic', 'openai', 'responses', 'gemini', 'mixed'] as const;

/** One of them. */
export type HistoryShape = (typeof HISTORY_SHAPES)[number];

/** What a history is like. */
export interface HistoryOptions {
  readonly shape: HistoryShape;
  /** Messages, about. */
  readonly length: number;
  /** From 0 (whole) to 1: how much is broken. */
  readonly damage: number;
  /** Ids are from a few, so that they come again and again. */
  readonly fewIds: boolean;
  /** Answers say who gave them. */
  readonly providers: boolean;
}

type OneShape = Exclude<HistoryShape, 'mixed'>;
type Message = Record<string, unknown>;

interface Call {
  readonly id: string;
  readonly name: string;
}

const FEW = ['a', 'b', 'call_1|fc_1', 'call_2|fc_2', 'toolu_01X', '***', 'x'.repeat(70), ''];
const PROVIDERS = [
  { provider: 'anthropic', api: 'anthropic-messages', model: 'claude' },
  { provider: 'google', api: 'google-generative-ai', model: 'gemini' },
  { provider: 'openai', api: 'openai-responses', model: 'gpt' },
  { provider: 'mistral', api: 'mistral', model: 'codestral' },
];

/** Random messages. */
export function brokenHistory(rng: Rng, options: HistoryOptions): readonly Message[] {
  const writer = new Writer(rng, options);
  while (writer.messages.length < options.length) writer.turn();
  return writer.messages;
}

class Writer {
  readonly messages: Message[] = [];
  readonly #rng: Rng;
  readonly #options: HistoryOptions;
  #made = 0;
  #provider: object = {};
  #late: Call[] = [];

  constructor(rng: Rng, options: HistoryOptions) {
    this.#rng = rng;
    this.#options = options;
  }

  turn(): void {
    const rng = this.#rng;
    const { shape: chosen, providers } = this.#options;
    const shape =
      chosen === 'mixed' ? rng.pick(['camel', 'anthropic', 'openai', 'responses', 'gemini'] as const) : chosen;
    if (providers && (this.#made === 0 || rng.chance(0.05))) this.#provider = rng.pick(PROVIDERS);
    if (rng.chance(0.04)) this.messages.push({ role: 'system', content: 'be brief' });
    if (rng.chance(0.85)) this.messages.push(this.#user(shape));
    if (this.#isBroken(0.2)) this.messages.push(this.#user(shape));
    const steps = rng.below(4);
    for (let step = 0; step < steps; step++) this.#step(shape);
    if (rng.chance(0.8)) this.messages.push(this.#answer(shape, []));
  }

  #step(shape: OneShape): void {
    const rng = this.#rng;
    const calls = Array.from({ length: 1 + (rng.chance(0.3) ? 1 : 0) }, () => this.#call());
    if (shape === 'responses' && rng.chance(0.5)) this.messages.push(this.#reasoning());
    const isSplit = rng.chance(0.2) && calls.length > 1;
    if (isSplit) for (const call of calls) this.messages.push(this.#answer(shape, [call]));
    else this.messages.push(this.#answer(shape, calls));
    if (this.#isBroken(0.1)) this.messages.push(rng.chance() ? this.#user(shape) : this.#answer(shape, []));
    for (const call of rng.chance(0.2) ? calls.toReversed() : calls) {
      if (this.#isBroken(0.15)) this.#late.push(call);
      else if (!this.#isBroken(0.15)) this.messages.push(this.#result(shape, call));
      if (this.#isBroken(0.08)) this.messages.push(this.#result(shape, call));
    }
    if (this.#isBroken(0.1)) this.messages.push(this.#result(shape, this.#call()));
    if (this.#late.length > 0 && rng.chance(0.2)) this.messages.push(this.#result(shape, this.#late.shift()!));
  }

  #isBroken(probability: number): boolean {
    return this.#rng.chance(probability * this.#options.damage);
  }

  #words(words: string): string {
    return this.#isBroken(0.15) ? ' ' : `${words} ${this.#made++}`;
  }

  #call(): Call {
    const id = this.#options.fewIds ? this.#rng.pick(FEW) : `toolu_${this.#made++}`;
    return { id, name: `read${this.#rng.below(3)}` };
  }

  #user(shape: OneShape): Message {
    const rng = this.#rng;
    const from = rng.chance(0.06) ? { provenance: { kind: 'inter_session', sourceTool: 'cron' } } : {};
    if (shape === 'gemini') return { role: 'user', parts: [{ text: this.#words('ask') }], ...from };
    const image = rng.chance(0.1)
      ? [{ type: 'image', data: rng.pick(['QUJD', '', '?', 'QUJE']), mimeType: 'image/png' }]
      : [];
    if (image.length === 0 && rng.chance()) return { role: 'user', content: this.#words('ask'), ...from };
    return { role: 'user', content: [{ type: 'text', text: this.#words('ask') }, ...image], ...from };
  }

  #reasoning(): Message {
    return { role: 'assistant', content: [{ type: 'reasoning', id: `rs_${this.#made++}`, summary: [] }] };
  }

  #answer(shape: OneShape, calls: readonly Call[]): Message {
    const rng = this.#rng;
    const said = calls.length === 0 || rng.chance(0.4) ? [this.#words('answer')] : [];
    const stop = this.#isBroken(0.12) ? { stopReason: rng.pick(['error', 'aborted', 'toolUse', 'length']) } : {};
    const who = this.#provider;
    if (shape === 'gemini') {
      const parts = [
        ...said.map((text) => ({ text })),
        ...calls.map(({ name }) => ({ functionCall: { name, args: {} } })),
      ];
      return { role: 'model', parts, ...who };
    }
    if (shape === 'openai') {
      const all = calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, ...this.#input('arguments', '{}') },
      }));
      return { role: 'assistant', content: said[0] ?? null, ...(all.length > 0 && { tool_calls: all }), ...who };
    }
    const thought = rng.chance(0.25) ? [this.#thought(shape)] : [];
    const isCutShort = 'stopReason' in stop && stop.stopReason === 'length' && thought.length > 0;
    const text = isCutShort ? [] : said.map((each) => ({ type: 'text', text: each }));
    return {
      role: 'assistant',
      content: [...thought, ...text, ...calls.map((call) => this.#block(shape, call))],
      ...stop,
      ...who,
    };
  }

  #block(shape: 'camel' | 'anthropic' | 'responses', { id, name }: Call): Message {
    if (shape === 'camel') return { type: 'toolCall', id, name, ...this.#input('arguments', {}) };
    if (shape === 'anthropic') return { type: 'tool_use', id, name, ...this.#input('input', {}) };
    return { type: 'function_call', call_id: id, name, ...this.#input('arguments', '{}') };
  }

  #input(key: string, value: unknown): Message {
    return this.#isBroken(0.1) ? {} : { [key]: value };
  }

  #thought(shape: OneShape): Message {
    const signature = this.#rng.pick([
      { signature: 'QUJD' },
      { thinkingSignature: 'QUJD' },
      { thought_signature: 'msg_1' },
      {},
    ]);
    if (shape !== 'responses') return { type: 'thinking', thinking: this.#words('hm'), ...signature };
    return { type: 'reasoning', id: `rs_${this.#made++}`, summary: [] };
  }

  #result(shape: OneShape, { id, name }: Call): Message {
    const rng = this.#rng;
    const words = this.#words('result');
    const isNamed = !this.#isBroken(0.1);
    switch (shape) {
      case 'camel': {
        const said = {
          toolName: name,
          content: [{ type: 'text', text: words }],
          ...(rng.chance(0.3) && { details: 1 }),
        };
        return { role: 'toolResult', ...(isNamed && { toolCallId: id }), ...said };
      }
      case 'openai':
      case 'responses':
        return { role: 'tool', ...(isNamed && { tool_call_id: id }), content: words };
      case 'gemini': {
        const more = rng.chance(0.2) ? [{ text: this.#words('and') }] : [];
        return { role: 'user', parts: [{ functionResponse: { name, response: { output: words } } }, ...more] };
      }
      case 'anthropic': {
        const result = { type: 'tool_result', ...(isNamed && { tool_use_id: id }), content: words };
        const more = rng.chance(0.2) ? [{ type: 'text', text: this.#words('and') }] : [];
        return { role: 'user', content: rng.chance() ? [...more, result] : [result, ...more] };
      }
    }
  }
}
