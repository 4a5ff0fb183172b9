/** Tokens an image costs, by the providers' documented rules. Always an estimate: what is charged depends on the model. */

/**
 * `anthropic`: area / 750 within 1568 px and 1600 tokens (docs.anthropic.com/en/docs/build-with-claude/vision).
 * `openai`: 85 + 170 per 512 px tile; `openai-patch`: 32 px patches, at most 1536, times 1.62
 * (platform.openai.com/docs/guides/images-vision, "Calculating costs", detail high; gpt-4o's and gpt-4.1-mini's numbers).
 * `gemini`: 258 a tile of 768 px, one if both sides are within 384 (ai.google.dev/gemini-api/docs/tokens).
 */
export type ImageRule = 'anthropic' | 'openai' | 'openai-patch' | 'gemini';

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** An estimated count and how it came about. */
export interface ImageTokens {
  readonly tokens: number;
  readonly exact: false;
  readonly label: string;
}

/** What stands for an image of unknown size: a square of 1024 px, a usual screenshot's cost under every rule. */
export const DEFAULT_IMAGE_SIZE: PixelSize = { width: 1024, height: 1024 };

const NAME: Readonly<Record<ImageRule, string>> = {
  anthropic: 'area / 750',
  openai: '512 px tiles',
  'openai-patch': '32 px patches',
  gemini: '768 px tiles',
};

/** Scaled down, never up, so that the long edge is at most `longest`. */
function fitWithin({ width, height }: PixelSize, longest: number): PixelSize {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: width * scale, height: height * scale };
}

function anthropicTokens(size: PixelSize): number {
  const { width, height } = fitWithin(size, 1568);
  return Math.min(1600, Math.ceil((width * height) / 750));
}

function openaiTokens(size: PixelSize): number {
  const fitted = fitWithin(size, 2048);
  const scale = Math.min(1, 768 / Math.min(fitted.width, fitted.height));
  return 85 + 170 * Math.ceil((fitted.width * scale) / 512) * Math.ceil((fitted.height * scale) / 512);
}

function patchTokens({ width, height }: PixelSize): number {
  const patches = Math.ceil(width / 32) * Math.ceil(height / 32);
  return Math.ceil(Math.min(patches, 1536) * 1.62);
}

function geminiTokens({ width, height }: PixelSize): number {
  return width <= 384 && height <= 384 ? 258 : 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

const RULES: Readonly<Record<ImageRule, (size: PixelSize) => number>> = {
  anthropic: anthropicTokens,
  openai: openaiTokens,
  'openai-patch': patchTokens,
  gemini: geminiTokens,
};

/** Estimated tokens of one image under a rule; an unknown size (null, or an empty side) counts as the default's. */
export function imageTokens(size: PixelSize | null, rule: ImageRule): ImageTokens {
  const known = size !== null && size.width > 0 && size.height > 0;
  const tokens = RULES[rule](known ? size : DEFAULT_IMAGE_SIZE);
  const of = known ? `${size.width}×${size.height}` : 'size unknown, taken as 1024×1024';
  return { tokens, exact: false, label: `estimated by ${NAME[rule]} (${of})` };
}
