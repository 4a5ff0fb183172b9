// `npm run scrub:planted [-- --count N --seed S PATH…]`: plants N secrets (10,000) in the files of the shared corpora, all formats, exports each
// as `parallax export` does, and looks for every one in the finished bytes, decoded. Exit code 1 if one is left, or if an export was
// stopped by its last search: then one was not masked. The templates are those of the shared vectors, and some with escapes of addresses in them.
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seededRng } from '../core/util/rng.ts';
import { type PlantedFile, plantFile, templatesOf } from './support/plantedFile.ts';
import type { Planted } from './support/plantedSecrets.ts';
import { filesBelow, sharedDir } from './support/shared.ts';

const MOST_ROUNDS = 4;

interface Sums {
  readonly byFormat: Map<string, { files: Set<string>; planted: number; left: number }>;
  readonly byDepth: Map<number, number>;
  readonly templates: Set<string>;
  planted: number;
  left: number;
  stopped: number;
  length: number;
}

function say(file: string, { template, depth, drawn }: Planted): void {
  console.log(`LEFT ${file}: ${template}, at depth ${depth}: ${drawn.join(' ')}`);
}

function add(sums: Sums, file: string, { format, planted, left, length, stopped }: PlantedFile): void {
  const sum = sums.byFormat.get(format) ?? { files: new Set<string>(), planted: 0, left: 0 };
  sums.byFormat.set(format, sum);
  for (const one of left) say(file, one);
  if (stopped !== null) console.log(`STOPPED ${file}: ${stopped}`);
  sum.files.add(file);
  sum.planted += planted.length;
  sum.left += left.length;
  sums.planted += planted.length;
  sums.left += left.length;
  sums.stopped += stopped === null ? 0 : 1;
  sums.length += length;
  for (const { depth, template } of planted) {
    sums.byDepth.set(depth, (sums.byDepth.get(depth) ?? 0) + 1);
    sums.templates.add(template);
  }
}

function filesOf(path: string): readonly string[] {
  return statSync(path).isDirectory() ? filesBelow(path) : [path];
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const dir = sharedDir();
  if (dir === null) {
    console.error('there is no shared folder with corpora and vectors: PARALLAX_SHARED');
    return 2;
  }
  const rng = seededRng(Number(values.seed));
  const all = [`${dir}/corpus`, `${dir}/corpus-2`].flatMap(filesBelow);
  const files = rng.shuffle(positionals.length > 0 ? positionals.flatMap(filesOf) : all);
  const templates = templatesOf(dir);
  const sums: Sums = {
    byFormat: new Map(),
    byDepth: new Map(),
    templates: new Set(),
    planted: 0,
    left: 0,
    stopped: 0,
    length: 0,
  };
  // A small file has no room for its share: what is missing is planted in another round.
  for (let round = 0; round < MOST_ROUNDS && sums.planted < Number(values.count); round++) {
    const missing = Number(values.count) - sums.planted;
    const before = sums.planted;
    for (const [nth, file] of files.entries()) {
      const wanted = Math.ceil((missing - (sums.planted - before)) / (files.length - nth));
      const made = wanted > 0 ? await plantFile(file, wanted, templates, rng) : null;
      if (made !== null) add(sums, file, made);
      if (nth % 40 === 39)
        console.log(`… ${nth + 1} of ${files.length} files, ${sums.planted} planted, ${sums.left} left`);
    }
  }
  console.log('| format | files | planted | left |\n| --- | --- | --- | --- |');
  for (const [format, { files: count, planted, left }] of [...sums.byFormat].sort())
    console.log(`| ${format} | ${count.size} | ${planted} | ${left} |`);
  const depths = [...sums.byDepth].sort(([a], [b]) => a - b).map(([depth, count]) => `${depth}: ${count}`);
  console.log(
    `seed ${values.seed}: ${sums.planted} planted of ${sums.templates.size} templates (by depth ${depths.join(', ')}), ${sums.left} left in ${(sums.length / 1e6).toFixed(1)} MB, ${sums.stopped} exports stopped`,
  );
  return sums.left + sums.stopped > 0 ? 1 : 0;
}

process.exit(await main());
