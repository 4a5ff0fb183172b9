import { describe, expect, test } from 'vitest';
import { type ImageRule, imageTokens } from '../../core/tokens/images.ts';

describe('imageTokens', () => {
  test.each([
    ['anthropic', 200, 200, 54],
    ['anthropic', 1000, 1000, 1334],
    ['anthropic', 1092, 1092, 1590],
    ['anthropic', 3000, 3000, 1600],
    ['anthropic', 3136, 784, 820],
    ['anthropic-large', 2000, 1000, 2667],
    ['anthropic-large', 8000, 8000, 4784],
    ['openai', 1024, 1024, 765],
    ['openai', 2048, 4096, 1105],
    ['openai', 512, 512, 255],
    ['openai-gpt5', 1024, 1024, 630],
    ['openai-o', 1024, 1024, 675],
    ['openai-4o-mini', 512, 512, 8500],
    ['openai-patch', 1024, 1024, 1659],
    ['openai-patch', 4000, 1474, 2489],
    ['gemini', 384, 384, 258],
    ['gemini', 1920, 1080, 1548],
  ] satisfies [ImageRule, number, number, number][])('%s, %i × %i: %i', (rule, width, height, tokens) => {
    const estimate = imageTokens({ width, height }, rule);
    expect(estimate).toMatchObject({ tokens, exact: false });
    expect(estimate.label).toContain(`${width}×${height}`);
  });

  test.each([[null], [{ width: 0, height: 5 }]])('an unknown size (%j) counts as 1024 × 1024 and says so', (size) => {
    const estimate = imageTokens(size, 'openai');
    expect(estimate.tokens).toBe(765);
    expect(estimate.label).toContain('size unknown');
  });
});
