import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STAGES } from '../core/projection/stages.ts';

const ROOT = join(import.meta.dirname, '..');

/** Where kinds of stages are named: their definitions, and specs as data. */
const MAY_NAME = ['core/stages/', 'core/projection/presets.ts', 'core/projection/vendorPresets.ts', 'core/sample/'];
/** Specs of the mock engine, and one that a field shows as its example. */
const SHOWN = ['renderer/dev/', 'renderer/policy/ImportPolicyDialog.tsx'];

/** Words that mean other things too: they are looked for only where the kind of a stage is compared or given. */
const ALSO_OTHER_WORDS: ReadonlySet<string> = new Set(['raw', 'summary', 'custom', 'injection', 'pin', 'hygiene']);

const KINDS = STAGES.stages.map(({ kind }) => kind);

/** Kinds that a source names as strings, outside comments. */
function namedKinds(source: string): readonly string[] {
  const spoken = source.replace(/\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/[^\n]*/g, '$1');
  // Rules of fates are no kinds, though one may be called as its stage is.
  const code = spoken.replace(/\brule (===|!==) '\w+'/g, '');
  return KINDS.filter((kind) => {
    const name = `['"\`]${kind}['"\`]`;
    if (!ALSO_OTHER_WORDS.has(kind)) return new RegExp(name).test(code);
    const compared = `\\b(stage|report|info|one|each|last|first|other)\\??\\.kind (===|!==) ${name}`;
    const ofStages = `stages[^;]{0,120}\\bkind (===|!==) ${name}`;
    const looked = `\\b(find|traitsOf|parseSpec|readSpec)\\(${name}`;
    return new RegExp(`${compared}|${ofStages}|${looked}|StageSpec = \\{ kind: ${name}`).test(code);
  });
}

function sourcesOf(folder: string): readonly (readonly [file: string, source: string])[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.split(sep).join('/')}`)
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]);
}

describe('names of stages', () => {
  it('are found where they are', () => {
    expect(namedKinds("const A = new Set(['sliding_window', 'tier_caps']); // 'raw'")).toEqual([
      'tier_caps',
      'sliding_window',
    ]);
    expect(namedKinds("stages.some(({ kind }) => kind === 'raw')")).toEqual(['raw']);
    expect(namedKinds("STAGES.find('pin')?.params")).toEqual(['pin']);
    expect(namedKinds("if (report.kind !== 'hygiene') return;")).toEqual(['hygiene']);
    expect(namedKinds("if (loss?.rule !== 'recorded_compaction') return;")).toEqual([]);
    expect(namedKinds("roleOf(item) === 'summary'; // 'tier_caps'")).toEqual([]);
  });

  it('stand in their definitions and in presets alone: others ask for a trait', () => {
    const named = ['core', 'renderer'].flatMap(sourcesOf).flatMap(([file, source]) => {
      if ([...MAY_NAME, ...SHOWN].some((allowed) => file.startsWith(allowed))) return [];
      const kinds = namedKinds(source);
      return kinds.length === 0 ? [] : [`${file}: ${kinds.join(', ')}`];
    });
    expect(named).toEqual([]);
  });
});
