import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEBT, ENGINE_ENTRY_POINTS, LAYERS, type Layer, RENDERER } from './layers.table.ts';

const ROOT = join(import.meta.dirname, '..');

interface Import {
  readonly file: string;
  /** Path from the root, or the package. */
  readonly target: string;
  readonly isPackage: boolean;
  readonly typeOnly: boolean;
}

const IMPORT =
  /\b(import|export)\s+(type\s+)?(?:[\w*{][^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Source without comments; strings stay. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/[^\n]*/g, '$1');
}

function filesOf(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name).split(sep).join('/'));
}

const SOURCES = new Map(
  ['core', 'electron', 'cli', 'renderer']
    .flatMap(filesOf)
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
);

function importsOf(file: string): readonly Import[] {
  const source = withoutComments(SOURCES.get(file) ?? '');
  return [...source.matchAll(IMPORT)].map(([, , type, named, called]) => {
    const specifier = named ?? called ?? '';
    const isPackage = !specifier.startsWith('.');
    const target = isPackage
      ? specifier
      : normalize(join(dirname(file), specifier))
          .split(sep)
          .join('/');
    return { file, target, isPackage, typeOnly: type !== undefined };
  });
}

function layerOf(file: string): Layer | undefined {
  return LAYERS.find(({ folder }) => file.startsWith(`${folder}/`));
}

/** A list's entry allows a target equal to it or below it; one with a slash at its end, anything that begins so. */
function allows(list: readonly string[], target: string): boolean {
  return list.some((entry) =>
    entry.endsWith('/') || entry.endsWith(':')
      ? target.startsWith(entry)
      : target === entry || target.startsWith(`${entry}/`),
  );
}

function isBrowserSafe(file: string): boolean {
  return (SOURCES.get(file) ?? '').startsWith('// browser-safe\n');
}

/** What is wrong with an import, or null. */
function breach(layer: Layer, found: Import): string | null {
  const { file, target, isPackage, typeOnly } = found;
  if (isPackage) return allows(layer.packages, target) ? null : `${layer.folder} may not use the package ${target}`;
  const to = layerOf(target);
  if (!to) return target.startsWith(`${layer.folder}/`) ? null : `${target} is in no layer`;
  if (to === layer || (to.folder === 'core/util' && layer.folder !== 'renderer')) return null;
  if (layer.folder === 'renderer') {
    const free = allows(layer.imports, to.folder) || typeOnly || isBrowserSafe(target);
    return free ? null : `the renderer may import types, and files marked browser-safe; ${target} is not`;
  }
  if (!allows(layer.imports, to.folder)) return `${layer.folder} may not import ${to.folder}`;
  const atEntryPoint = to.folder !== 'core/engine' || ENGINE_ENTRY_POINTS.includes(target);
  return atEntryPoint ? null : `${file} must enter the engine by one of its entry points`;
}

function isDebt({ file, target }: Import): boolean {
  return DEBT.some((debt) => debt.from === file && debt.to === target);
}

describe('layers', () => {
  it('reads imports of every form', () => {
    // So that the test cannot pass by seeing nothing.
    const all = [...SOURCES.keys()].flatMap(importsOf);
    expect(all.length).toBeGreaterThan(500);
    expect(all.some(({ target, typeOnly }) => target === 'core/view/types.ts' && typeOnly)).toBe(true);
    expect(all.some(({ target }) => target === 'js-tiktoken/ranks/o200k_base')).toBe(true); // a dynamic import
    expect(all.some(({ file, target }) => file === 'core/protocol/types.ts' && target === 'core/report/types.ts')).toBe(
      true,
    ); // a re-export
  });

  it('has every file of core in a layer', () => {
    expect([...SOURCES.keys()].filter((file) => !layerOf(file))).toEqual([]);
  });

  it('imports only what the table allows', () => {
    const breaches = [...SOURCES.keys()].flatMap((file) =>
      importsOf(file).flatMap((found) => {
        const layer = layerOf(file);
        const wrong = layer && !isDebt(found) ? breach(layer, found) : null;
        return wrong ? [`${file} → ${found.target}: ${wrong}`] : [];
      }),
    );
    expect(breaches).toEqual([]);
  });

  it('marks as safe for the browser only what is pure', () => {
    const marked = [...SOURCES.keys()].filter(isBrowserSafe);
    expect(marked.length).toBeGreaterThan(3);
    expect(marked.filter((file) => !layerOf(file)?.pure)).toEqual([]);
  });

  it('imports a file that exists', () => {
    const missing = [...SOURCES.keys()]
      .flatMap(importsOf)
      .filter(({ target, isPackage }) => !isPackage && /\.tsx?$/.test(target) && !SOURCES.has(target));
    expect(missing).toEqual([]);
  });

  it('has no debt that is paid', () => {
    const needed = DEBT.filter((debt) => importsOf(debt.from).some(({ target }) => target === debt.to));
    expect(needed).toEqual(DEBT);
  });

  it.each([
    ['better-sqlite3', ['core/store']],
    ['electron', ['electron']],
  ])('uses %s in one place', (name, folders) => {
    const users = [...SOURCES.keys()].flatMap(importsOf).filter(({ target }) => target === name);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter(({ file }) => !folders.includes(layerOf(file)?.folder ?? ''))).toEqual([]);
  });
});

