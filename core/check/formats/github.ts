// Workflow commands of GitHub Actions: an annotation for each rule that failed.
import type { CheckReport } from '../report.ts';

/** A line for each failure and each file that could not be read. */
export function toGithub({ rules, transcripts }: CheckReport): string {
  return transcripts
    .flatMap(({ name, file, outcomes, error }) => [
      ...(error === null ? [] : [command({ file }, `${name}: ${error}`)]),
      ...outcomes.flatMap(({ rule, verdict, found, line }) => {
        if (verdict !== 'failed') return [];
        const { name: title = '', text = '' } = rules[rule] ?? {};
        return [command({ file, ...(line !== null && { line: String(line) }), title }, `${text}: ${found}`)];
      }),
    ])
    .join('');
}

function command(properties: Readonly<Record<string, string>>, message: string): string {
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  return `::error ${listed.join(',')}::${data(message)}\n`;
}

// As actions/toolkit escapes them: otherwise a line of a transcript could be a command.
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
