// The commands in the order of the help, each with the example that its help ends with; a command of several has one for
// each. test/cli/examples.test.ts runs every one of them, as it is written, in a folder that has these files.
import type { Command } from 'commander';
import { addAutopsy } from './commands/autopsy.ts';
import { addCache } from './commands/cache.ts';
import { addCheck } from './commands/check.ts';
import { addCompact } from './commands/compact.ts';
import { addCompare } from './commands/compare.ts';
import { addEntries } from './commands/entries.ts';
import { addEvents } from './commands/events.ts';
import { addExport } from './commands/export.ts';
import { addFindings } from './commands/findings.ts';
import { addFork } from './commands/fork.ts';
import { addFormats } from './commands/formats.ts';
import { addImport } from './commands/import.ts';
import { addKeep } from './commands/keep.ts';
import { addKeys } from './commands/keys.ts';
import { addLint } from './commands/lint.ts';
import { addLs } from './commands/ls.ts';
import { addMapping } from './commands/mapping.ts';
import { addMcp } from './commands/mcp.ts';
import { addPresets } from './commands/presets.ts';
import { addProject } from './commands/project.ts';
import { addRepair } from './commands/repair.ts';
import { addReproduce } from './commands/reproduce.ts';
import { addRm } from './commands/rm.ts';
import { addSample } from './commands/sample.ts';
import { addScrub } from './commands/scrub.ts';
import { addSearch } from './commands/search.ts';
import { addServe } from './commands/serve.ts';
import { addStats } from './commands/stats.ts';
import { addSweep } from './commands/sweep.ts';
import { addTag } from './commands/tag.ts';
import { addTrace } from './commands/trace.ts';
import { addTune } from './commands/tune.ts';
import { addUsage } from './commands/usage.ts';
import { addUses } from './commands/uses.ts';
import { addVerify } from './commands/verify.ts';
import { addWatch } from './commands/watch.ts';
import { addWhy } from './commands/why.ts';
import { addWorker } from './commands/worker.ts';

type Added = readonly [add: (program: Command) => void, ...examples: readonly string[]];

const COMMANDS: readonly Added[] = [
  [addProject, 'parallax project session.jsonl --policy reachability_gc --at 12'],
  [addTrace, 'parallax trace session.jsonl --text "port 8443" --policy short_context'],
  [addWatch, 'parallax watch session.jsonl --text "port 8443" --text harbour'],
  [addKeep, 'parallax keep session.jsonl --text "port 8443" --policy short_context'],
  [addSweep, 'parallax sweep session.jsonl --policy reachability_gc'],
  [addCompare, 'parallax compare session.jsonl --a raw --b reachability_gc'],
  [addTune, 'parallax tune session.jsonl --spec reachability_gc --vary reachability_gc.root_window=2..8:2'],
  [addAutopsy, 'parallax autopsy session.jsonl'],
  [addPresets, 'parallax presets session.jsonl --window 200000'],
  [addWhy, 'parallax why session.jsonl --message 3 --policy reachability_gc'],
  [addEntries, 'parallax entries session.jsonl --request req_1'],
  [addEvents, 'parallax events session.jsonl --kinds'],
  [addUses, 'parallax uses session.jsonl --policy reachability_gc'],
  [addFindings, 'parallax findings session.jsonl --policy reachability_gc'],
  [addCheck, 'parallax check rules.yaml session.jsonl --format junit'],
  [addUsage, 'parallax usage session.jsonl --requests'],
  [addCache, 'parallax cache session.jsonl'],
  [addScrub, 'parallax scrub session.jsonl --word harbour'],
  [addExport, 'parallax export session.jsonl --policy reachability_gc --at 12 -o bug.parallax.json'],
  [addVerify, 'parallax verify report.parallax.json'],
  [addReproduce, 'parallax reproduce session.jsonl --policy reachability_gc --as curl -o request.sh'],
  [addKeys, 'parallax keys -o mine'],
  [addLint, 'parallax lint session.jsonl --provider anthropic'],
  [addRepair, 'parallax repair pi.jsonl --check'],
  [addImport, 'parallax import session.jsonl --library library'],
  [addLs, 'parallax ls --library library --sort tokens'],
  [addStats, 'parallax stats --library library --by tool'],
  [addTag, 'parallax tag --library library'],
  [addRm, 'parallax rm cad43f9e --library library'],
  [addCompact, 'parallax compact --library library'],
  [addFork, 'parallax fork session.jsonl --at 4 --text "And now?" --library library'],
  [addSearch, 'parallax search port 8443 --library library'],
  [addServe, 'parallax serve session.jsonl --port 4400'],
  [addWorker, 'parallax worker --jobs 2 < tasks.ndjson'],
  [addMcp, 'parallax mcp'],
  [addFormats, 'parallax formats'],
  [addSample, 'parallax sample --out session.jsonl'],
  [
    addMapping,
    'parallax mapping guess rows.jsonl',
    'parallax mapping check mapping.json rows.jsonl --limit 5',
    'parallax mapping ls --library library',
    'parallax mapping save mapping.json --name rows --library library',
    'parallax mapping export rows --library library',
    'parallax mapping rm rows --library library',
  ],
];

/** The example of a command, by the words that call it. */
export function exampleOf(words: readonly string[]): string | null {
  const call = `parallax ${words.join(' ')}`;
  const examples = COMMANDS.flatMap(([, ...all]) => all);
  return examples.find((example) => example === call || example.startsWith(`${call} `)) ?? null;
}

/** Adds all commands; the help of each ends with its example. */
export function addCommands(program: Command): void {
  for (const [add] of COMMANDS) add(program);
  addExamples(program, []);
}

function addExamples(program: Command, before: readonly string[]): void {
  for (const command of program.commands) {
    const words = [...before, command.name()];
    const example = command.commands.length === 0 ? exampleOf(words) : null;
    if (example !== null) command.addHelpText('after', `\nExample:\n  ${example}`);
    addExamples(command, words);
  }
}
