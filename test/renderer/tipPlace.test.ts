import { expect, test } from 'vitest';
import { tipPlace } from '../../renderer/app/tipPlace.ts';

const WINDOW = { width: 1024, height: 700 };

test.each([
  ['under its text, where it begins', { left: 40, top: 100, bottom: 124 }, { width: 300, height: 26 }, [40, 128]],
  ['not past the right edge', { left: 900, top: 100, bottom: 124 }, { width: 300, height: 26 }, [716, 128]],
  ['above it where there is no room', { left: 40, top: 660, bottom: 684 }, { width: 300, height: 26 }, [40, 630]],
  [
    'under it where there is none above either',
    { left: 4, top: 10, bottom: 690 },
    { width: 300, height: 26 },
    [8, 694],
  ],
])('a tip stands %s', (_, text, tip, [left, top]) => expect(tipPlace(text, tip, WINDOW)).toEqual({ left, top }));
