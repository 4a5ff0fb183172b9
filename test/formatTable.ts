// npm run formats:table -- --claims   Each file of both corpora: the format that claims it, records that look like messages,
// messages, events, the problem told. Exit code 1 if most of one is lost in silence.
// npm run formats:table [-- --files]   What every format's visible corpus files hold, and where that differs from the
// corpus's own list (which was counted by pattern). Differences are explained file by file in docs/formats.md; exit
// code 1 if one is not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countCorpus, unexplained } from './support/againstList.ts';
import { corpusClaims, isSilentLoss } from './support/claims.ts';
import { COUNTED } from './support/formatCounts.ts';
import { FORMATS } from './support/formats.ts';
import { sharedDir } from './support/shared.ts';
import { tableText } from './support/table.ts';

if (!sharedDir()) {
  console.error('There is no corpus beside this checkout: nothing to count.');
  process.exit(2);
}

if (process.argv.includes('--claims')) {
  const claims = [...corpusClaims('corpus'), ...corpusClaims('corpus-2')];
  const cells = claims.map(({ name, format, spoken, messages, events, told }) => [
    name,
    format ?? '-',
    ...[format === null ? '' : spoken, messages, events].map(String),
    told === null ? '' : told.code,
  ]);
  console.log(tableText([['file', 'claimed by', 'like messages', 'messages', 'events', 'told'], ...cells], [0, 1, 5]));
  const silent = claims.filter(isSilentLoss);
  const claimed = claims.filter(({ format }) => format !== null).length;
  console.log(`\n${claims.length} files, ${claimed} claimed; most lost in silence: ${silent.length}`);
  for (const { name } of silent) console.log(`  ${name}`);
  process.exit(silent.length > 0 ? 1 : 0);
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
console.log(tableText([head, ...rows]));

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
