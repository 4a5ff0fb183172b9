// `thinking.block_binding`: what is to become of thinking blocks that are bound to another conversation.
import { setMember } from '../util/json/index.ts';
import type { JsonNode } from './jsonNode.ts';
import type { Chosen } from './types.ts';

/** The value of `anthropic-beta` without which the field is refused. */
export const BINDING_BETA = 'thinking-binding-controls-2026-08-01';

/** The setting `thinking` with what is asked for; null = thinking is off there, and the field has no place. */
export function withBlockBinding(thinking: JsonNode | null, asked: 'error' | 'drop_block'): string | null {
  if (thinking === null || !thinking.isRecord) return `{"type":"adaptive","block_binding":${binding(asked)}}`;
  return thinking.string('type') === 'disabled' ? null : setMember(thinking.text, [], 'block_binding', binding(asked));
}

/** What is said of it. */
export function bindingChoices(thinking: JsonNode | null, asked: 'error' | 'drop_block'): readonly Chosen[] {
  const field = 'thinking.block_binding';
  if (thinking?.string('type') === 'disabled') {
    return [
      { field, value: 'left out', why: 'thinking is off in the recorded request, and the field has no place then' },
    ];
  }
  const adaptive = thinking === null ? '; with thinking: adaptive, as the transcript does not record it' : '';
  return [
    { field, value: asked, why: `as preserved_thinking asks${adaptive}` },
    { field: 'anthropic-beta', value: BINDING_BETA, why: 'the header is needed for thinking.block_binding' },
  ];
}

function binding(asked: string): string {
  return `{"prefix_mismatch_behavior":${JSON.stringify(asked)}}`;
}
