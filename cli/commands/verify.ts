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
import { EXIT, inputFailure, usageFailure } from '../support/failure.ts';
import { readText } from '../support/input.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { withProjector } from '../support/projecting.ts';
import { checkSignature, readKey } from '../support/signing.ts';
import { problemTexts } from '../support/spec.ts';

/** `parallax verify`. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check a bug-report bundle: project its raw slice again and compare')
    .argument('<FILE>', 'a bundle; - = stdin')
    .option('--key <file>', 'also check the signature FILE.dsse.json by this public key')
    .option('--json', 'the report as one line of JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 the same; 1 something differs; 2 wrong usage; 3 the file is not a sound bundle.',
    )
    .action(verifyFile);
}

async function verifyFile(file: string, options: { readonly key?: string; readonly json?: boolean }): Promise<void> {
  const { key: keyFile } = options;
  if (keyFile !== undefined && file === '-') throw usageFailure('--key needs a file: its signature is beside it');
  const bundle = await readBundleFile(file);
  const report = await verify(file, bundle);
  const signature = keyFile === undefined ? null : await checkSignature(file, await readKey(keyFile, 'public'));
  const scrubbed = bundle.head.scrub?.scrubbed ?? false;
  if (options.json) await writeJson({ ...report, scrubbed, ...(signature !== null && { signature }) });
  else {
    const said = [
      ['scrubbed', scrubbed ? scrubLine(bundle) : 'no: it holds what the session held'],
      ...(signature === null ? [] : [['signature', signature.text]]),
    ];
    await write(reportText(report, file, said));
  }
  process.exitCode = report.same && signature?.isGood !== false ? EXIT.done : EXIT.finding;
}

function scrubLine({ head }: Bundle): string {
  const { findings = [] } = head.scrub ?? {};
  const masked = findings.reduce((sum, one) => sum + one.masked, 0);
  const kept = findings.reduce((sum, one) => sum + one.count - one.masked, 0);
  return `yes: ${grouped(masked)} masked, ${grouped(kept)} kept`;
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

function reportText(report: VerifyReport, file: string, said: readonly string[][]): string {
  const versions = `${report.engineVersion.bundle} there, ${report.engineVersion.here} here`;
  const head = [
    ['result', report.same ? 'the same' : `different: ${report.differences.map(({ what }) => what).join(', ')}`],
    ['messages', grouped(report.messages)],
    ['prefix', report.prefixHash],
    ['engine', versions],
    ...said,
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
