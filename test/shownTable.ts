// npm run shown:table [-- --full --points 2 FORMAT…]   The law "what is shown as sent is what is sent" over the corpora:
// every preset × sampled call points × four wires, as the history is and as the wire's hygiene leaves it. Prints a row a
// format; exit code 1 if the law is broken anywhere.
import { Command } from 'commander';
import { nodeSha256 } from '../core/engine/nodeHash.ts';
import { MemoryTranscript } from '../core/importers/memory.ts';
import { callPoints } from '../core/model/turns.ts';
import { resolveBudget } from '../core/projection/budgetSpec.ts';
import { PRESETS, presetsFor } from '../core/projection/presets.ts';
import { project } from '../core/projection/project.ts';
import { createMemo } from '../core/view/memo.ts';
import { TARGETS, WIRE_TARGETS } from '../core/wire/types.ts';
import { FORMATS } from './support/formats.ts';
import { choose } from './support/lawsSurvey.ts';
import { stagesOf } from './support/projecting.ts';
import { sentTextFaults } from './support/sentText.ts';
import { shownFaults } from './support/shown.ts';
import { corpusTranscripts } from './support/wireBodies.ts';

const program = new Command('shown:table')
  .option('--full')
  .option('--points <n>', 'call points of each transcript', '1')
  .option('--most <n>', 'transcripts of each file', '3')
  .argument('[FORMAT...]')
  .parse();
const { full, points, most } = program.opts<{
  readonly full?: boolean;
  readonly points: string;
  readonly most: string;
}>();
const wanted = program.args.length > 0 ? FORMATS.filter((format) => program.args.includes(format)) : FORMATS;
const WINDOW = 32_768;

console.log('| format | transcripts | projections | bodies | violations |');
console.log('| --- | --: | --: | --: | --: |');
let broken = 0;
const told: string[] = [];
for (const format of wanted) {
  const tally = { transcripts: 0, projections: 0, bodies: 0, violations: 0 };
  for (const { name, transcript } of corpusTranscripts(format, full === true, Number(most))) {
    tally.transcripts++;
    const source = MemoryTranscript.of(transcript);
    const all = callPoints(source);
    const chosen = new Set([...choose(all, Number(points), all.length), source.length]);
    const hasCompactions = source.compactions().length > 0;
    const memo = createMemo();
    for (const preset of presetsFor(PRESETS, hasCompactions, hasCompactions)) {
      const budget = resolveBudget(preset.spec.budget, { own: WINDOW });
      for (const at of chosen) {
        for (const target of [null, ...WIRE_TARGETS]) {
          const last = target === null ? [] : [{ kind: 'hygiene', options: { profile: TARGETS[target].profile } }];
          const stages = stagesOf({ version: 1, stages: [...preset.spec.stages, ...last] });
          const projection = project(source, stages, at, { memo, sha256: nodeSha256, budget });
          tally.projections++;
          const faults = [...shownFaults(source, projection, memo)];
          for (const wire of target === null ? WIRE_TARGETS : [target]) {
            tally.bodies++;
            faults.push(
              ...sentTextFaults(source, projection, memo, wire, { meta: transcript.meta, strict: target !== null }),
            );
          }
          tally.violations += faults.length;
          for (const fault of faults)
            told.push(`${name}, ${preset.name} at ${at}${target === null ? '' : `, repaired for ${target}`}: ${fault}`);
        }
      }
    }
  }
  broken += tally.violations;
  console.log(`| ${format} | ${tally.transcripts} | ${tally.projections} | ${tally.bodies} | ${tally.violations} |`);
}
// Of faults alike the first.
const kinds = Map.groupBy(told, (each) => each.replace(/^.*? at \d+/, '').replace(/position \d+|\[\d+\]/g, ''));
for (const [, [first = '', ...more]] of [...kinds].slice(0, 40))
  console.log(`VIOLATION ${first}${more.length > 0 ? ` (and ${more.length} like it)` : ''}`);
console.log(`${broken} violations`);
if (broken > 0) process.exitCode = 1;
