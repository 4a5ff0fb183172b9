// One definition of each stage: what a projection of one call point reaches in a stage, the way along all call points reaches
// too, and the other way round. Measured over declarations: functions, classes, constants, and members of classes.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** What the parts of the program are read from that project: stages, the frame they run in, and what puts them together. */
const FOLDERS = ['core/stages', 'core/view', 'core/projection'];

/** Where the two ways begin. */
const ONE_POINT = [['core/projection/project.ts', 'projectSteps']] as const;
const ALL_POINTS = [
  ['core/projection/allCallPoints.ts', 'followSpecs'],
  ['core/projection/callPointSums.ts', 'CallPointSums'],
] as const;

interface Declaration {
  readonly file: string;
  readonly name: string;
  /** A member of a class is reached by its name, wherever it is asked for: which class is not known. */
  readonly isMember: boolean;
  readonly code: string;
}

interface Source {
  readonly declarations: readonly Declaration[];
  /** Names it imports → the file that declares them. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

/** Code without comments and without the words of strings; what a template computes stays. */
function codeOf(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/[^\n]*/g, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}

const TOP = /^(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|enum) (?:\{ )?([\w$]+)/;
const MEMBER =
  /^ {2}(?:(?:static|readonly|override|async|abstract|private|protected) )*(?:(?:get|set) )?\*?(#?[\w$]+)(?:[?!]?[:(<]| = )/;

/** Declarations by how they are set in: a formatter has been over every file. */
function declarationsOf(file: string, code: string): readonly Declaration[] {
  const found: Declaration[] = [];
  let top: { name: string; isClass: boolean; lines: string[] } | null = null;
  let member: { name: string; lines: string[] } | null = null;
  const close = (): void => {
    if (member !== null) found.push({ file, name: member.name, isMember: true, code: member.lines.join('\n') });
    member = null;
  };
  for (const line of code.split('\n')) {
    const begun = TOP.exec(line)?.[1];
    if (begun !== undefined || /^(?:type|interface|export (?:type|interface)|import)\b/.test(line)) {
      close();
      if (top !== null) found.push({ file, name: top.name, isMember: false, code: top.lines.join('\n') });
      top = begun === undefined ? null : { name: begun, isClass: /\bclass\b/.test(line), lines: [] };
    }
    if (top === null) continue;
    const inside = top.isClass ? MEMBER.exec(line)?.[1] : undefined;
    if (inside !== undefined) {
      close();
      // What makes an object of the class belongs to the class.
      const isValue = / = |^ {2}constructor\(/.test(line);
      member = isValue && !line.includes('=>') ? null : { name: inside, lines: [] };
    }
    (member ?? top).lines.push(line);
  }
  close();
  if (top !== null) found.push({ file, name: top.name, isMember: false, code: top.lines.join('\n') });
  return found;
}

function importsOf(file: string, code: string, source: string): Source['imports'] {
  const found = new Map<string, { file: string; name: string }>();
  // Strings are gone from the code: places come from the source.
  for (const [, names = '', place = ''] of source.matchAll(
    /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm,
  )) {
    const target = normalize(join(dirname(file), place))
      .split(sep)
      .join('/');
    for (const one of names.split(',')) {
      const [name = '', alias = name] = one
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      if (name !== '' && code.includes(alias)) found.set(alias, { file: target, name });
    }
  }
  return found;
}

function read(files: ReadonlyMap<string, string>): ReadonlyMap<string, Source> {
  return new Map(
    [...files].map(([file, source]) => {
      const code = codeOf(source);
      return [file, { declarations: declarationsOf(file, code), imports: importsOf(file, code, source) }];
    }),
  );
}

/** All that is reached from these declarations. */
function reached(sources: ReadonlyMap<string, Source>, from: readonly (readonly [string, string])[]): Set<Declaration> {
  const all = [...sources.values()].flatMap(({ declarations }) => declarations);
  const members = Map.groupBy(
    all.filter(({ isMember }) => isMember),
    ({ name }) => name,
  );
  const tops = new Map(all.filter(({ isMember }) => !isMember).map((one) => [`${one.file} ${one.name}`, one]));
  const found = new Set<Declaration>();
  const open: Declaration[] = [];
  const take = (one: Declaration | undefined): void => {
    if (one === undefined || found.has(one)) return;
    found.add(one);
    open.push(one);
  };
  const takeName = (file: string, name: string): void => {
    const imported = sources.get(file)?.imports.get(name);
    // A file may hand on what it imports.
    if (imported !== undefined && !tops.has(`${imported.file} ${imported.name}`)) {
      if (imported.file !== file && sources.has(imported.file)) takeName(imported.file, imported.name);
      return;
    }
    take(tops.get(imported === undefined ? `${file} ${name}` : `${imported.file} ${imported.name}`));
  };
  for (const [file, name] of from) takeName(file, name);
  // What is registered is begun by both.
  for (const one of all) if (one.name === 'STAGES' && !one.isMember) take(one);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, name = ''] of next.code.matchAll(/(?<![.#\w$])([\w$]+)/g)) takeName(next.file, name);
    for (const name of membersNamed(next.code)) for (const one of members.get(name) ?? []) take(one);
  }
  return found;
}

/** Members that code asks for: `.name`, `#name`, and those it takes out of an object, `{ name }`. */
function membersNamed(code: string): readonly string[] {
  const asked = [...code.matchAll(/\.(#?[\w$]+)|(#[\w$]+)/g)].map(([, name, own]) => name ?? own ?? '');
  const taken = [...code.matchAll(/\{([\w$\s,:]+)\}/g)].flatMap(([, names = '']) => names.split(/[\s,:]+/));
  return [...asked, ...taken];
}

interface Paths {
  readonly onlyOne: readonly string[];
  readonly onlyAll: readonly string[];
  readonly both: number;
}

/** What each way alone reaches below a folder. */
function difference(sources: ReadonlyMap<string, Source>): (folder: string) => Paths {
  const one = reached(sources, ONE_POINT);
  const all = reached(sources, ALL_POINTS);
  return (folder) => {
    const names = (from: Set<Declaration>, without: Set<Declaration>) =>
      [...from]
        .filter((each) => !without.has(each) && each.file.startsWith(folder))
        .map(({ file, name }) => `${file} ${name}`)
        .sort();
    const both = [...one].filter((each) => all.has(each) && each.file.startsWith(folder)).length;
    return { onlyOne: names(one, all), onlyAll: names(all, one), both };
  };
}

const FILES = new Map(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
  ),
);
const SOURCES = read(FILES);
const now = difference(SOURCES);

/** Files that hold what is one way's alone: they move the stages and read out what they say (decision 087). */
const READERS = {
  onlyOne: ['binding/clientSteps.ts', 'keptPipeline.ts', 'project.ts', 'replacements.ts', 'stagesSaid.ts'],
  onlyAll: ['allCallPoints.ts', 'binding/clientSteps.ts', 'callPointSums.ts'],
};

describe('the two ways to a projection', () => {
  it('reach the same declarations of the stages and of their frame', () => {
    for (const folder of ['core/stages/', 'core/view/']) {
      const { onlyOne, onlyAll, both } = now(folder);
      expect({ folder, onlyOne, onlyAll }).toEqual({ folder, onlyOne: [], onlyAll: [] });
      expect(both).toBeGreaterThan(folder === 'core/stages/' ? 1000 : 100);
    }
  });

  it('differ in what moves the stages and reads them out, and in nothing else', () => {
    const { onlyOne, onlyAll } = now('core/projection/');
    const files = (names: readonly string[]) =>
      [...new Set(names.map((name) => name.replace(/^core\/projection\/| .*$/g, '')))].sort();
    expect({ onlyOne: files(onlyOne), onlyAll: files(onlyAll) }).toEqual(READERS);
    expect(onlyOne.length + onlyAll.length).toBeLessThan(30);
  });

  it.each([
    ['core/projection/project.ts', 'value.read(view)', 'onlyOne'],
    ['core/projection/allCallPoints.ts', 'pipeline.moveTo(at)', 'onlyAll'],
  ] as const)('a stage that decides a second time, asked by %s, would be seen', (asker, at, way) => {
    const stage = 'core/stages/harn/raw.ts';
    const class_ = `\nexport class Second {\n  decideOnceMore(): number {\n    return threshold;\n  }\n}\nconst threshold = 4;\n`;
    const code = FILES.get(asker) ?? '';
    expect(code).toContain(at);
    const changed = read(
      new Map([
        [stage, `${FILES.get(stage)}${class_}`],
        [asker, code.replace(at, `${at}, x.decideOnceMore()`)],
      ]),
    );
    expect(difference(new Map([...SOURCES, ...changed]))('core/stages/')).toMatchObject({
      onlyOne: [],
      onlyAll: [],
      [way]: [`${stage} decideOnceMore`, `${stage} threshold`],
    });
  });
});
