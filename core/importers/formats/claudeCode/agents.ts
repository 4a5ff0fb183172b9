// What starts sub-agents: calls with a prompt. Version 1 writes no id beside an agent's lines, but its first line
// repeats the prompt; later versions name the agent in the call's result.

import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { fingerprintNumber } from '../../fingerprint.ts';

/** A call that starts an agent, and the chain it was made in. */
export interface AgentCall {
  readonly callId: string;
  readonly key: string;
}

const TOOLS = new Set(['Task', 'Agent']);
/** So many prompts are remembered, the newest. */
const MAX_CALLS = 10_000;

/** Remembers prompts of calls until the agent with that prompt begins. */
export class AgentCalls {
  readonly #byPrompt = new Map<number, AgentCall[]>();

  /** Looks for agents' calls in an answer's content. */
  answer(content: unknown, key: string): void {
    if (!Array.isArray(content)) return;
    for (const block of content) {
      if (!isRecord(block) || ownAt(block, 'type') !== 'tool_use' || !TOOLS.has(stringAt(block, 'name') ?? ''))
        continue;
      const prompt = stringAt(recordAt(block, 'input') ?? {}, 'prompt');
      const callId = stringAt(block, 'id');
      if (prompt === undefined || callId === undefined) continue;
      const print = fingerprintNumber(prompt.trim());
      this.#byPrompt.set(print, [...(this.#byPrompt.get(print) ?? []), { callId, key }]);
      const [oldest] = this.#byPrompt.keys();
      if (this.#byPrompt.size > MAX_CALLS && oldest !== undefined) this.#byPrompt.delete(oldest);
    }
  }

  /** The call whose prompt an agent's first message repeats; each call starts one agent. */
  claim(content: unknown): AgentCall | undefined {
    const text = typeof content === 'string' ? content : firstText(content);
    const calls = text === undefined ? undefined : this.#byPrompt.get(fingerprintNumber(text.trim()));
    return calls?.shift();
  }
}

function firstText(content: unknown): string | undefined {
  const first = (arrayAt({ content }, 'content') ?? []).find((block) => isRecord(block) && 'text' in block);
  return isRecord(first) ? stringAt(first, 'text') : undefined;
}

/** The agent that a result's record names (`toolUseResult.agentId`), with the call that is answered. */
export function spawnIn(
  fields: Fields,
  content: unknown,
): { readonly callId: string; readonly agentId: string } | undefined {
  const agentId = stringAt(recordAt(fields, 'toolUseResult') ?? {}, 'agentId');
  if (agentId === undefined || agentId === '') return undefined;
  for (const block of arrayAt({ content }, 'content') ?? []) {
    const callId = isRecord(block) ? stringAt(block, 'tool_use_id') : undefined;
    if (callId !== undefined) return { callId, agentId };
  }
  return undefined;
}
