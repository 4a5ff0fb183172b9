// SARIF 2.1.0, as code scanning reads it: a result for each rule that failed, at the line of the transcript.
import type { CheckedTranscript, CheckReport, ReportedRule } from '../report.ts';

/** The report as one SARIF log. `version` = of this program. */
export function toSarif(report: CheckReport, version: string): unknown {
  const { rules, transcripts } = report;
  const ids = rules.map(ruleId);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'parallax',
            semanticVersion: version,
            rules: rules.map(({ name, text }, at) => ({
              id: ids[at],
              name: ids[at],
              shortDescription: { text: name },
              fullDescription: { text },
              defaultConfiguration: { level: 'error' },
            })),
          },
        },
        results: transcripts.flatMap((transcript) => resultsOf(transcript, report, ids)),
        invocations: [
          {
            executionSuccessful: transcripts.every(({ error }) => error === null),
            toolExecutionNotifications: transcripts.flatMap(({ file, error }) =>
              error === null ? [] : [{ level: 'error', message: { text: error }, locations: [location(file, null)] }],
            ),
          },
        ],
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
}

function resultsOf({ file, outcomes }: CheckedTranscript, { rules }: CheckReport, ids: readonly string[]) {
  return outcomes.flatMap(({ rule, verdict, found, line }) => {
    if (verdict === 'passed') return [];
    const text = `${rules[rule]?.text ?? ''}: ${found}`;
    const about = { ruleId: ids[rule], ruleIndex: rule, message: { text }, locations: [location(file, line)] };
    if (verdict === 'failed') return [{ ...about, level: 'error', kind: 'fail' }];
    return [{ ...about, level: 'none', kind: 'notApplicable' }];
  });
}

function location(file: string, line: number | null) {
  const artifactLocation = { uri: file.split(/[\\/]/).map(encodeURIComponent).join('/') };
  return { physicalLocation: { artifactLocation, ...(line !== null && { region: { startLine: line } }) } };
}

/** Stable as long as the rule's name or text is: code scanning follows a result by it. */
export function ruleId({ name }: ReportedRule, at: number, all: readonly ReportedRule[]): string {
  const id = slug(name) || `rule-${at + 1}`;
  const isTaken = all.slice(0, at).some((other) => slug(other.name) === id);
  return isTaken ? `${id}-${at + 1}` : id;
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}
