import type { StageReport } from '../../core/view/types.ts';

/** The stages that ran, in order; those that are off or were refused are named as such behind. */
export function policyLine(
  reports: readonly Pick<StageReport, 'title' | 'enabled' | 'blockedBy' | 'problems'>[],
): string {
  const off = reports.filter(({ enabled }) => !enabled);
  const refused = reports.filter((report) => report.enabled && isRefused(report));
  const ran = reports.filter((report) => report.enabled && !isRefused(report));
  const titles = (some: readonly { readonly title: string }[]) => some.map(({ title }) => title);
  const words = [titles(ran).join(' → ') || 'Raw: no stage changed anything'];
  if (refused.length > 0) words.push(`refused: ${titles(refused).join(', ')}`);
  if (off.length > 0) words.push(`off: ${titles(off).join(', ')}`);
  return words.join('; ');
}

// What came of it was not used: provider safety forbids it, or the user's code failed.
function isRefused({ blockedBy, problems }: Pick<StageReport, 'blockedBy' | 'problems'>): boolean {
  return blockedBy !== null || problems.some(({ severity }) => severity === 'error');
}
