// npm run formats:attachments [-- FILE…]   The attachments of Claude Code sessions (by default the visible corpus) by
// kind: whether the model was sent them, as what they are shown, and how often. Exit code 1 if one became both, or neither.
import { readFileSync } from 'node:fs';
import { importText } from '../core/importers/memory.ts';
import { provenanceWords } from '../core/model/provenance.ts';
import { isRecord, recordAt, stringAt } from '../core/util/unknown.ts';
import { corpusFiles } from './support/shared.ts';

const files = process.argv.length > 2 ? process.argv.slice(2) : corpusFiles('claude-code');
if (files.length === 0) {
  console.error('There is no corpus beside this checkout: name files.');
  process.exit(2);
}

const counts = new Map<string, number>();
const odd: string[] = [];
for (const path of files) readSession(path);

const rows = [...counts]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, count]) => [...key.split('\t'), String(count)]);
const table = [['attachment', 'became', 'shown as', 'count'], ...rows];
const widths = [0, 1, 2, 3].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
for (const row of table) {
  console.log(
    row.map((cell, at) => (at === 3 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  '),
  );
}
const sum = (became: string) => rows.reduce((total, [, as, , count]) => total + (as === became ? Number(count) : 0), 0);
console.log(`\n${sum('message')} messages, ${sum('event')} events; both or neither: ${odd.length}`);
for (const line of odd) console.log(`  ${line}`);
process.exitCode = odd.length > 0 ? 1 : 0;

function readSession(path: string): void {
  const text = readFileSync(path, 'utf8');
  const { transcripts } = importText(text);
  const messages = new Map(
    transcripts.flatMap(({ messages: all }) =>
      all.flatMap(({ meta, origins }) => origins.map(({ line }) => [line, meta.provenance] as const)),
    ),
  );
  const events = new Map(
    transcripts.flatMap(({ events: all }) => all.map((event) => [event.origin.line, event.text] as const)),
  );
  for (const [at, row] of text.split('\n').entries()) {
    const kind = kindOf(row);
    if (kind === null) continue;
    const [provenance, event] = [messages.get(at + 1), events.get(at + 1)];
    if ((provenance === undefined) === (event === undefined)) odd.push(`${path}:${at + 1}: ${kind}`);
    const shown = provenance ? provenanceWords(provenance).label : (event ?? '').replace(/^[^:]*: /, '');
    const key = `${kind}\t${provenance ? 'message' : 'event'}\t${shown}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

// Lines that are broken have no kind.
function kindOf(row: string): string | null {
  if (!row.includes('"attachment"')) return null;
  const record: unknown = JSON.parse(row);
  const attachment = isRecord(record) && record.type === 'attachment' ? recordAt(record, 'attachment') : undefined;
  if (attachment === undefined) return null;
  const mode = stringAt(attachment, 'commandMode');
  return `${stringAt(attachment, 'type')}${mode === undefined ? '' : ` (${mode})`}`;
}
