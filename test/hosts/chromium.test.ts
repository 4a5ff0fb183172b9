import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumArgs, OFF } from '../e2e/support/chromium.ts';

test('what the driver switches off in Chromium stays off', () => {
  const driver = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const source = readFileSync(join(driver, 'lib', 'coreBundle.js'), 'utf8');
  const list = /chromiumSwitches\.ts"\(\) \{.*?disabledFeatures = \[(.*?)\n {4}\]/s.exec(source)?.[1] ?? '';
  const names = [...list.matchAll(/^ *"(\w+)",?$/gm)].map(([, name]) => name);
  expect(names).toContain('PaintHolding');
  expect(OFF).toEqual(expect.arrayContaining(names));
  expect(chromiumArgs().filter((arg) => arg.startsWith('--disable-features='))).toHaveLength(1);
});
