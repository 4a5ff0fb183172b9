// Somebody else's policy runs in a box: every way out, every way to run for ever or to take all memory ends with a verdict
// that is the same each time, in little time, little memory and few words.
import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../core/engine/sandbox/sandbox.ts';
import { SANDBOX_ATTACKS } from './sandboxAttacks.ts';

const LIMITS = { steps: 5_000_000, memoryBytes: 24 * 2 ** 20 };
const MESSAGES = '[{"role":"user","content":"hi"},{"role":"assistant","content":"hey"}]';
/** Two copies of the instance's memory (it moves when it grows), and the test's own. */
const MOST_MEMORY = 2 * (LIMITS.memoryBytes + 16 * 2 ** 20) + 128 * 2 ** 20;
const SOON_MS = 10_000;
let contained = 0;

afterAll(() => console.log(`sandbox: ${SANDBOX_ATTACKS.length} attacks, ${contained} contained`));

describe('contained', () => {
  test.each(SANDBOX_ATTACKS)('%s', { timeout: SOON_MS }, async (_, source, verdict) => {
    const before = process.memoryUsage().rss;
    const sandbox = await createSandbox({ memoryBytes: LIMITS.memoryBytes, messageChars: MESSAGES.length });
    const result = sandbox.run(source, MESSAGES, LIMITS);
    const code = result.ok ? 'ok' : result.error.code;
    expect(code, result.ok ? '' : result.error.message.slice(0, 200)).toBe(verdict);
    if (result.ok) {
      expect(result.value.resultJson).not.toMatch(/"content":"(?:object|function)"/);
      expect(result.value.resultJson).not.toMatch(/node:|\.ts:|wasm/);
    } else {
      expect(result.error.message.length).toBeLessThan(5_000);
      expect(result.error.stack?.length ?? 0).toBeLessThan(25_000);
    }
    expect(Object.hasOwn(Object.prototype, 'polluted') || Object.hasOwn(Object.prototype, 'role')).toBe(false);
    expect(process.memoryUsage().rss - before).toBeLessThan(MOST_MEMORY);
    contained++;
  });
});
