// What a policy from somebody else might try. Each is one expression or script as a spec carries it. `ok`: it may run, and
// finds nothing; the others must end with the verdict named.

/** Source and how it must end. */
export type SandboxAttack = readonly [
  name: string,
  source: string,
  verdict: 'ok' | 'steps' | 'memory' | 'stack' | 'threw' | 'result' | 'syntax',
];

/** Names of hosts that must not be there; the run answers which are. */
export const HOST_NAMES: readonly string[] = [
  ...['process', 'require', 'module', 'exports', 'Buffer', 'global', 'window', 'self', 'document', 'fetch'],
  ...['XMLHttpRequest', 'WebSocket', 'Worker', 'SharedArrayBuffer', 'Atomics', 'WebAssembly', 'Date', 'performance'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'std', 'os', 'print', 'load', 'gc', 'navigator'],
  ...['crypto', 'structuredClone', 'postMessage', 'importScripts', 'Deno', 'Bun', '__emit', 'WeakRef', 'scriptArgs'],
];

const probe = (expression: string): string => `m => [{ role: 'user', content: String(${expression}) }]`;

export const SANDBOX_ATTACKS: readonly SandboxAttack[] = [
  // A way out.
  ...HOST_NAMES.map((name): SandboxAttack => [`the host's ${name}`, probe(`typeof ${name}`), 'ok']),
  ['a constructor of the host', probe(`(() => {}).constructor('return typeof process')()`), 'ok'],
  ['a constructor of a generator', probe(`(function* () {}).constructor('return typeof process')`), 'ok'],
  ['this of a sloppy function', probe(`(function () { return typeof this.process })()`), 'ok'],
  ['eval', probe(`eval('typeof require')`), 'ok'],
  ['an import', `import fs from 'node:fs'; export default m => m`, 'threw'],
  ['an import at run time', `m => { import('node:fs'); return m }`, 'ok'],
  ['a stack of the host', `m => { const e = new Error('x'); return [{ role: 'user', content: e.stack }] }`, 'ok'],
  ['a frame prepared by the source', `m => { Error.prepareStackTrace = (e, f) => f; throw new Error('x') }`, 'threw'],
  // Without an end.
  ['a loop', 'm => { for (;;); }', 'steps'],
  ['a loop that catches', 'm => { for (;;) try { for (;;); } catch {} }', 'steps'],
  ['a loop in a finaliser', 'm => { try { for (;;); } finally { for (;;); } }', 'steps'],
  ['a generator', 'm => { function* g() { for (;;) yield 1 } for (const x of g()); return m }', 'steps'],
  ['a pattern', `m => /^(a|a)*$/.test('a'.repeat(60) + 'b') ? m : m`, 'steps'],
  ['a pattern with a look back', `m => /(?<=(a+)+)b/.test('a'.repeat(60) + 'c') ? m : m`, 'ok'],
  ['a sort that never agrees', 'm => Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (;;); })', 'steps'],
  ['toJSON', 'm => ({ toJSON() { for (;;); } })', 'steps'],
  ['a getter of the result', 'm => [{ get role() { for (;;); } }]', 'steps'],
  ['a proxy of the result', 'm => new Proxy([], { get() { for (;;); } })', 'steps'],
  ['a loop while it is loaded', 'for (;;); function project(m) { return m }', 'steps'],
  ['a chain of promises', 'm => { const f = () => Promise.resolve().then(f); f(); return m }', 'ok'],
  // Memory.
  ['a list', 'm => { const a = []; for (;;) a.push({ n: a.length }) }', 'memory'],
  ['a text', `m => { let s = 'x'; for (;;) s += s }`, 'memory'],
  ['a repeated text', `m => 'x'.repeat(2 ** 29)`, 'memory'],
  ['a padded text', `m => 'x'.padEnd(2 ** 29, 'yz')`, 'memory'],
  ['a buffer', 'm => new ArrayBuffer(2 ** 31 - 1)', 'memory'],
  ['typed arrays', 'm => { const a = []; for (;;) a.push(new Float64Array(1e6)) }', 'memory'],
  ['a filled list', 'm => new Array(1e9).fill(0)', 'memory'],
  ['a map', 'm => { const a = new Map(); for (;;) a.set({}, a.size) }', 'memory'],
  ['lists in lists', 'm => { let a = []; for (;;) a = [a] }', 'memory'],
  ['a join', `m => Array.from({ length: 1e5 }, () => 'x'.repeat(1e5)).join('')`, 'memory'],
  ['closures', 'm => { let f = () => 1; for (;;) { const g = f; f = () => g } }', 'memory'],
  ['the console', `m => { for (let i = 0; i < 1e5; i++) console.log('x'.repeat(1000)); return m }`, 'ok'],
  // The stack.
  ['recursion', 'function project(m) { return 1 + project(m) }', 'stack'],
  ['recursion through built-ins', 'function project(m) { return m.map(() => project(m)) }', 'stack'],
  ['recursion through toString', `m => { const o = { toString() { return '' + o } }; return '' + o }`, 'stack'],
  ['recursion through a proxy', 'm => { const p = new Proxy({}, { get: (t, k) => p[k] }); return p.x }', 'stack'],
  ['recursion through JSON', 'm => { const o = { toJSON() { return JSON.stringify(o) } }; return o }', 'stack'],
  ['a deep text', '('.repeat(100_000), 'stack'],
  ['a deep result', 'm => { let a = []; for (let i = 0; i < 50000; i++) a = [a]; return a }', 'stack'],
  ['a deep pattern', `m => new RegExp('('.repeat(20000) + ')'.repeat(20000)).test('') ? m : m`, 'threw'],
  // What it throws.
  ['a text of 4 million characters', `m => { throw 'x'.repeat(2 ** 22) }`, 'threw'],
  ['an error of 4 million characters', `m => { throw new Error('x'.repeat(2 ** 22)) }`, 'threw'],
  [
    'an error whose name is 4 million characters',
    `m => { const e = new Error('x'); e.name = 'x'.repeat(2 ** 22); throw e }`,
    'threw',
  ],
  [
    'an error whose stack is 4 million characters',
    `m => { const e = new Error('x'); e.stack = 'x'.repeat(2 ** 22); throw e }`,
    'threw',
  ],
  [
    'an error that takes memory when read',
    `m => { throw { get message() { const a = []; for (;;) a.push('x'.repeat(1e6)) } } }`,
    'threw',
  ],
  ['an error that takes memory by its name', `m => { throw { get name() { let s = 'x'; for (;;) s += s } } }`, 'threw'],
  ['an error that loops when read', 'm => { throw { get stack() { for (;;); } } }', 'threw'],
  ['an error that throws when read', `m => { throw { get message() { throw 1 } } }`, 'threw'],
  ['a proxy thrown', 'm => { throw new Proxy({}, { get() { for (;;); } }) }', 'threw'],
  ['a symbol thrown', `m => { throw Symbol('x') }`, 'threw'],
  ['nothing thrown', 'm => { throw undefined }', 'threw'],
  ['an error that says it is out of memory', `m => { const e = new Error('out of memory'); throw e }`, 'threw'],
  // What it returns, and spoils.
  ['a promise', 'async m => m', 'result'],
  ['a thenable', 'm => ({ then() {} })', 'result'],
  ['nothing', 'm => {}', 'result'],
  ['a function', 'm => () => 1', 'result'],
  ['a big integer', 'm => 1n', 'result'],
  ['a cycle', 'm => { const a = []; a.push(a); return a }', 'result'],
  [
    'built-ins spoilt',
    'm => { JSON.stringify = JSON.parse = () => { for (;;); }; Array.prototype.map = null; return m }',
    'ok',
  ],
  [
    'slice spoilt, and a long text thrown',
    `m => { String.prototype.slice = () => { for (;;); }; throw 'x'.repeat(1e6) }`,
    'threw',
  ],
  ['call spoilt', `m => { Function.prototype.call = () => 1; throw 'x'.repeat(1e6) }`, 'threw'],
  [
    'a prototype with keys of its own',
    `m => { Object.prototype.role = 'x'; Array.prototype.toJSON = () => 'x'; return m }`,
    'ok',
  ],
  ['__proto__ in the result', `m => JSON.parse('[{"__proto__":{"polluted":1},"role":"user","content":"x"}]')`, 'ok'],
  ['no function', '42', 'syntax'],
  ['nothing at all', '', 'syntax'],
];
