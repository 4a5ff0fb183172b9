// npm run formats:table [-- --files]   What every format's visible corpus files hold, and where that differs from the
// corpus's own list (which was counted by pattern). Differences are explained file by file in docs/formats.md; exit
// code 1 if one is not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countCorpus, unexplained } from './support/againstList.ts';
import { COUNTED } from './support/formatCounts.ts';
import { FORMATS } from './support/formats.ts';
import { sharedDir } from './support/shared.ts';

if (!sharedDir()) {
  console.error('There is no corpus beside this checkout: nothing to count.');
  process.exit(2);
}

const files = countCorpus();
const head = ['format', 'files', ...COUNTED, 'records', 'unaccounted'];
const rows = FORMATS.map((format) => {
  const own = files.filter((file) => file.format === format);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const counts = COUNTED.map((what) => sum(own.map((file) => file.counts[what])));
  const records = sum(own.map((file) => file.records.records));
  const unaccounted = sum(own.map((file) => file.records.unaccounted));
  return [format, own.length, ...counts, records, unaccounted].map(String);
});
const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
for (const row of [head, ...rows]) {
  console.log(
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
}

const differing = files.filter(({ differs }) => differs.length > 0);
if (process.argv.includes('--files')) {
  console.log('\nours / listed:');
  for (const { format, name, differs } of differing) console.log(`${format}  ${name}: ${differs.join(', ')}`);
}
const open = unexplained(files, readFileSync(join(import.meta.dirname, '..', 'docs', 'formats.md'), 'utf8'));
console.log(
  `\n${differing.length} files differ from the list; not told as they are in docs/formats.md: ${open.length}`,
);
for (const line of open) console.log(`  ${line}`);
process.exitCode = open.length > 0 ? 1 : 0;
