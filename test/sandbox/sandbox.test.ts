import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../core/engine/sandbox/sandbox.ts';
import {
  DEFAULT_LIMITS,
  type SandboxLimits,
  type SandboxResult,
  STEPS_PER_TICK,
} from '../../core/engine/sandbox/types.ts';

const MESSAGES = '[{"role":"user","content":"hi \\ud83d\\ude00"},{"role":"assistant","content":"hey"}]';
const SMALL: Partial<SandboxLimits> = { steps: 5_000_000, memoryBytes: 24 * 2 ** 20 };

/** Each run in an instance of its own, as the worker does it. */
async function run(
  source: string,
  limits: Partial<SandboxLimits> = SMALL,
  messages = MESSAGES,
): Promise<SandboxResult> {
  return (await createSandbox()).run(source, messages, limits);
}

function lines(...text: readonly string[]): string {
  return text.join('\n');
}

describe('ways to write a policy', () => {
  test.each([
    ['arrow', '(messages) => messages.slice(1)'],
    ['arrow with semicolon', 'messages => messages.slice(1);'],
    ['with comments', '// drops the first\nmessages => messages.slice(1) // so'],
    ['anonymous function', 'function (messages) { return messages.slice(1) }'],
    ['declaration', 'function project(messages) { return messages.slice(1) }'],
    ['script', 'const from = 1;\nfunction project(messages) { return messages.slice(from) }'],
    ['constant', 'const project = (messages) => messages.slice(1);'],
    ['default export', 'export default function (messages) { return messages.slice(1) }'],
    [
      'default export beside others',
      'const from = 1;\nexport const n = 2;\nexport default (messages) => messages.slice(from);',
    ],
    ['named export', 'export function project(messages) { return messages.slice(1) }'],
  ])('%s', async (_name, source) => {
    expect(await run(source)).toEqual({
      ok: true,
      value: { resultJson: '[{"role":"assistant","content":"hey"}]', steps: STEPS_PER_TICK, logs: [] },
    });
  });

  test.each([
    ['', 'no function'],
    ['42', 'type number'],
    ['const x = 1;', 'no function'],
    ['export default 42', 'no function'],
  ])('%j gives no function', async (source, message) => {
    expect(await run(source)).toMatchObject({
      ok: false,
      error: { code: 'syntax', message: expect.stringContaining(message) },
    });
  });
});

// The VM places an error at the parenthesis of the call that made it, or at the dot of the access.
describe('errors name the place in the text as written', () => {
  test.each([
    ['threw', 1, 24, 'm => { throw  new Error("no") }', 'Error: no'],
    ['threw', 3, 10, lines('(m) => {', '  const x = null;', '  x.y = x.z;', '}'), "cannot read property 'z'"],
    ['threw', 2, 3, lines('const project = (m) => {', '  absent.x();', '};'), "'absent' is not defined"],
    ['threw', 2, 3, lines('export default (m) => {', '  absent();', '};'), "'absent' is not defined"],
    ['threw', 1, 16, 'm => JSON.parse("{")', 'SyntaxError'],
    ['threw', null, null, 'm => { throw "a string" }', 'a string'],
    ['threw', null, null, 'm => { throw null }', 'null'],
    ['syntax', 2, 11, lines('(m) => {', '  let x = ;', '}'), 'SyntaxError'],
    ['syntax', 3, 1, lines('export default (m) => {', '  return m;', ''), 'SyntaxError'],
    ['threw', null, null, 'import fs from "node:fs"; export default m => m', 'could not load module'],
  ] as const)('%s at %s:%s: %s', async (code, line, column, source, message) => {
    expect(await run(source)).toMatchObject({
      ok: false,
      error: { code, line, column, message: expect.stringContaining(message) },
    });
  });

  test('line and column of a throw, in an expression and in a script', async () => {
    for (const source of ['(m) => { throw new TypeError("x") }', 'function project(m) { throw new TypeError("x") }']) {
      const at = source.indexOf('("x")') + 1; // the VM places an error where its constructor is called
      expect(await run(source)).toMatchObject({
        ok: false,
        error: { code: 'threw', message: 'TypeError: x', line: 1, column: at },
      });
    }
  });

  test('the stack lists the frames of the text alone', async () => {
    const source = lines(
      'function project(m) {',
      '  return m.map(inner);',
      '}',
      'function inner() {',
      '  throw new Error("x");',
      '}',
    );
    const result = await run(source);
    expect(result.ok ? '' : result.error.stack).toMatch(/^at inner \(5:\d+\)\nat project \(2:\d+\)$/);
  });
});

