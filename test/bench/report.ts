import type { BenchReport } from './run.ts';
import type { BenchRow } from './types.ts';

const HEAD = ['group', 'what', 'value', 'against', 'ratio', 'aim', 'ok', 'note'] as const;

/** A table for the terminal: columns padded, numbers to the right. */
export function textTable(rows: readonly BenchRow[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const isNumber = (column: number) => column === 2 || column === 4;
  return cells
    .map((line) =>
      line
        .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The report as a Markdown page, with the machine it was measured on. */
export function markdownReport(report: BenchReport): string {
  const { machine } = report;
  const about = [
    `${report.at}, ${report.commit}${report.quick ? ', quick' : ''}`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}, Node ${machine.node}, load ${machine.load}`,
  ];
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const table = [line(HEAD), line(HEAD.map(() => '---')), ...report.rows.map((row) => line(cellsOf(row)))];
  return `# Bench\n\n${about.map((text) => `- ${text}`).join('\n')}\n\n${table.join('\n')}\n`;
}

function cellsOf(row: BenchRow): readonly string[] {
  const value = row.unit === '' ? '' : `${figure(row.value)} ${row.unit}`;
  const ratio = row.ratio === undefined ? '' : `${figure(row.ratio)} ×`;
  const ok = row.ok === undefined ? '' : row.ok ? 'yes' : 'NO';
  return [row.group, row.name, value, row.against ?? '', ratio, row.aim ?? '', ok, row.note ?? ''];
}

/** Three digits that count. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
