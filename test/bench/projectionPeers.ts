// The nearest functions of the two libraries most used, on the same messages in their own shapes.

import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { timeRuns } from './measure.ts';
import { loadPeer } from './peers.ts';
import type { GeneratedBlock, GeneratedMessage } from './projectionCase.ts';

export const LANGCHAIN = '@langchain/core@1.2.13';
export const AI_SDK = 'ai@7.0.173';

interface LangchainMessage {
  readonly content: unknown;
}

interface LangchainMessages {
  readonly HumanMessage: new (fields: object) => LangchainMessage;
  readonly AIMessage: new (fields: object) => LangchainMessage;
  readonly ToolMessage: new (fields: object) => LangchainMessage;
  readonly trimMessages: (messages: readonly LangchainMessage[], options: object) => Promise<LangchainMessage[]>;
}

interface AiSdk {
  readonly pruneMessages: (options: object) => readonly unknown[];
}

/**
 * trimMessages to half of the tokens, from the last message back. `length` counts four characters a token, the cheapest
 * counter there is; `js-tiktoken` counts as LangChain's own models do.
 */
export async function trimRuns(
  messages: readonly GeneratedMessage[],
  counter: 'length' | 'js-tiktoken',
  rounds: number,
  budget: number,
): Promise<readonly number[]> {
  const langchain = await loadPeer<LangchainMessages>(LANGCHAIN, 'messages');
  const shaped = messages.flatMap((message) => langchainMessages(message, langchain));
  const count = counter === 'length' ? lengthOf : tiktokenCounter();
  const tokenCounter = (list: readonly LangchainMessage[]): number => {
    let sum = 0;
    for (const message of list) sum += count(message.content);
    return sum;
  };
  const total = shaped.reduce((sum, message) => sum + lengthOf(message.content), 0);
  const options = { maxTokens: Math.floor(total / 2), strategy: 'last', startOn: 'human', tokenCounter };
  return timeRuns(rounds, budget, () => langchain.trimMessages(shaped, options));
}

function lengthOf(content: unknown): number {
  return typeof content === 'string' ? content.length / 4 : 0;
}

function tiktokenCounter(): (content: unknown) => number {
  const tiktoken = new Tiktoken(o200k);
  return (content) => (typeof content === 'string' ? tiktoken.encode(content, [], []).length : 0);
}

function langchainMessages(message: GeneratedMessage, types: LangchainMessages): readonly LangchainMessage[] {
  const { role, content } = message;
  if (typeof content === 'string') return [new types.HumanMessage({ content })];
  if (role === 'user') {
    return content.map((block) => {
      return new types.ToolMessage({ content: block.content ?? '', tool_call_id: block.tool_use_id ?? '' });
    });
  }
  const text = content.map((block) => block.text ?? '').join('');
  const calls = content.filter((block) => block.type === 'tool_use');
  const tool_calls = calls.map(({ id, name, input }) => ({ id, name, args: input, type: 'tool_call' }));
  return [new types.AIMessage({ content: text, tool_calls })];
}

/** pruneMessages with all it has on: no reasoning, tool calls only in the last two messages, empty messages out. */
export async function pruneRuns(
  messages: readonly GeneratedMessage[],
  rounds: number,
  budget: number,
): Promise<readonly number[]> {
  const { pruneMessages } = await loadPeer<AiSdk>(AI_SDK);
  const names = new Map<string, string>();
  const shaped = messages.map((message) => aiMessage(message, names));
  const options = { reasoning: 'all', toolCalls: 'before-last-2-messages', emptyMessages: 'remove' };
  return timeRuns(rounds, budget, () => pruneMessages({ messages: shaped, ...options }));
}

function aiMessage({ role, content }: GeneratedMessage, names: Map<string, string>): unknown {
  if (typeof content === 'string') return { role, content };
  if (role === 'assistant') return { role, content: content.map((block) => aiCallPart(block, names)) };
  const results = content.map(({ tool_use_id = '', content: value }) => ({
    type: 'tool-result',
    toolCallId: tool_use_id,
    toolName: names.get(tool_use_id) ?? '',
    output: { type: 'text', value },
  }));
  return { role: 'tool', content: results };
}

function aiCallPart(block: GeneratedBlock, names: Map<string, string>): unknown {
  if (block.type === 'text') return { type: 'text', text: block.text };
  names.set(block.id ?? '', block.name ?? '');
  return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input };
}
