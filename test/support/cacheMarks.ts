// Marks of the prompt cache put into messages, as clients do it: on a block, or beside the content.
import type { Rng } from '../../core/util/rng.ts';
import { isRecord } from '../../core/util/unknown.ts';

/** The same messages; about one in four carries a mark. */
export function withCacheMarks(texts: readonly string[], rng: Rng): readonly string[] {
  return texts.map((text) => {
    const message: unknown = JSON.parse(text);
    if (!rng.chance(0.25) || !isRecord(message)) return text;
    const mark = rng.chance(0.3) ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
    const { content } = message;
    if (!Array.isArray(content)) return JSON.stringify({ ...message, cache_control: mark });
    const at = rng.below(content.length);
    const marked = content.map((block, i) => (i === at && isRecord(block) ? { ...block, cache_control: mark } : block));
    return JSON.stringify({ ...message, content: marked });
  });
}
