// `parallax check`: rules held against transcripts, for people and for CI.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type Baselines, baselineFile, readBaselineText, withRecords } from '../../core/check/baseline.ts';
import { REPORT_FORMATS, type ReportFormat, reportText } from '../../core/check/formats/index.ts';
import { type CheckedTranscript, type CheckReport, countVerdicts, neverChecked } from '../../core/check/report.ts';
import { ruleName } from '../../core/check/ruleText.ts';
import type { RuleFile } from '../../core/check/schema.ts';
import { threadsHere } from '../../core/engine/threads/index.ts';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { countOf } from '../../core/view/words.ts';
import { wholeNumber } from '../support/arguments.ts';
import { checkFiles } from '../support/checkFiles.ts';
import { type CheckedWithRecords, checkPolicies } from '../support/checking.ts';
import { EXIT, inputFailure, usageFailure } from '../support/failure.ts';
import { filesIn } from '../support/files.ts';
import { note, write, writeJsonText } from '../support/output.ts';
import { fileName } from '../support/readError.ts';
import { readRulesFile } from '../support/rulesFile.ts';
import { NO_TOKENS } from '../support/sharedOptions.ts';
import { readSmallText } from '../support/smallFile.ts';
import { writeChunks } from '../support/writeChunks.ts';

interface CheckOptions {
  readonly format: ReportFormat;
  readonly update?: boolean;
  readonly strict?: boolean;
  readonly jobs?: number;
  readonly mapping?: string;
  readonly tokens: boolean;
}

const HELP = `
RULES is YAML or JSON: docs/check.md, schema docs/check.schema.json. A rule that had nothing to be held against (no
compaction, a text that nothing says, no baseline) is "not checked": that is not a pass, and fails only with --strict.

Exit codes: 0 no rule failed; 1 a rule failed; 2 wrong usage, or a fault in RULES; 3 a file cannot be read.`;

/** `parallax check`. */
export function addCheck(program: Command): void {
  program
    .command('check')
    .description('hold rules against transcripts: texts that must be in the request, costs, findings, a baseline')
    .argument('<RULES>', 'a file of rules, YAML or JSON')
    .argument('<PATH...>', 'transcripts of any known format, or folders of them; - = stdin')
    .addOption(new Option('--format <what>', 'how the result is printed').choices([...REPORT_FORMATS]).default('text'))
    .option('--update', 'record what rules with a baseline find, in RULES.baseline.json, instead of comparing')
    .option('--strict', 'a rule that was not checked fails')
    .option('--jobs <n>', 'threads; as many as there are cores, at most eight', wholeNumber('--jobs', 1, 9_999))
    .option('--mapping <file>', 'read files by this mapping of their fields')
    .option(...NO_TOKENS)
    .addHelpText('after', HELP)
    .action(check);
}

async function check(rulesPath: string, paths: string[], options: CheckOptions): Promise<void> {
  const { file, reported, baselinePath } = readRulesFile(rulesPath);
  checkPolicies(file);
  const wantsBaseline = file.rules.some((rule) => 'baseline' in rule);
  if (options.update && !wantsBaseline) throw usageFailure('--update: no rule has a baseline');
  if (options.update && baselinePath === null)
    throw usageFailure('--update needs rules in a file: its baseline is beside it');
  const baselines = wantsBaseline && baselinePath !== null ? readBaselines(baselinePath) : {};
  const folder = resolve(baselinePath === null ? '.' : dirname(rulesPath));
  const names = reported.map(({ name }) => name);
  const { tokens, mapping = null, jobs = threadsHere() } = options;
  const setup = { file, names, folder, baselines: options.update ? {} : baselines, tokens, mapping };
  const files = await filesIn(paths);
  const found = await checkFiles(files, setup, jobs);
  const skipped = found.filter((each) => each === null).length;
  if (skipped > 0) note(`${countOf(skipped, 'file')} skipped: not a transcript of a known format`);
  const all = found.flatMap((each) => each ?? []);
  if (all.length === 0) throw inputFailure('nothing was checked: no file holds a transcript', 'input.nothing');
  if (options.update && baselinePath !== null) await writeBaselines(baselinePath, baselines, all);
  const report = {
    rulesFile: baselinePath === null ? 'the rules' : rulesPath,
    rules: reported,
    transcripts: all.map((one) => (options.update ? saidRecorded(one, file) : one.checked)),
  };
  await print(report, options);
  process.exitCode = exitOf(report, options);
}

// With --update nothing is compared with what was recorded before: the rules that it is for say so.
function saidRecorded({ checked, records }: CheckedWithRecords, { rules }: RuleFile): CheckedTranscript {
  const outcomes = checked.outcomes.map((outcome) => {
    const rule = rules[outcome.rule];
    // A rule without a baseline may have the name of one that has.
    const isRecorded = rule !== undefined && 'baseline' in rule && Object.hasOwn(records, ruleName(rule));
    return isRecorded ? { ...outcome, found: 'recorded; compared from the next run on' } : outcome;
  });
  return { ...checked, outcomes };
}

function exitOf(report: CheckReport, { strict, update }: CheckOptions): number {
  const { failed, unchecked, unreadable } = countVerdicts(report);
  if (unreadable > 0) return EXIT.unreadable;
  return failed > 0 || (strict === true && !update && unchecked > 0) ? EXIT.finding : EXIT.done;
}

async function print(report: CheckReport, { format, update }: CheckOptions): Promise<void> {
  // --update has just recorded what they lacked.
  if (!update) {
    for (const { name, line } of neverChecked(report)) {
      note(`${fileName(report.rulesFile)}${line === null ? '' : `:${line}`}: "${name}" was checked on no transcript`);
    }
  }
  const text = reportText(report, format, ENGINE_VERSION);
  if (format === 'sarif' || format === 'json') await writeJsonText(text);
  else await write(text);
}

function readBaselines(path: string): Baselines {
  if (!existsSync(path)) return {};
  const read = readBaselineText(readSmallText(path));
  if (read.ok) return read.value;
  throw usageFailure(`${fileName(path)} ${read.error}. Record one with --update`, 'baseline.invalid');
}

async function writeBaselines(path: string, before: Baselines, all: readonly CheckedWithRecords[]): Promise<void> {
  await writeChunks(path, [baselineFile(withRecords(before, all))], fileName(path));
  note(`${fileName(path)}: ${countOf(all.length, 'transcript')} recorded`);
}