/** The folder of a file of the renderer; files beside the folders start the program and belong to `app`. */
function rendererFolder(file: string): string {
  const [, folder = '', inside] = file.split('/');
  return inside === undefined ? 'app' : folder;
}

/** Imports between files of the renderer. */
const WITHIN_RENDERER = [...SOURCES.keys()]
  .filter((file) => file.startsWith('renderer/'))
  .flatMap(importsOf)
  .filter(({ target }) => target.startsWith('renderer/') && /\.tsx?$/.test(target));

/** Whether the table of the renderer lets one folder import another. */
function mayImport(from: string, to: string): boolean {
  const [importer, imported] = [RENDERER[from], RENDERER[to]];
  if (importer === undefined || imported === undefined) return false;
  if (from === to || importer.imports.includes(to)) return true;
  if (importer.floor === 'app') return imported.floor !== 'app';
  if (importer.floor === 'ground') return false;
  return imported.floor === 'ground' || (importer.floor === 'feature' && imported.floor === 'state');
}

/** Groups of nodes that reach each other, each sorted: every cycle lies within one. */
function cyclesOf(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const next = Map.groupBy(edges, ([from]) => from);
  const reach = (start: string) => {
    const seen = new Set<string>();
    const visit = (node: string) => {
      for (const [, to] of next.get(node) ?? []) {
        if (seen.has(to)) continue;
        seen.add(to);
        visit(to);
      }
    };
    visit(start);
    return seen;
  };
  const reached = new Map([...next.keys()].map((node) => [node, reach(node)] as const));
  const circle = (node: string) => [...(reached.get(node) ?? [])].filter((to) => reached.get(to)?.has(node)).sort();
  const groups = [...next.keys()].map(circle).filter((group) => group.length > 0);
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

describe('the floors of the renderer', () => {
  it('sees cycles', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['d', 'a'],
    ] as const;
    expect(cyclesOf(edges)).toEqual([['b', 'c']]);
    expect(WITHIN_RENDERER.length).toBeGreaterThan(500);
  });

  it('has a row for every folder, and no other', () => {
    const folders = new Set([...SOURCES.keys()].filter((file) => file.startsWith('renderer/')).map(rendererFolder));
    expect(Object.keys(RENDERER).sort()).toEqual([...folders].sort());
  });

  it('imports only what the table allows', () => {
    const wrong = WITHIN_RENDERER.flatMap((found) => {
      const [from, to] = [rendererFolder(found.file), rendererFolder(found.target)];
      return mayImport(from, to) ? [] : [`${found.file} → ${found.target}`];
    });
    expect(wrong).toEqual([]);
  });

  it('names no import that nobody needs', () => {
    const used = new Set(
      WITHIN_RENDERER.map(({ file, target }) => `${rendererFolder(file)} > ${rendererFolder(target)}`),
    );
    const named = Object.entries(RENDERER).flatMap(([from, { imports }]) => imports.map((to) => `${from} > ${to}`));
    expect(named.filter((edge) => !used.has(edge))).toEqual([]);
  });

  it('has no cycle in the table', () => {
    const edges = Object.keys(RENDERER).flatMap((from) =>
      Object.keys(RENDERER)
        .filter((to) => from !== to && mayImport(from, to))
        .map((to) => [from, to] as const),
    );
    expect(cyclesOf(edges)).toEqual([]);
  });

  it('has no cycle of folders', () => {
    const edges = WITHIN_RENDERER.map(({ file, target }) => [rendererFolder(file), rendererFolder(target)] as const);
    const between = edges.filter(([from, to]) => from !== to);
    expect(cyclesOf(between)).toEqual([]);
  });
});

describe('the program', () => {
  it('has no cycle of values between files', () => {
    const edges = [...SOURCES.keys()]
      .flatMap(importsOf)
      .filter(({ target, typeOnly }) => !typeOnly && SOURCES.has(target))
      .map(({ file, target }) => [file, target] as const);
    expect(edges.length).toBeGreaterThan(5000);
    expect(cyclesOf(edges)).toEqual([]);
  });
});

/** What a pure file must not touch, as it stands in code. `new Date(value)` only converts and is allowed. */
const IMPURE =
  /(?<![\w.])(Date\.now|new Date\(\s*\)|Math\.random|performance\.|process\.|console\.|setTimeout\(|setInterval\(|setImmediate\(|fetch\(|require\(|localStorage|document\.|globalThis)/g;

describe('the pure core', () => {
  it.each(['Date.now()', 'new Date()', 'Math.random()', 'performance.now()', 'process.env', 'console.log(1)'])(
    'would be caught at %s',
    (code) => {
      expect(`const x = ${code};`).toMatch(new RegExp(IMPURE.source));
    },
  );

  it('touches no clock, randomness, console, process or DOM', () => {
    const found = [...SOURCES]
      .filter(([file]) => layerOf(file)?.pure)
      .flatMap(([file, source]) => {
        const code = withoutComments(source).replace(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, "''");
        return [...code.matchAll(IMPURE)].map(([match]) => `${file}: ${match}`);
      });
    expect(found).toEqual([]);
  });
});
