/** Tokens an image costs, by the providers' documented rules. Always an estimate: what is charged depends on the model. */

/**
 * `anthropic`: area / 750, scaled to 1568 px and about 1600 tokens; `-large`: to 2576 px and 4784 tokens, from Opus 4.7
 * on (platform.claude.com/docs/en/build-with-claude/vision). `openai…`, detail high: a base and a price per tile of
 * 512 px; `openai-patch`: 32 px patches, at most 1536, times 1.62 (platform.openai.com/docs/guides/images-vision,
 * "Calculating costs"). `gemini`: 258 a tile of 768 px, one if both sides are within 384
 * (ai.google.dev/gemini-api/docs/tokens).
 */
export type ImageRule = (typeof IMAGE_RULES)[number];

/** All rules. */
export const IMAGE_RULES = [
  'anthropic',
  'anthropic-large',
  'openai',
  'openai-gpt5',
  'openai-o',
  'openai-4o-mini',
  'openai-patch',
  'gemini',
] as const;

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

/** Scaled down, never up, so that the long edge is at most `longest`. */
function fitWithin({ width, height }: PixelSize, longest: number): PixelSize {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: width * scale, height: height * scale };
}

function areaTokens(size: PixelSize, longest: number, most: number): number {
  const { width, height } = fitWithin(size, longest);
  return Math.min(most, Math.ceil((width * height) / 750));
}

function tileTokens(size: PixelSize, base: number, tile: number): number {
  const fitted = fitWithin(size, 2048);
  const scale = Math.min(1, 768 / Math.min(fitted.width, fitted.height));
  return base + tile * Math.ceil((fitted.width * scale) / 512) * Math.ceil((fitted.height * scale) / 512);
}

function patchTokens({ width, height }: PixelSize): number {
  const patches = Math.ceil(width / 32) * Math.ceil(height / 32);
  return Math.ceil(Math.min(patches, 1536) * 1.62);
}

function geminiTokens({ width, height }: PixelSize): number {
  return width <= 384 && height <= 384 ? 258 : 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

interface RuleRow {
  readonly name: string;
  readonly tokens: (size: PixelSize) => number;
}

const RULES: Readonly<Record<ImageRule, RuleRow>> = {
  anthropic: { name: 'area / 750, to 1568 px', tokens: (size) => areaTokens(size, 1568, 1600) },
  'anthropic-large': { name: 'area / 750, to 2576 px', tokens: (size) => areaTokens(size, 2576, 4784) },
  openai: { name: '512 px tiles', tokens: (size) => tileTokens(size, 85, 170) },
  'openai-gpt5': { name: '512 px tiles', tokens: (size) => tileTokens(size, 70, 140) },
  'openai-o': { name: '512 px tiles', tokens: (size) => tileTokens(size, 75, 150) },
  'openai-4o-mini': { name: '512 px tiles', tokens: (size) => tileTokens(size, 2833, 5667) },
  'openai-patch': { name: '32 px patches', tokens: patchTokens },
  gemini: { name: '768 px tiles', tokens: geminiTokens },
};

/** Estimated tokens of one image under a rule; an unknown size (null, or an empty side) counts as the default's. */
export function imageTokens(size: PixelSize | null, rule: ImageRule): ImageTokens {
  const known = size !== null && size.width > 0 && size.height > 0;
  const { name, tokens } = RULES[rule];
  const of = known ? `${size.width}×${size.height}` : 'size unknown, taken as 1024×1024';
  return { tokens: tokens(known ? size : DEFAULT_IMAGE_SIZE), exact: false, label: `estimated by ${name} (${of})` };
}
