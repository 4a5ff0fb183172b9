// What a run found as the report that the command prints.
import type { ReportFormat } from '../../core/check/formats/index.ts';
import type { CheckReport, ReportedOutcome } from '../../core/check/report.ts';
import type { CheckedOutcome } from '../../core/protocol/checkTypes.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import type { CheckRun } from '../state/types.ts';

/** The report of a finished run. `name` = of the file of rules; a transcript is called by its file, as on the command line. */
export function reportOf(
  { rules, checked }: Pick<CheckRun, 'rules' | 'checked'>,
  name: string | null,
  transcripts: readonly Pick<TranscriptSummary, 'id' | 'title' | 'files'>[],
): CheckReport {
  const known = new Map(transcripts.map((one) => [one.id, one]));
  const fileOf = (id: string): string => known.get(id)?.files[0] ?? known.get(id)?.title ?? id;
  const named = Map.groupBy(checked, ({ id }) => fileOf(id));
  return {
    rulesFile: name ?? 'the rules',
    rules: rules.map(({ name: title, text, line }) => ({ name: title, text, line })),
    transcripts: checked.map(({ id, outcomes, error }) => {
      const file = fileOf(id);
      const isShared = (named.get(file)?.length ?? 0) > 1;
      const title = isShared ? `${file} ${known.get(id)?.title ?? id}` : file;
      return { name: title, file, outcomes: outcomes.map(reported), error };
    }),
  };
}

function reported({ policy: _policy, evidence: _evidence, ...outcome }: CheckedOutcome): ReportedOutcome {
  return outcome;
}

const ENDING: Readonly<Record<ReportFormat, string>> = {
  ...{ text: 'txt', json: 'json', junit: 'junit.xml', sarif: 'sarif', github: 'txt' },
};

/** `agent.results.sarif` for the rules of `agent.rules.yaml`. */
export function resultsName(name: string | null, format: ReportFormat): string {
  const stem = (name ?? 'parallax').replace(/\.(?:ya?ml|json)$/i, '').replace(/\.rules$/i, '');
  return `${stem}.results.${ENDING[format]}`;
}
