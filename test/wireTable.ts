// npm run wire:table [-- --full FORMAT…]   Every transcript of the corpora as the body of all four requests: as it is, and
// repaired by the target's hygiene. Valid = the SDK's types take it and the lint has no error. Prints a row a target and
// format. Exit code 1 if a repaired body is not valid. By default a sample: of each file three transcripts, no large files.
import { Command } from 'commander';
import { type LossKind, WIRE_TARGETS, type WireTarget } from '../core/wire/types.ts';
import { FORMATS } from './support/formats.ts';
import { sharedDir } from './support/shared.ts';
import { corpusTranscripts, writeBody, writeRepaired } from './support/wireBodies.ts';
import { TypeCheck } from './support/wireTypes.ts';

interface Row {
  readonly files: Set<string>;
  bodies: number;
  readonly losses: Map<LossKind, number>;
  /** Names of bodies that are not valid. */
  readonly bad: { readonly asIs: Set<string>; readonly repaired: Set<string> };
}

const WAYS = ['asIs', 'repaired'] as const;

const program = new Command('wire:table').option('--full').argument('[FORMAT...]').parse();
const { full } = program.opts<{ readonly full?: boolean }>();
const wanted = program.args.length > 0 ? FORMATS.filter((format) => program.args.includes(format)) : FORMATS;
if (sharedDir() === null) {
  console.error('there is no corpus beside this checkout: PARALLAX_SHARED names its folder');
  process.exit(2);
}

const rows = new Map<string, Row>();
const why = new Map<string, string>();
const check = new TypeCheck();

function rowOf(target: WireTarget, format: string): Row {
  const key = `${target} ${format}`;
  const known = rows.get(key);
  if (known !== undefined) return known;
  const row: Row = {
    files: new Set(),
    bodies: 0,
    losses: new Map(),
    bad: { asIs: new Set(), repaired: new Set() },
  };
  rows.set(key, row);
  return row;
}

for (const format of wanted) {
  for (const transcript of corpusTranscripts(format, full === true)) {
    for (const target of WIRE_TARGETS) {
      const row = rowOf(target, format);
      row.files.add(transcript.name.split(' ')[0] ?? '');
      row.bodies++;
      for (const way of WAYS) {
        const written = way === 'asIs' ? writeBody(transcript, target, false) : writeRepaired(transcript, target);
        const { body, text, findings } = written;
        check.add(target, `${way} ${format} ${transcript.name}`, text);
        if (findings.length > 0) {
          row.bad[way].add(transcript.name);
          why.set(`${way} ${target} ${transcript.name}`, findings[0] ?? '');
        }
        if (way === 'repaired') continue;
        for (const { kind } of body.losses) row.losses.set(kind, (row.losses.get(kind) ?? 0) + 1);
      }
    }
  }
}

for (const [name, refused] of check.run()) {
  const [target = '', way = '', format = '', ...rest] = name.split(' ');
  const row = rows.get(`${target} ${format}`);
  if (row === undefined || (way !== 'asIs' && way !== 'repaired')) throw new Error(`no body is called ${name}`);
  row.bad[way].add(rest.join(' '));
  why.set(`${way} ${target} ${rest.join(' ')}`, refused[0]?.why.split('\n')[0] ?? '');
}

console.log('| target | format | files | bodies | valid as they are | valid repaired | not carried (as they are) |');
console.log('| --- | --- | --: | --: | --: | --: | --- |');
let bodies = 0;
let invalid = 0;
for (const [key, row] of [...rows].sort(([a], [b]) => order(a) - order(b))) {
  const [target, format] = key.split(' ');
  const losses = [...row.losses].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${kind} ${count}`);
  const valid = (way: (typeof WAYS)[number]): number => row.bodies - row.bad[way].size;
  const figures = [row.files.size, row.bodies, valid('asIs'), valid('repaired')].join(' | ');
  console.log(`| ${target} | ${format} | ${figures} | ${losses.join(', ') || '–'} |`);
  bodies += row.bodies;
  invalid += row.bad.repaired.size;
}
console.log(`\n${bodies} bodies; ${invalid} of them not valid after the repair`);
for (const [name, text] of why) if (name.startsWith('repaired')) console.log(`  ${name}: ${text}`);
if (invalid > 0) process.exitCode = 1;

function order(key: string): number {
  const [target = '', format = ''] = key.split(' ');
  const targets: readonly string[] = WIRE_TARGETS;
  return targets.indexOf(target) * 1000 + FORMATS.indexOf(format);
}
