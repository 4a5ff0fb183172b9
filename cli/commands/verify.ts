import type { Command } from 'commander';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { VerifyReport } from '../../core/protocol/types.ts';
import { bundleInputs } from '../../core/report/inputs.ts';
import { type Bundle, readBundle } from '../../core/report/readBundle.ts';
import { verifyBundle } from '../../core/report/verify.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { shellWord } from '../../core/util/shellWord.ts';
import { createMemo } from '../../core/view/memo.ts';
import { EXIT, inputFailure } from '../support/failure.ts';
import { readText } from '../support/input.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { withProjector } from '../support/projecting.ts';
import { problemTexts } from '../support/spec.ts';

/** `parallax verify`. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check a bug-report bundle: project its raw slice again and compare')
    .argument('<FILE>', 'a bundle; - = stdin')
    .option('--json', 'the report as one line of JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 the same; 1 something differs; 2 wrong usage; 3 the file is not a sound bundle.',
    )
    .action(async (file: string, options: { readonly json?: boolean }) => {
      const report = await verify(file, await readBundleFile(file));
      if (options.json) await writeJson(report);
      else await write(reportText(report, file));
      process.exitCode = report.same ? EXIT.done : EXIT.finding;
    });
}

async function readBundleFile(file: string): Promise<Bundle> {
  const bundle = readBundle(await readText(file));
  if (!bundle.ok) throw inputFailure(`${file}: ${bundle.error.text}`, bundle.error.code);
  return bundle.value;
}

async function verify(file: string, bundle: Bundle): Promise<VerifyReport> {
  const parsed = parseSpec(bundle.head.spec, STAGES);
  if (!parsed.ok) {
    throw inputFailure(`${file}: its spec cannot be run here: ${problemTexts(parsed.error)}`, 'bundle.spec');
  }
  return withProjector(async (projector) => {
    const { stages, spec } = parsed.value;
    const inputs = await bundleInputs(bundle, loadCounter, spec);
    const projection = await projector.project(bundle.source, stages, bundle.head.at, createMemo(), inputs);
    return verifyBundle(bundle, projection, ENGINE_VERSION, nodeSha256);
  });
}

function reportText(report: VerifyReport, file: string): string {
  const versions = `${report.engineVersion.bundle} there, ${report.engineVersion.here} here`;
  const head = [
    ['result', report.same ? 'the same' : `different: ${report.differences.map(({ what }) => what).join(', ')}`],
    ['messages', grouped(report.messages)],
    ['prefix', report.prefixHash],
    ['engine', versions],
    ...(file === '-' ? [] : [['to open it', `parallax import ${shellWord(file)}, or drop it on the app`]]),
  ];
  const found = report.differences.map(({ what, expected, got }) => {
    return `\n${what}\n  in the bundle  ${expected}\n  here           ${got}\n`;
  });
  const stated = report.findings.map(({ kind, at, evidence, certainty }) => {
    return [`#${at}`, kind, certainty, oneLine(evidence, 90)];
  });
  const listed = stated.length === 0 ? '' : `\nfindings stated in the bundle\n${table(stated)}`;
  return table(head) + found.join('') + listed;
}
