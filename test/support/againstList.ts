// What the visible corpus files hold, file by file, against the corpus's own list, and against what docs/formats.md says
// of the differences ("Comparison with the corpus's list").
import { basename, join, relative } from 'node:path';
import type { ImportCounts } from '../../core/importers/importStream.ts';
import { COUNTED, countsOfFile, type FormatCounts, listedCounts } from './formatCounts.ts';
import { FORMATS } from './formats.ts';
import { corpusFiles, sharedDir } from './shared.ts';

/** One file of the corpus as it was read. `differs`: `messages 12 / 14` for each count that is another than listed. */
export interface CountedFile {
  readonly format: string;
  readonly name: string;
  readonly counts: FormatCounts;
  readonly records: ImportCounts;
  readonly differs: readonly string[];
}

const NAMES: Readonly<Record<keyof FormatCounts, string>> = {
  messages: 'messages',
  calls: 'calls',
  results: 'results',
  errors: 'errors',
  signatures: 'signatures',
  images: 'images',
  compactions: 'compactions',
  subAgents: 'sub-agents',
};

/** Reads every visible file of every format. Empty where there is no corpus. */
export function countCorpus(): readonly CountedFile[] {
  const shared = sharedDir();
  if (!shared) return [];
  const listed = listedCounts();
  return FORMATS.flatMap((format) =>
    corpusFiles(format).map((path) => {
      const { file, counts } = countsOfFile(path);
      const entry = listed.get(relative(join(shared, 'corpus'), path));
      const differs = COUNTED.flatMap((what) => {
        const other = entry?.[what];
        return other === undefined || other === counts[what] ? [] : [`${NAMES[what]} ${counts[what]} / ${other}`];
      });
      return { format, name: basename(path), counts, records: file.counts, differs };
    }),
  );
}

/** The page's table: what it says of each file, by name. */
export function explanations(page: string): ReadonlyMap<string, { readonly differs: string; readonly why: string }> {
  const [, chapter = ''] = page.split("\n## Comparison with the corpus's list\n");
  const [table = ''] = chapter.split('\n## ');
  const rows = [...table.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
  return new Map(rows.map(([, name = '', differs = '', why = '']) => [name, { differs, why }]));
}

/** Files whose differences the page does not tell as they are, and names it tells that do not differ. */
export function unexplained(files: readonly Pick<CountedFile, 'name' | 'differs'>[], page: string): readonly string[] {
  const told = explanations(page);
  const differing = files.filter(({ differs }) => differs.length > 0);
  const missing = differing.flatMap(({ name, differs }) => {
    const own = told.get(name);
    const now = differs.join(', ');
    return own?.differs === now ? [] : [`${name}: ${now}${own === undefined ? '' : ` (the page says ${own.differs})`}`];
  });
  const known = new Set(differing.map(({ name }) => name));
  const stale = [...told.keys()].filter((name) => !known.has(name));
  return [...missing, ...stale.map((name) => `${name}: the page tells differences it does not have`)];
}
