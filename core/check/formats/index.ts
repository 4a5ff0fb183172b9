// A report of checks in the formats that people and CI systems read: what the command prints and the app saves.
import { type CheckReport, countVerdicts } from '../report.ts';
import { toGithub } from './github.ts';
import { toJunit } from './junit.ts';
import { toSarif } from './sarif.ts';
import { toText } from './text.ts';

/** All formats, by the name `--format` takes. */
export const REPORT_FORMATS = ['text', 'json', 'junit', 'sarif', 'github'] as const;

/** A format of a report. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The report as the text of a file. `version` = of this program. */
export function reportText(report: CheckReport, format: ReportFormat, version: string): string {
  switch (format) {
    case 'text':
      return toText(report);
    case 'junit':
      return toJunit(report);
    case 'github':
      return toGithub(report);
    case 'sarif':
      return `${JSON.stringify(toSarif(report, version), null, 2)}\n`;
    case 'json':
      return `${JSON.stringify({ ...report, counts: countVerdicts(report) })}\n`;
  }
}
