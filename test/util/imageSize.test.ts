import { describe, expect, test } from 'vitest';
import { imageSize, sniffBytes } from '../../core/util/imageSize.ts';

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

describe('sniffBytes', () => {
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from([0, 0, 3, 32, 0, 0, 2, 88]),
  ]);
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([16, 0, 9, 0])]);
  const jpeg = Buffer.from('ffd8ffe000044a46ffc00011080064012c03', 'hex');
  const webp = Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0'),
    Buffer.from([255, 3, 0, 255, 1, 0]),
  ]);
  const cases: readonly [string, Buffer, string | null, number | null, number | null][] = [
    ['png', png, 'image/png', 800, 600],
    ['gif', gif, 'image/gif', 16, 9],
    ['jpeg', jpeg, 'image/jpeg', 300, 100],
    ['webp', webp, 'image/webp', 1024, 512],
    ['pdf', Buffer.from('%PDF-1.7'), 'application/pdf', null, null],
    ['a cut png', png.subarray(0, 10), 'image/png', null, null],
    ['nothing', Buffer.alloc(0), null, null, null],
  ];
  test.each(cases)('%s', (_name, bytes, mime, width, height) => {
    expect(sniffBytes(bytes)).toEqual({ mime, width, height });
  });
});
