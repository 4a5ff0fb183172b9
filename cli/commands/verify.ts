import type { Command } from 'commander';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { stageInputs } from '../../core/engine/requests/index.ts';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { importText } from '../../core/importers/memory.ts';
import { problemTexts } from '../../core/model/problem.ts';
import { doneWords } from '../../core/model/scrubReport.ts';
import type { SliceStatement } from '../../core/model/sliceStatement.ts';
import { type ParsedSpec, parseSpec, type ResolvedStage } from '../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { VerifyReport } from '../../core/protocol/types.ts';
import { bundleInputs } from '../../core/report/inputs.ts';
import { type Bundle, readBundle } from '../../core/report/readBundle.ts';
import { verifyBundle } from '../../core/report/verify.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { shellWord } from '../../core/util/shellWord.ts';
import { createMemo } from '../../core/view/memo.ts';
import { countOf } from '../../core/view/words.ts';
import { EXIT, inputFailure, usageFailure } from '../support/failure.ts';
import { readText } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { withProjector } from '../support/projecting.ts';
import { checkSignature, readKey } from '../support/signing.ts';
import { specNamed } from '../support/spec.ts';

/** `parallax verify`. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check a bug-report bundle: project its raw slice again and compare')
    .argument('<FILE>', 'a bundle; - = stdin')
    .option('--spec <file-or-json>', 'project it under this policy, not under its own, and compare with what it states')
    .option('--key <file>', 'also check the signature FILE.dsse.json by this public key')
    .option('--json', 'the report as one line of JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 the same; 1 something differs; 2 wrong usage; 3 the file is not a sound bundle.',
    )
    .action(verifyFile);
}

interface VerifyOptions {
  readonly key?: string;
  readonly spec?: string;
  readonly json?: boolean;
}

async function verifyFile(file: string, options: VerifyOptions): Promise<void> {
  const { key: keyFile } = options;
  if (keyFile !== undefined && file === '-') throw usageFailure('--key needs a file: its signature is beside it');
  const other = options.spec === undefined ? null : specNamed('--spec', options.spec);
  const text = await readText(file);
  const bundle = bundleOf(file, text);
  const report = await verify(
    bundle,
    other === null ? await ownPolicy(file, bundle) : await otherPolicy(other, bundle, text),
  );
  const signature = keyFile === undefined ? null : await checkSignature(file, await readKey(keyFile, 'public'));
  const scrubbed = bundle.head.scrub?.scrubbed ?? false;
  if (options.json)
    await writeJson({
      ...report,
      scrubbed,
      slice: bundle.head.slice ?? null,
      ...(signature !== null && { signature }),
    });
  else {
    const said = [
      ...(bundle.head.slice === undefined ? [] : [['slice', sliceLine(bundle.head.slice, bundle.head.at)]]),
      ['scrubbed', scrubbed ? scrubLine(bundle) : 'no: it holds what the session held'],
      ...(signature === null ? [] : [['signature', signature.text]]),
    ];
    await write(reportText(report, file, said));
  }
  process.exitCode = report.same && signature?.isGood !== false ? EXIT.done : EXIT.finding;
}

function sliceLine({ emptied, minimal, answer }: SliceStatement, at: number): string {
  const smallest = minimal ? ', the smallest on which the result is the same' : '';
  const about = answer === undefined ? '' : `; of "${oneLine(answer.text, 60)}": ${answer.state}`;
  return `${grouped(at - emptied)} of ${countOf(at, 'message')} with their words${smallest}${about}`;
}

function scrubLine({ head }: Bundle): string {
  return `yes: ${doneWords(head.scrub?.findings ?? [])}`;
}

function bundleOf(file: string, text: string): Bundle {
  const bundle = readBundle(text);
  if (!bundle.ok) throw inputFailure(`${file}: ${bundle.error.text}`, bundle.error.code);
  return bundle.value;
}

/** A policy, and what its stages are given. */
interface Policy {
  readonly stages: readonly ResolvedStage[];
  readonly inputs: Pick<ProjectOptions, 'tokens' | 'budget' | 'binding'>;
}

async function ownPolicy(file: string, bundle: Bundle): Promise<Policy> {
  const parsed = parseSpec(bundle.head.spec, STAGES);
  if (!parsed.ok) {
    throw inputFailure(`${file}: its spec cannot be run here: ${problemTexts(parsed.error)}`, 'bundle.spec');
  }
  const { stages, spec } = parsed.value;
  return { stages, inputs: await bundleInputs(bundle, loadCounter, spec) };
}

// A bundle states what its own stages counted with. Where they counted nothing, another policy counts as it would anywhere.
async function otherPolicy({ stages, spec }: ParsedSpec, bundle: Bundle, text: string): Promise<Policy> {
  if (bundle.head.inputs !== undefined) return { stages, inputs: await bundleInputs(bundle, loadCounter, spec) };
  const [transcript] = importText(text).transcripts;
  if (transcript === undefined) return { stages, inputs: await bundleInputs(bundle, loadCounter, spec) };
  return { stages, inputs: await stageInputs(bundle.source, { spec, stages }, aboutOf(transcript)) };
}

function verify(bundle: Bundle, { stages, inputs }: Policy): Promise<VerifyReport> {
  return withProjector(async (projector) => {
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