describe('limits', () => {
  test.each([
    ['steps', 'an endless loop', 'm => { while (true) {} }'],
    ['steps', 'one that catches', 'm => { for (;;) try { for (;;); } catch {} finally { return m } }'],
    ['steps', 'a runaway pattern', 'm => /(a+)+$/.test("a".repeat(40) + "b")'],
    ['steps', 'an endless loop on loading', 'for (;;);\nfunction project(m) { return m }'],
    ['steps', 'an endless loop while printing the result', 'm => ({ toJSON() { for (;;); } })'],
    ['memory', 'growing objects', 'm => { const a = []; for (;;) a.push({ n: a.length }); }'],
    ['memory', 'growing in the global scope', 'const a = []; function project(m) { for (;;) a.push([m]); }'],
    ['memory', 'nothing left even for the error', 'm => { let a = []; for (;;) a = [a]; }'],
    ['memory', 'one huge array', 'm => new Array(1e9).fill(0)'],
    ['memory', 'a doubling text', 'm => { let s = "x"; for (;;) s += s; }'],
    ['memory', 'buffers', 'm => { const a = []; for (;;) a.push(new Uint8Array(1e6)); }'],
    ['stack', 'endless recursion', 'function project(m) { return 1 + project(m) }'],
    ['stack', 'recursion through built-ins', 'function project(m) { return m.map(() => project(m)) }'],
    ['stack', 'deep text', '('.repeat(100_000)],
    ['stack', 'a deep result', 'm => { let a = []; for (let i = 0; i < 50000; i++) a = [a]; return a }'],
  ])('%s: %s', async (code, _name, source) => {
    const first = await run(source);
    expect(first).toMatchObject({ ok: false, error: { code } });
    expect(await run(source)).toEqual(first);
  });

  test('an endless loop is placed in its function', async () => {
    const source = lines('function project(m) {', '  function spin() {', '    for (;;);', '  }', '  spin();', '}');
    expect(await run(source)).toMatchObject({
      ok: false,
      error: { code: 'steps', line: 2, message: expect.stringContaining('5,000,000') },
    });
  });

  test('steps are counted the same every time, and grow with the work', async () => {
    const loop = (n: number) => `m => { let x = 0; for (let i = 0; i < ${n}; i++) x += i; return [x] }`;
    const count = async (n: number) => {
      const result = await run(loop(n), DEFAULT_LIMITS);
      return result.ok ? result.value.steps : -1;
    };
    expect(await count(10)).toBe(STEPS_PER_TICK);
    const many = await count(1_000_000);
    expect(many).toBe(await count(1_000_000));
    expect(many).toBeGreaterThanOrEqual(1_000_000);
    expect(many).toBeLessThan(4_000_000);
  });

  test('impossible limits are a mistake of the caller', async () => {
    const sandbox = await createSandbox();
    for (const limits of [
      { steps: 0 },
      { steps: 1.5 },
      { memoryBytes: 2 ** 24 },
      { memoryBytes: 2 ** 31 },
      { stackBytes: 2 ** 21 },
    ]) {
      expect(() => sandbox.run('m => m', '[]', limits), JSON.stringify(limits)).toThrow(RangeError);
    }
  });
});

