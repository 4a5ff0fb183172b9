import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const CORE = join(import.meta.dirname, '..', 'core');

/** What may outlive its caller: a table that is the same for everyone, or what there is one of in a process or thread. */
const MAY_HOLD: Readonly<Record<string, string>> = {
  'insight/uses/grams.ts topPower': 'a constant that a loop computes',
  'insight/uses/hunt.ts wordCodes': 'a table of all characters, made when it is first needed',
  'tokens/counters.ts loaded': 'rank modules, each loaded once in a process',
  'engine/effects/images.ts loading': 'the image library, loaded once in a process',
  'engine/compileCache.ts found': 'the folder of compiled code of this process',
  'engine/jobs/turns.ts urgent': 'the one turn of this thread',
  'engine/worker.ts engine': 'the engine of this thread: its entry point',
  'engine/tune/tuneWorker.ts open': 'the session that this thread has open: its entry point',
  'engine/jobs/jobWorker.ts running': 'the job of this thread: its entry point',
  'engine/sandbox/sandboxWorker.ts next': 'the sandbox of this thread: its entry point',
  'store/import/imports.ts running': 'imports that run in this process',
  'protocol/serve.ts clients': 'a number for each client of this process',
};

/** Names that a module binds at its top and that change, or collect: `let`, and maps and sets that begin empty. */
function heldBy(source: string): readonly string[] {
  const empty = String.raw`(?:new (?:Weak)?(?:Map|Set|Ref)|new BoundedMap|create\w*(?:Map|Cache|Memo))(?:<[^\n]*?>)?\(\s*\)`;
  const found = source.matchAll(
    new RegExp(String.raw`^(?:export )?(?:let (\w+)|const (\w+)(?:: [^=\n]+)? = (?:${empty}|\[\];?$))`, 'gm'),
  );
  return [...found].flatMap(([line, changing, collecting]) => {
    const name = changing ?? collecting ?? '';
    // An empty list or map that is read-only, or is called nothing, is a value.
    const isValue = /: Readonly|: readonly /.test(line) || /^NO(NE$|_)/.test(name);
    return isValue && !line.includes('Weak') ? [] : [name];
  });
}

describe('modules of core', () => {
  it('are seen to hold what they hold', () => {
    expect(heldBy('const known = new WeakMap<object, string>();\nexport const a = new Map<A, B>();')).toEqual([
      'known',
      'a',
    ]);
    expect(heldBy('let last: string | null = null;\n  let inner = 1;\nconst list: string[] = [];')).toEqual([
      'last',
      'list',
    ]);
    expect(heldBy('const NONE: ReadonlyMap<A, B> = new Map();\nconst NO: readonly A[] = [];')).toEqual([]);
    expect(heldBy("const KEYS = new Set(['a']);\nclass A { readonly #a = new Map(); }")).toEqual([]);
  });

  it('hold no state: what is remembered belongs to someone who ends', () => {
    const held = readdirSync(CORE, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(sep).join('/'))
      .filter((name) => name.endsWith('.ts') && !name.startsWith('sample/'))
      .flatMap((name) => heldBy(readFileSync(join(CORE, name), 'utf8')).map((each) => `${name} ${each}`));
    expect(held.toSorted()).toEqual(Object.keys(MAY_HOLD).toSorted());
  });
});
