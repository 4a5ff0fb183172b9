// What the page loads before anything is shown, read from the graph of its build. What is heavy or is the engine's must
// not come back into it by an import somewhere.
import { beforeAll, describe, expect, it } from 'vitest';
import { type BuiltChunk, buildIfStale, rendererGraph } from '../../cli/build.ts';

let graph: readonly BuiltChunk[] = [];

beforeAll(async () => {
  await buildIfStale(['renderer']);
  graph = rendererGraph();
});

/** The files that load at once with the page. */
function atStart(): readonly BuiltChunk[] {
  const found = new Set<BuiltChunk>();
  const queue = graph.filter(({ isEntry }) => isEntry);
  for (const chunk of queue) {
    found.add(chunk);
    for (const name of chunk.imports) {
      const next = graph.find(({ file }) => file === name);
      if (next && !found.has(next)) queue.push(next);
    }
  }
  return [...found];
}

const sources = (chunks: readonly BuiltChunk[]): readonly string[] =>
  chunks.flatMap(({ modules }) => Object.keys(modules));
const holding = (chunks: readonly BuiltChunk[], what: RegExp) => sources(chunks).filter((source) => what.test(source));

/** Nowhere in the page: the engine's half of the protocol, and what only it needs. */
const NEVER: readonly (readonly [string, RegExp])[] = [
  ['zod', /node_modules\/zod\//],
  ['the schemas of the protocol', /core\/protocol\/(schemas|serve)\.ts$/],
  ['the store', /core\/store\/|better-sqlite3/],
  ['the engine', /core\/engine\//],
  ['stages', /core\/stages\//],
  ['readers of formats', /core\/importers\//],
  ['tokenizers', /js-tiktoken/],
  ['Monaco’s language services', /monaco-editor\/.*(ts\.worker|json\.worker|tsMode\.js|jsonMode\.js|lib\/typescript)/],
];

/** Not before it is used. */
const LATER: readonly (readonly [string, RegExp])[] = [
  ['Monaco', /node_modules\/monaco-editor\//],
  ['the engine of the sample data', /renderer\/dev\//],
  ['dialogs', /renderer\/(?!ui\/|app\/|search\/)\w+\/\w+Dialog\.tsx$/],
  ['the table of the library', /renderer\/library\/LibraryTable\.tsx$/],
  ['tabs behind the first two', /renderer\/\w+\/(Json|Diff|Events|Problems|Notes|Lint|Usage|Presets|Find)Tab\.tsx$/],
];

describe('the page loads', () => {
  it('in one file, of a size that is known', () => {
    const files = atStart();
    expect(files.map(({ file }) => file)).toHaveLength(1);
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it.each(NEVER)('%s: never', (_what, pattern) => {
    expect(holding(graph, pattern)).toEqual([]);
  });

  it.each(LATER)('%s: when used', (_what, pattern) => {
    expect(holding(atStart(), pattern)).toEqual([]);
  });

  it('later what it does not load at once', () => {
    for (const [what, pattern] of LATER) {
      if (what === 'the engine of the sample data') continue;
      expect(holding(graph, pattern), what).not.toEqual([]);
    }
  });
});

/**
 * Raised with a reason, not by accident: the chart of the first screen zooms, pans and has lanes, its rows have menus and
 * links, watched texts have strips, the library's list takes the one query language, and the screen keeps the rows of a
 * transcript until the next has its own.
 */
const FIRST_LOAD_BYTES = 988_000;
