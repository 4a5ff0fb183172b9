import { afterAll, expect, test } from 'vitest';
import { createSandboxClient } from '../../core/engine/sandbox/sandboxClient.ts';

const client = createSandboxClient();
afterAll(() => client.dispose());

test('runs in order on the thread, each with its own verdict', async () => {
  const results = await Promise.all([
    client.runGuarded('m => m', '[1]'),
    client.runGuarded('m => { throw new Error("x") }', '[]'),
    client.runGuarded('m => { for (;;); }', '[]', { limits: { steps: 100_000 } }),
    client.runGuarded('m => new Array(1e9).fill(0)', '[]', { limits: { memoryBytes: 24 * 2 ** 20 } }),
    client.runGuarded('m => [typeof n, globalThis.n = 1]', '[]'),
    client.runGuarded('m => [typeof n, globalThis.n = 1]', '[]'),
  ]);
  expect(results.map((result) => (result.ok ? result.value.resultJson : result.error.code))).toEqual([
    '[1]',
    'threw',
    'steps',
    'memory',
    '["undefined",1]',
    '["undefined",1]',
  ]);
});

test('the thread has stack enough for the limit of the VM to speak first', async () => {
  const source = 'm => JSON.parse("[".repeat(1e6))';
  const first = await client.runGuarded(source, '[]');
  // A place is known only if the VM itself stopped it.
  expect(first).toMatchObject({ ok: false, error: { code: 'stack', line: 1 } });
  expect(await client.runGuarded(source, '[]')).toEqual(first);
});

test('work that takes no steps is stopped by the clock, and the next run finds a new thread', async () => {
  const endless = 'm => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
  const [stopped, after] = await Promise.all([
    client.runGuarded(endless, '[]', { wallMs: 300 }),
    client.runGuarded('m => m', '[2]'),
  ]);
  expect(stopped).toMatchObject({ ok: false, error: { code: 'wall', message: expect.stringContaining('300 ms') } });
  expect(after).toMatchObject({ ok: true, value: { resultJson: '[2]' } });
});

test('a broken worker and impossible limits reject, and do not stop what follows', async () => {
  await expect(client.runGuarded('m => m', '[]', { limits: { steps: -1 } })).rejects.toThrow('steps is -1');
  expect(await client.runGuarded('m => m', '[3]')).toMatchObject({ ok: true });
  const lost = createSandboxClient(new URL('./no-such-worker.ts', import.meta.url));
  await expect(lost.runGuarded('m => m', '[]')).rejects.toThrow();
  await lost.dispose();
});

test('disposing rejects what is under way and what waits', async () => {
  const own = createSandboxClient();
  const running = own.runGuarded('m => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)', '[]');
  const waiting = own.runGuarded('m => m', '[]');
  const outcomes = Promise.allSettled([running, waiting]);
  await own.dispose();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
