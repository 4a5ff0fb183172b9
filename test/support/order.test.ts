import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST } from '../longest.table.ts';
import { turnOf } from './order.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('the files that begin first are there, each once', () => {
  expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});

test('long files come first, files that want a document last', () => {
  const files = ['test/components/rows.test.tsx', 'test/onePath.test.ts', LONGEST[1] ?? '', LONGEST[0] ?? ''];
  const turns = files.map((file) => turnOf(ROOT, join(ROOT, file)));
  expect(turns).toEqual([...turns].sort((a, b) => b - a));
  expect(new Set(turns).size).toBe(4);
});
