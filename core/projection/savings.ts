import type { StageReport } from '../view/types.ts';
import { grouped } from '../view/words.ts';

/**
 * Reports whose summaries say what a stage saved by the same count as everything else. Stages say it by their own rule (a
 * quarter of the characters, texts without their frame); that figure stays in `reclaimedTokens`. `saved` = by position of
 * the stage; null = not known.
 */
export function withSavings(
  reports: readonly StageReport[],
  saved: readonly (number | null)[],
): readonly StageReport[] {
  return reports.map((report) => {
    const tokens = saved[report.stage] ?? null;
    if (tokens === null || tokens <= 0) return report;
    const phrases = [report.reclaimedTokens, Math.floor(report.reclaimedChars / 4)].map(
      (own) => `−${grouped(own)} tok`,
    );
    const end = phrases.find((words) => report.summary.endsWith(` · ${words}`));
    if (end === undefined) return report;
    return { ...report, summary: `${report.summary.slice(0, -end.length)}−${grouped(tokens)} tok` };
  });
}
