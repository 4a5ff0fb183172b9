// The system prompt, from any form to any form. A prompt in the target's own form goes out as it stands.
import { JsonNode } from './jsonNode.ts';
import type { LossList } from './losses.ts';
import { textLiteral } from './neutral.ts';
import { ANTHROPIC_SYSTEM } from './targets/anthropicShapes.ts';
import type { WireTarget } from './types.ts';

const NOWHERE = { index: null, position: null };

/** A system prompt read: its texts as literals, and whether it is in the form of the target already. */
interface Prompt {
  readonly node: JsonNode;
  readonly literals: readonly string[];
}

/**
 * The JSON of the member that holds the system prompt, or null if there is none; `texts` come behind what is recorded.
 * `isVerbatim`: recorded on that very wire.
 */
export function systemMember(
  target: WireTarget,
  recorded: string | null,
  texts: readonly string[],
  isVerbatim: boolean,
  losses: LossList,
): string | null {
  if (recorded !== null && isVerbatim && texts.length === 0) return recorded;
  const prompt = recorded === null ? null : readPrompt(JsonNode.parse(recorded));
  if (prompt === null && texts.length === 0) return null;
  if (prompt !== null && texts.length === 0 && isOwn(target, prompt.node)) return prompt.node.text;
  if (prompt !== null) reportLosses(prompt.node, losses);
  const literals = [...(prompt?.literals ?? []), ...texts];
  switch (target) {
    case 'anthropic':
      return literals.length === 1 ? (literals[0] ?? null) : `[${literals.map(textBlock).join(',')}]`;
    case 'gemini':
      return `{"parts":[${literals.map((literal) => `{"text":${literal}}`).join(',')}]}`;
    case 'openai':
      return `{"role":"system","content":${joined(literals)}}`;
    case 'responses':
      return joined(literals);
  }
}

function isOwn(target: WireTarget, node: JsonNode): boolean {
  if (target === 'anthropic') return ANTHROPIC_SYSTEM(node);
  if (target === 'gemini') return node.isRecord && node.get('parts') !== null;
  return target === 'responses' && node.isString;
}

function readPrompt(node: JsonNode): Prompt {
  if (node.isString) return { node, literals: [node.text] };
  const list = node.isRecord ? (node.get('parts') ?? node.get('content') ?? node) : node;
  if (list.isString) return { node, literals: [list.text] };
  const blocks = list.isArray ? list.elements : [list];
  return { node, literals: blocks.map(textLiteral) };
}

function reportLosses(node: JsonNode, losses: LossList): void {
  const list = node.isRecord ? (node.get('parts') ?? node.get('content') ?? node) : node;
  for (const [at, block] of list.elements.entries()) {
    losses.unused(NOWHERE, block, ['system', at], new Set(['type', 'text']));
  }
}

function textBlock(literal: string): string {
  return `{"type":"text","text":${literal}}`;
}

// Texts as one, an empty line between them.
function joined(literals: readonly string[]): string {
  const [only, ...others] = literals;
  if (only !== undefined && others.length === 0) return only;
  return `"${literals.map((literal) => literal.slice(1, -1)).join('\\n\\n')}"`;
}
