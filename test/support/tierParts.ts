// Random transcripts that hold what caps on tiers take away: images in the blocks of all providers, thinking signed and
// unsigned, reasoning beside the content. Made from random transcripts by a seed.
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { type RandomOptions, randomTranscript } from './randomTranscript.ts';

/** A PNG of 1 × 1 pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** An image block in the words of each provider. */
export const IMAGE_BLOCKS = {
  anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
  anthropicLink: { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
  openai: { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
  responses: { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
  pi: { type: 'image', data: PIXEL, mimeType: 'image/png' },
} as const;

const BLOCKS: readonly object[] = Object.values(IMAGE_BLOCKS);

/** A random transcript with images and thinking in some of its messages. */
export function randomTierTranscript(options: RandomOptions): string[] {
  const rng = seededRng(options.seed * 131 + 7);
  return randomTranscript(options).map((text) => {
    const message: unknown = JSON.parse(text);
    return JSON.stringify(isRecord(message) ? withParts(message, rng) : message);
  });
}

function withParts(message: Readonly<Record<string, unknown>>, rng: Rng): object {
  const { role, content } = message;
  if (role === 'user' && rng.chance(0.5)) return { ...message, content: [...asBlocks(content), ...images(rng)] };
  if (role !== 'assistant' || rng.chance(0.4)) return message;
  const thinking = 'I think of it. '.repeat(1 + rng.below(8));
  if (!Array.isArray(content)) {
    const signed = rng.chance(0.2) ? { thinking_signature: 's' } : {};
    return { ...message, [rng.pick(['reasoning_content', 'reasoning'])]: thinking, ...signed };
  }
  const signature = rng.chance(0.3) ? { signature: 's' } : {};
  if (rng.chance(0.15)) return { ...message, content: [{ type: 'thinking', thinking, ...signature }] };
  return { ...message, content: [{ type: 'thinking', thinking, ...signature }, ...content] };
}

function images(rng: Rng): object[] {
  return Array.from({ length: 1 + rng.below(2) }, () => rng.pick(BLOCKS));
}

function asBlocks(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];
}
