// npm run equality:table [-- --runs 200 --transcripts 1 --points 6 --longest 400 --seed 1 FILE…]   A projection by any way
// of call points and options, and of one step from nothing, are they the same? Views, fates with their sentences, reports:
// over random runs of every kind of stage, and over every preset × visible corpora. Exit code 1 if they differ anywhere.
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { formats } from '../core/importers/formats/index.ts';
import { importText, MemoryTranscript } from '../core/importers/memory.ts';
import { resolveBudget } from '../core/projection/budgetSpec.ts';
import { allPresets, PRESETS } from '../core/projection/presets.ts';
import { modelFacts } from '../core/tokens/models.ts';
import { seededRng } from '../core/util/rng.ts';
import { grouped } from '../core/view/words.ts';
import { actedIn, KINDS, runOf } from './support/equality/randomRuns.ts';
import { acrossPoints, byGrowth, byPoints, byPointsAndOptions, type Compared } from './support/equality/ways.ts';
import { choose, UNKNOWN_WINDOW } from './support/lawsSurvey.ts';
import { stagesOf } from './support/projecting.ts';
import { corpusFiles } from './support/shared.ts';
import { tableText } from './support/table.ts';

interface Options {
  readonly runs: number;
  readonly transcripts: number;
  readonly points: number;
  readonly longest: number;
  readonly seed: number;
}

const MOST_TOLD = 20;
const different: string[] = [];

/** Walks a way: how many comparisons there were, and how many were not of equals; a crash is one of these. */
function walk(steps: Iterable<Compared>, name: string, take: (step: Compared) => void): [number, number] {
  let [compared, wrong] = [0, 0];
  try {
    for (const step of steps) {
      take(step);
      if (step.found === null) continue;
      compared++;
      if (isDeepStrictEqual(step.found, step.expected)) continue;
      wrong++;
      different.push(`${name}: ${step.label}`);
    }
  } catch (error) {
    wrong++;
    different.push(`${name}: crashed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [compared, wrong];
}

function countRuns(runs: number): void {
  const acted = new Map<string, number>();
  const cases = new Map<string, number>();
  const tallies = new Map(KINDS.map((kind) => [kind, [0, 0, 0, 0]]));
  for (const kind of KINDS) {
    for (let nth = 0; nth < runs; nth++) {
      const run = runOf(kind, nth);
      const here = new Set<string>();
      const note = ({ projection }: Compared): void => {
        for (const one of projection === undefined ? [] : actedIn(projection)) {
          acted.set(one, (acted.get(one) ?? 0) + 1);
          here.add(one);
        }
      };
      const ways = [byPointsAndOptions(run), byPoints(run), byGrowth(run)].map((way) => walk(way, kind, note));
      const sums = [...ways.map(([compared]) => compared), ways.reduce((sum, [, wrong]) => sum + wrong, 0)];
      tallies.set(
        kind,
        sums.map((count, at) => count + (tallies.get(kind)?.[at] ?? 0)),
      );
      for (const one of here) cases.set(one, (cases.get(one) ?? 0) + 1);
    }
  }
  const head = [
    'stage',
    'cases',
    'it acted in',
    'projections',
    'by points and options',
    'by points',
    'by growth',
    'differ',
  ];
  const rows = KINDS.map((kind) => {
    const counts = [runs, cases.get(kind) ?? 0, acted.get(kind) ?? 0, ...(tallies.get(kind) ?? [])];
    return [kind, ...counts.map((count) => grouped(count))];
  });
  console.log(tableText([head, ...rows]));
  const all = [...tallies.values()];
  const sum = (at: number) => all.reduce((total, counts) => total + (counts[at] ?? 0), 0);
  console.log(
    `\n${grouped(KINDS.length * runs)} random cases, each on three ways; ${grouped(sum(0) + sum(1) + sum(2))} comparisons ` +
      `with one step from nothing: ${grouped(sum(3))} differ. “it acted in” counts the random cases of all stages in which ` +
      'that stage changed something; “projections” those along their ways.\n',
  );
}

function countCorpora(files: readonly string[], { transcripts, points, longest, seed }: Options): void {
  const presets = allPresets(PRESETS);
  const tallies = new Map(presets.map(({ name }) => [name, { transcripts: 0, acted: 0, compared: 0, wrong: 0 }]));
  let surveyed = 0;
  for (const path of files) {
    const held = importText(readFileSync(path), { unpack: unpackZlib }).transcripts;
    for (const transcript of choose(
      held.filter(({ messages }) => messages.length > 0),
      transcripts,
      seed,
    )) {
      surveyed++;
      const source = MemoryTranscript.of(transcript);
      const window = modelFacts(transcript.meta.models?.at(-1) ?? null).window ?? UNKNOWN_WINDOW;
      const end = Math.min(source.length, longest);
      const rng = seededRng(seed + source.length);
      const way = [...Array.from({ length: points - 1 }, () => rng.below(end + 1)), end];
      for (const { name, spec } of presets) {
        const tally = tallies.get(name);
        if (tally === undefined) continue;
        tally.transcripts++;
        const budget = resolveBudget(spec.budget, { own: window });
        const place = `${name}, ${basename(dirname(path))}/${basename(path)} ${transcript.key}`;
        const [compared, wrong] = walk(acrossPoints(source, stagesOf(spec), way, budget), place, ({ projection }) => {
          if (projection !== undefined && actedIn(projection).length > 0) tally.acted++;
        });
        tally.compared += compared;
        tally.wrong += wrong;
      }
    }
  }
  const rows = [...tallies].map(([name, { transcripts, compared, acted, wrong }]) => {
    return [name, ...[transcripts, compared, acted, wrong].map((count) => grouped(count))];
  });
  console.log(tableText([['preset', 'transcripts', 'comparisons', 'of them changed', 'differ'], ...rows]));
  const sum = (read: (tally: { compared: number; wrong: number }) => number) =>
    grouped([...tallies.values()].reduce((total, tally) => total + read(tally), 0));
  console.log(
    `\n${files.length} files, ${surveyed} transcripts, ${presets.length} presets: ` +
      `${sum(({ compared }) => compared)} comparisons, ${sum(({ wrong }) => wrong)} differ.`,
  );
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

const command = new Command('equality:table')
  .description('Whether any way of call points and options gives what one step gives.')
  .argument('[FILE...]', 'files instead of the visible corpora')
  .option('--runs <n>', 'random cases of each kind of stage', count, 200)
  .option('--transcripts <n>', 'transcripts of each file', count, 1)
  .option('--points <n>', 'call points of each transcript, in any order', count, 6)
  .option('--longest <n>', 'the last message a call point may stand before', count, 400)
  .option('--seed <n>', 'of the sample', count, 1)
  .parse();
const options = command.opts<Options>();
const given = command.args.map((file) => resolve(file));
countRuns(options.runs);
countCorpora(given.length > 0 ? given : formats.all.flatMap(({ id }) => corpusFiles(id)), options);
for (const label of different.slice(0, MOST_TOLD)) console.log(`DIFFERS ${label}`);
process.exitCode = different.length > 0 ? 1 : 0;