describe('results', () => {
  test.each([
    ['m => { }', 'returned nothing'],
    ['m => m.map', 'returned a function'],
    ['m => Symbol()', 'returned a symbol'],
    ['async m => m', 'returned a promise'],
    ['m => ({ then() {} })', 'returned a promise'],
    ['m => import("x")', 'returned a promise'],
    ['m => { const a = []; a.push(a); return a }', 'circular'],
    ['m => [1n]', 'BigInt'],
    ['m => ({ toJSON() {} })', 'no JSON form'],
  ])('%s', async (source, message) => {
    const result = await run(source);
    expect(result).toMatchObject({ ok: false, error: { code: 'result', message: expect.stringContaining(message) } });
    expect(result.ok ? '' : result.error.message).toContain('Return the list of messages');
  });

  test('text comes through whole', async () => {
    const messages = JSON.stringify([{ content: 'é😀\u2028\u0000\u001f"\\', lone: '\ud800' }]);
    expect(await run('m => m', SMALL, messages)).toMatchObject({ ok: true, value: { resultJson: messages } });
  });
});

describe('nothing to be had inside', () => {
  test('no clock, no randomness, no host', async () => {
    const names = ['Date', 'Math.random', 'performance', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics', '__emit',
      'process', 'require', 'fetch', 'setTimeout', 'queueMicrotask', 'globalThis.std', 'globalThis.os', 'module']; // biome-ignore format: a list
    const result = await run(`m => [${names.map((name) => `typeof ${name}`).join(',')}]`);
    expect(result.ok && JSON.parse(result.value.resultJson)).toEqual(names.map(() => 'undefined'));
  });

  test('the console is collected, on success and on failure', async () => {
    const source =
      'm => { console.log("a", 1, { b: [2] }, undefined, 3n, Symbol("s")); console.error("e"); FAIL return [] }';
    const logs = ['a 1 {"b":[2]} undefined 3 Symbol(s)', 'e'];
    expect(await run(source.replace('FAIL', ''))).toMatchObject({ ok: true, value: { logs } });
    expect(await run(source.replace('FAIL', 'throw 1;'))).toMatchObject({ ok: false, error: { logs } });
    const many = await run(
      'm => { for (let i = 1; i <= 250; i++) console.log(i); console.log("x".repeat(1e5)); return m }',
    );
    const kept = many.ok ? many.value.logs : [];
    expect([kept.length, kept[98], kept[99]]).toEqual([100, '99', '… 152 more lines']);
  });

  test('spoilt built-ins spoil nothing but the source itself', async () => {
    const source = 'JSON = null; Array.prototype.push = null; String = null; Promise = null; console = null; m => m';
    expect(await run(source)).toMatchObject({ ok: true, value: { resultJson: JSON.stringify(JSON.parse(MESSAGES)) } });
  });

  test('runs in one sandbox know nothing of each other', async () => {
    const sandbox = await createSandbox();
    const source =
      'm => { globalThis.n = (globalThis.n ?? 0) + 1; Array.prototype.x = 1; m.length = 0; return [n, typeof [].x] }';
    const first = sandbox.run(source, MESSAGES);
    expect(first).toMatchObject({ ok: true, value: { resultJson: '[1,"number"]' } });
    expect(sandbox.run(source, MESSAGES)).toEqual(first);
    expect(sandbox.run('m => { throw new Error() }', MESSAGES)).toMatchObject({ ok: false });
    expect(sandbox.run('m => { for (;;); }', MESSAGES, SMALL)).toMatchObject({ ok: false });
    expect(sandbox.run('m => [typeof n, [].x === undefined, m.length]', MESSAGES)).toMatchObject({
      ok: true,
      value: { resultJson: '["undefined",true,2]' },
    });
    expect(sandbox.spent).toBe(false);
    sandbox.run('m => new Array(1e9).fill(0)', MESSAGES, SMALL);
    expect(sandbox.spent).toBe(true);
    expect(() => sandbox.run('m => m', MESSAGES)).toThrow('spent');
  });
});
