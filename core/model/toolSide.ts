// browser-safe
import type { Part } from './message.ts';

/**
 * What a part is of the use of a tool: its call or what came of it, those of a tool that the provider ran itself among them;
 * null = neither. Stages and requests go by `kind`, as the projection spec does: they pair nothing that the provider ran.
 */
export function toolSide({ kind, category }: Pick<Part, 'kind' | 'category'>): 'call' | 'result' | null {
  if (kind === 'tool_call') return 'call';
  if (kind === 'tool_result') return 'result';
  if (kind !== 'other') return null;
  return category === 'tool_call' ? 'call' : category === 'tool_result' ? 'result' : null;
}
