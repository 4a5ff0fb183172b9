import { describe, expect, test } from 'vitest';
import { imageSize } from '../../core/tokens/imageSize.ts';
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

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const PNG = [0x89, ...ascii('PNG\r\n\x1a\n'), 0, 0, 0, 13, ...ascii('IHDR'), 0, 0, 2, 0x80, 0, 0, 1, 0xe0, 8, 6];
const GIF = [...ascii('GIF89a'), 0x40, 1, 0xf0, 0, 0xf7, 0, 0];
const JPEG_HEAD = [0xff, 0xd8, 0xff, 0xe0, 0, 6, 1, 2, 3, 4, 0xff, 0xc4, 0, 3, 9];
const SOF = [0xff, 0xc2, 0, 17, 8, 0x02, 0x58, 0x03, 0x20, 3, 1, 0x22, 0];
const riff = (chunk: string, data: readonly number[]): number[] => [
  ...ascii('RIFF'),
  9,
  0,
  0,
  0,
  ...ascii('WEBP'),
  ...ascii(chunk),
  9,
  0,
  0,
  0,
  ...data,
  0,
  0,
  0,
  0,
  0,
  0,
];

describe('imageSize', () => {
  test.each([
    ['png', PNG, { format: 'png', width: 640, height: 480 }],
    ['gif', GIF, { format: 'gif', width: 320, height: 240 }],
    ['jpeg, progressive, after other segments', [...JPEG_HEAD, ...SOF], { format: 'jpeg', width: 800, height: 600 }],
    ['jpeg with fill bytes', [0xff, 0xd8, 0xff, 0xff, ...SOF], { format: 'jpeg', width: 800, height: 600 }],
    [
      'webp, lossy',
      riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 0x43, 0x58, 0x02]),
      { format: 'webp', width: 800, height: 600 },
    ],
    [
      'webp, lossless',
      riff('VP8L', [0x2f, 0x1f, 0xc3, 0x95, 0x00, 0, 0, 0, 0, 0]),
      { format: 'webp', width: 800, height: 600 },
    ],
    ['webp, extended', riff('VP8X', [0, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0]), { format: 'webp', width: 800, height: 600 }],
    ['nothing', [], null],
    ['text', ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
    ['a png cut short', PNG.slice(0, 20), null],
    ['a jpeg cut before its frame', JPEG_HEAD, null],
    ['a jpeg with garbage for a marker', [0xff, 0xd8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], null],
    ['a webp of another kind', riff('ALPH', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), null],
  ])('%s', (_name, bytes, want) => {
    expect(imageSize(Uint8Array.from(bytes))).toEqual(want);
  });

  test('a view into a larger buffer', () => {
    const padded = Uint8Array.from([1, 2, 3, ...PNG]);
    expect(imageSize(padded.subarray(3))).toEqual({ format: 'png', width: 640, height: 480 });
  });
});
