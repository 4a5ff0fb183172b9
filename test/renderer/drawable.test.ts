import { describe, expect, it } from 'vitest';
import { imageWords, isAnimated, WHOLE, whyNotDrawn } from '../../renderer/parts/drawable.ts';

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>').toString('base64');

/** The dot with another size in its header. */
function png(width: number, height: number): string {
  const bytes = Buffer.from(DOT, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

function bmp(width: number, height: number): string {
  const bytes = Buffer.alloc(54);
  bytes.write('BM');
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes.toString('base64');
}

/** A box of AVIF's: the extents of a piece, then those of the whole. */
function avif(...sizes: readonly (readonly [number, number])[]): string {
  const head = Buffer.from('\0\0\0\x10ftypavif\0\0\0\0', 'latin1');
  const boxes = sizes.map(([width, height]) => {
    const box = Buffer.alloc(20);
    box.writeUInt32BE(20);
    box.write('ispe', 4);
    box.writeUInt32BE(width, 12);
    box.writeUInt32BE(height, 16);
    return box;
  });
  return Buffer.concat([head, ...boxes]).toString('base64');
}

const BROKEN = 'its bytes are not an image that can be drawn';

const SMALL = { bytes: 8_000_000, pixels: 25_000_000 };

describe('what may be decoded', () => {
  it.each([
    ['a PNG', 'image/png', DOT, null],
    ['a PNG of the largest size', 'image/png', png(10_000, 5_000), null],
    ['a PNG beyond it', 'image/png', png(10_001, 5_000), 'not drawn: 10,001 × 5,000 pixels'],
    ['a bomb', 'image/png', png(65_000, 65_000), 'not drawn: 65,000 × 65,000 pixels'],
    ['a PNG of no width', 'image/png', png(0, 5), BROKEN],
    ['a BMP, drawn from the top', 'image/bmp', bmp(20, -10), null],
    ['a BMP bomb', 'image/bmp', bmp(65_000, -65_000), 'not drawn: 65,000 × 65,000 pixels'],
    ['an AVIF', 'image/avif', avif([64, 64], [128, 64]), null],
    [
      'an AVIF bomb, its pieces small',
      'image/avif',
      avif([64, 64], [65_000, 65_000]),
      'not drawn: 65,000 × 65,000 pixels',
    ],
    ['a PNG whose base64 is in lines', 'image/png', `${DOT.slice(0, 76)}\n${DOT.slice(76)}\n`, null],
    ['an SVG', 'image/svg+xml', SVG, 'not drawn'],
    ['an SVG that says it is a PNG', 'image/png', SVG, BROKEN],
    ['a media type with more in it', 'image/png" onerror="x', DOT, 'not drawn'],
    ['a page', 'text/html', DOT, 'not drawn'],
    ['base64 with more behind it', 'image/png', `${DOT}"><script>`, BROKEN],
    ['base64 of a length that none has', 'image/png', DOT.slice(0, -3), BROKEN],
    ['nothing', 'image/png', '', BROKEN],
  ])('%s', (_, mime, base64, why) => {
    expect(whyNotDrawn(mime, base64, WHOLE)).toBe(why);
  });

  it('smaller bounds refuse more', () => {
    expect(whyNotDrawn('image/png', png(6_000, 5_000), WHOLE)).toBeNull();
    expect(whyNotDrawn('image/png', png(6_000, 5_000), SMALL)).toBe('not drawn: 6,000 × 5,000 pixels');
    expect(whyNotDrawn('image/png', `${DOT.slice(0, -4)}${'A'.repeat(12_000_000)}`, SMALL)).toBe(
      'too large to be drawn',
    );
  });
});

describe('an image that moves', () => {
  const gif = (...blocks: readonly string[]) => Buffer.from(`GIF89a${blocks.join('')}`, 'latin1').toString('base64');
  const FRAME = '!\xf9\x04\0\x0a\0\0\0,';
  const webp = (flags: number) =>
    Buffer.from(`RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0${String.fromCharCode(flags)}\0\0\0`, 'latin1').toString('base64');
  const brand = (name: string) => Buffer.from(`\0\0\0\x10ftyp${name}\0\0\0\0`, 'latin1').toString('base64');
  const moving = Buffer.from(DOT, 'base64').toString('latin1').replace('IDAT', 'acTL\0\0\0\x02IDAT');
  it.each([
    ['a GIF of two pictures', gif(FRAME, FRAME), true],
    ['a GIF in a loop', gif('!\xff\x0bNETSCAPE2.0', FRAME), true],
    ['a GIF of one picture', gif(FRAME), false],
    ['a PNG', DOT, false],
    ['a PNG of several pictures', Buffer.from(moving, 'latin1').toString('base64'), true],
    ['a WebP', webp(0), false],
    ['a WebP that moves', webp(2), true],
    ['an AVIF', brand('avif'), false],
    ['a sequence of AVIF', brand('avis'), true],
    ['no image', '', false],
  ])('is told by its header: %s', (_what, base64, moves) => expect(isAnimated(base64)).toBe(moves));

  it('and any other is said in the words of its row', () => {
    expect(imageWords('image/png', png(60_000, 5), 1210)).toBe('image/png 60,000×5 · 1.2 kB');
    expect(imageWords('image/png', 'bm8=', 16)).toBe('image/png · 16 B');
  });
});
