import type { Command } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { countOf } from '../../core/util/counts.ts';
import { type LintFinding, type LintReport, TARGET_NAMES, unknownName } from '../../core/wire/lint.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { reportReplayed } from '../support/lineage.ts';
import { lintRequest } from '../support/linting.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { callPointOf, withProjector } from '../support/projecting.ts';
import { FILE, MAPPING, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface LintOptions extends SpecOptions {
  readonly provider?: string;
  readonly api?: string;
  readonly model?: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const HELP = `
Without --policy or --spec: what the runtime kept (as_recorded) where the transcript records compactions, else raw.
A provider alone is asked by its usual API (google: Gemini contents; openai: chat completions). --api also takes chat,
responses, anthropic, gemini. Without either, whose rules apply is found out from the last answer, else from the format, the model,
the shape of the messages.
What a repair would do is shown, nothing is changed: to repair, project with the stage "hygiene".

Exit codes: 0 nothing to object to; 1 findings; 2 wrong usage; 3 the file cannot be read.`;

/** `parallax lint`. */
export function addLint(program: Command): void {
  withThinkingOptions(
    program
      .command('lint')
      .description('what a provider would refuse of the next request: pairs, ids, order, empty content, images')
      .argument(...FILE)
      .option('--provider <name>', 'the provider: anthropic, openai, google, mistral, openrouter …')
      .option(
        '--api <name>',
        'its API: anthropic-messages, openai-completions, openai-responses, google-generative-ai …',
      )
      .option('--model <id>', 'the model; some rules go by its name')
      .option('--policy <name>', 'lint what this policy or preset leaves of the history')
      .option('--spec <file-or-json>', 'lint what this spec leaves of the history')
      .option('--at <n>', 'before message N (from 0); "last" = the next request', 'last')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--json', 'the findings with their repairs as one line of JSON'),
  )
    .addHelpText('after', HELP)
    .action(lintFile);
}

async function lintFile(file: string, options: LintOptions): Promise<void> {
  checkTarget(options);
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  await reportReplayed(file, transcript, source);
  const parsed = specNotingWarnings(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  const { provider, api, model } = options;
  const target = { ...(provider !== undefined && { provider }), ...(api !== undefined && { api }) };
  const asked = { transcript, source, parsed, at, ...target, ...(model !== undefined && { model }) };
  const report = await withProjector((projector) => lintRequest(projector, asked));
  if (options.json) await writeJson(report);
  else await write(reportText(report));
  if (report.findings.length > 0) process.exitCode = EXIT.finding;
}

function checkTarget({ provider = '', api = '' }: LintOptions): void {
  const unknown = unknownName({ provider, modelApi: api });
  if (unknown === 'provider') {
    const known = TARGET_NAMES.providers.join(', ');
    throw usageFailure(`--provider is ${provider}; accepted: ${known}; for another one, name its API with --api`);
  }
  if (unknown === 'api') throw usageFailure(`--api is ${api}; accepted: ${TARGET_NAMES.apis.join(', ')}`);
}

function reportText(report: LintReport): string {
  const { findings, repairs, wire, how } = report;
  const head = `${wire} (${how}): `;
  const rules = repairs.map(({ rule, count }) => `${rule} ${grouped(count)}`).join(', ');
  const made = repairs.reduce((sum, { count }) => sum + count, 0);
  const tail = repairs.length === 0 ? '' : `The stage hygiene would make ${countOf(made, 'repair')}: ${rules}\n`;
  // What nobody refuses a profile may want otherwise, ids for one.
  if (findings.length === 0) return `${head}nothing to object to.\n${tail}`;
  const rows = table([['', 'message', 'rule', 'what is objected to', 'after hygiene'], ...findings.map(row)]);
  return `${head}${countOf(findings.length, 'finding')}\n${rows}${tail}`;
}

function row(finding: LintFinding): readonly string[] {
  const { severity, index, code, text, repair, done, advice = [] } = finding;
  const where = index === null ? 'put in' : `#${index}`;
  if (advice.length > 0) return [severity, `#${index}`, code, oneLine(text, 400), describeAdvice(advice)];
  const outcome = repair === null ? 'no rule repairs it' : `${repair}${done === null ? '' : `: ${done}`}`;
  return [severity, where, code, oneLine(text, 140), oneLine(outcome, 100)];
}

function describeAdvice(advice: NonNullable<LintFinding['advice']>): string {
  return advice.map(({ title }) => title.toLowerCase()).join('; or ');
}
