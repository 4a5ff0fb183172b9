// JUnit XML by the schema that Jenkins publishes, which GitLab and most CI systems read: a suite for each transcript, a case
// for each rule. The schema has no place for a file and line: they begin the text of a failure.
import { type CheckedTranscript, type CheckReport, countVerdicts } from '../report.ts';

/** The report as one XML document. */
export function toJunit(report: CheckReport): string {
  const { passed, failed, unchecked, unreadable } = countVerdicts(report);
  const tests = passed + failed + unchecked + unreadable;
  const head = `<testsuites name="parallax check" tests="${tests}" failures="${failed}" errors="${unreadable}">`;
  const suites = report.transcripts.map((transcript) => suite(report, transcript));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join('')}</testsuites>\n`;
}

function suite(report: CheckReport, { name, file, outcomes, error }: CheckedTranscript): string {
  const of = (verdict: string): number => outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const errors = error === null ? 0 : 1;
  const counts = `tests="${outcomes.length + errors}" failures="${of('failed')}" errors="${errors}" skipped="${of('unchecked')}"`;
  const cases = outcomes.map(({ rule, verdict, found, line }) => {
    const { name: title = '', text = '' } = report.rules[rule] ?? {};
    const open = `    <testcase name="${attribute(title)}" classname="${attribute(name)}" time="0"`;
    if (verdict === 'passed') return `${open}/>\n`;
    if (verdict === 'unchecked') return `${open}>\n      <skipped>${content(found)}</skipped>\n    </testcase>\n`;
    const said = content(`${file}${line === null ? '' : `:${line}`}: ${found}`);
    const failure = `<failure message="${attribute(`${text}: ${found}`)}" type="check">${said}</failure>`;
    return `${open}>\n      ${failure}\n    </testcase>\n`;
  });
  const unread =
    error === null
      ? ''
      : `    <testcase name="can be read" classname="${attribute(name)}" time="0">\n      <error message="${attribute(error)}" type="unreadable">${content(`${file}: ${error}`)}</error>\n    </testcase>\n`;
  return `  <testsuite name="${attribute(name)}" ${counts} time="0">\n${cases.join('')}${unread}  </testsuite>\n`;
}

// XML 1.0 cannot hold these at all, not even as references.
const UNSAYABLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function content(text: string): string {
  return text.replace(UNSAYABLE, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function attribute(text: string): string {
  return content(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}
