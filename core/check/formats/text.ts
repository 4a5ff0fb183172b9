import { type CheckedTranscript, type CheckReport, countVerdicts } from '../report.ts';
import type { Verdict } from '../types.ts';

const SIGNS: Readonly<Record<Verdict, string>> = { failed: 'FAILED', passed: 'passed', unchecked: 'not checked' };
const ORDER: readonly Verdict[] = ['failed', 'unchecked', 'passed'];

/** The report for people: failures first. */
export function toText(report: CheckReport): string {
  const many = report.transcripts.length > 1;
  const blocks = report.transcripts.map((transcript) => block(report, transcript, many));
  const { passed, failed, unchecked, unreadable } = countVerdicts(report);
  const counts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${passed} passed`,
    ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
    ...(unreadable > 0 ? [`${unreadable} unreadable`] : []),
  ];
  return `${blocks.join('')}${many ? '\n' : ''}${counts.join(', ')}\n`;
}

function block({ rules, rulesFile }: CheckReport, { name, outcomes, error }: CheckedTranscript, many: boolean): string {
  if (error !== null) return `${name}: ${error}\n`;
  // Of many transcripts what passed is only counted.
  const shown = many ? outcomes.filter(({ verdict }) => verdict === 'failed') : outcomes;
  const sorted = ORDER.flatMap((verdict) => shown.filter((outcome) => outcome.verdict === verdict));
  const lines = sorted.map(({ rule, verdict, found, line }) => {
    const { name: title = '', text = '', line: at = null } = rules[rule] ?? {};
    const places = [...(at === null ? [] : [`${rulesFile}:${at}`]), ...(line === null ? [] : [`line ${line}`])];
    const said = title === text ? text : `${title}: ${text}`;
    const where = verdict === 'failed' && places.length > 0 ? `  (${places.join(', ')})` : '';
    return `  ${SIGNS[verdict].padEnd(11)}  ${said}: ${found}${where}\n`;
  });
  if (many && lines.length === 0) return '';
  return `${name}\n${lines.join('')}`;
}
