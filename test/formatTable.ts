// npm run formats:table [-- --files]   What every format's visible corpus files hold, and where that differs from the
// corpus's own list (which was counted by pattern). Differences are explained file by file in docs/formats.md; exit
// code 1 if one is not.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { COUNTED, countsOfFile, type FormatCounts, listedCounts } from './support/formatCounts.ts';
import { FORMATS } from './support/formats.ts';
import { corpusFiles, sharedDir } from './support/shared.ts';

const HEAD = ['format', 'files', ...COUNTED, 'records', 'unaccounted'];
const shared = sharedDir();
if (!shared) {
  console.error('There is no corpus beside this checkout: nothing to count.');
  process.exit(2);
}

const listed = listedCounts();
const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'formats.md'), 'utf8');
const rows: string[][] = [];
const differences: string[] = [];
let unexplained = 0;

for (const format of FORMATS) {
  const sums = Object.fromEntries(COUNTED.map((what) => [what, 0])) as Record<keyof FormatCounts, number>;
  const paths = corpusFiles(format);
  let records = 0;
  let unaccounted = 0;
  for (const path of paths) {
    const { file, counts } = countsOfFile(path);
    for (const what of COUNTED) sums[what] += counts[what];
    records += file.counts.records;
    unaccounted += file.counts.unaccounted;
    compare(relative(join(shared, 'corpus'), path), counts);
  }
  rows.push([format, paths.length, ...COUNTED.map((what) => sums[what]), records, unaccounted].map(String));
}

const widths = HEAD.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
for (const row of [HEAD, ...rows]) {
  console.log(
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
}
console.log(`\n${differences.length} files differ from the list, ${unexplained} of them not named in docs/formats.md`);
if (process.argv.includes('--files')) for (const line of differences) console.log(line);
process.exitCode = unexplained > 0 ? 1 : 0;

function compare(name: string, counts: FormatCounts): void {
  const entry = listed.get(name);
  if (!entry) return;
  const other = COUNTED.filter((what) => entry[what] !== undefined && entry[what] !== counts[what]);
  if (other.length === 0) return;
  const base = name.slice(name.lastIndexOf('/') + 1);
  const told = page.includes(base);
  if (!told) unexplained++;
  const figures = other.map((what) => {
    const unit = what === 'messages' && entry.unit !== null ? ` (${entry.unit})` : '';
    return `${what} ${counts[what]}, listed ${entry[what]}${unit}`;
  });
  differences.push(`${told ? ' ' : '!'} ${name}: ${figures.join('; ')}`);
}
