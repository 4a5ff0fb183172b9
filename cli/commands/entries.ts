import type { Command } from 'commander';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { type CorrelatedEntry, type Correlation, correlate, type Wanted } from '../../core/insight/correlate.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { grouped, note, table, write, writeJson } from '../support/output.ts';
import { withProjector } from '../support/projecting.ts';
import { projectRequest } from '../support/result.ts';
import { FILE, MAPPING, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';

interface EntriesOptions extends SpecOptions {
  readonly request?: string;
  readonly call?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

/** The projection of a call: what its request was made of. */
interface CallProjection {
  readonly at: number;
  readonly messages: number;
  readonly prefix_hash: string;
}

const HELP = `
A request is an ask with all it led to, or what the tool calls a request; a call is one call of the model, by its own id,
that of its answer, or that of a tool call in it. Messages are tied by the ids that the transcript records, results also
by the calls they answer. Of a call, what came before it is projected under --policy or --spec.

Exit codes: 0 done; 1 the transcript names no such id; 2 wrong usage; 3 the file cannot be read.`;

/** `parallax entries`. */
export function addEntries(program: Command): void {
  program
    .command('entries')
    .description('list all messages of a request or of one call of the model, and what the call was made of')
    .argument(...FILE)
    .option('--request <id>', 'the request’s id')
    .option('--call <id>', 'the call’s id')
    .option(...POLICY)
    .option(...SPEC)
    .option(...TRANSCRIPT)
    .option(...MAPPING)
    .option('--json', 'the result as one line of JSON')
    .addHelpText('after', HELP)
    .action(listEntries);
}

async function listEntries(file: string, options: EntriesOptions): Promise<void> {
  const wanted = wantedOf(options);
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const meta = (index: number) => transcript.messages[index]?.meta ?? {};
  const { length } = source;
  const found = correlate(wanted, { length, facts: (index) => source.facts(index), meta });
  const projection = wanted.kind === 'call' ? await projectionOf(found, transcript, source, chosen, options) : null;
  if (options.json) await writeJson({ ...found, projection });
  else await write(reportOf(found, projection));
  if (found.entries.length > 0) return;
  note(`${file} names no ${wanted.kind} ${options.request ?? options.call ?? ''}`);
  process.exitCode = EXIT.finding;
}

function wantedOf({ request, call }: EntriesOptions): Wanted {
  if (request !== undefined && call === undefined) return { kind: 'request', requestId: request };
  if (call !== undefined && request === undefined) return { kind: 'call', callId: call };
  throw usageFailure('give --request or --call, one of them');
}

async function projectionOf(
  { at }: Correlation,
  transcript: ImportedTranscript,
  source: MemoryTranscript,
  chosen: ReturnType<typeof specOf>,
  options: EntriesOptions,
): Promise<CallProjection | null> {
  if (at === null) return null;
  const parsed = specNotingWarnings(chosen, options, source);
  return withProjector(async (projector) => {
    const request = { source, parsed, at, about: aboutOf(transcript), tokens: false };
    const { projection, hash } = await projectRequest(projector, request);
    return { at, messages: projection.view.items.length, prefix_hash: hash };
  });
}

function reportOf({ entries, callIds, at }: Correlation, projection: CallProjection | null): string {
  if (entries.length === 0) return '';
  const rows = entries.map(rowOf);
  const lines = [
    ['calls', callIds.join(', ') || 'none is named'],
    ['made of', at === null ? '' : `the messages before #${at} (parallax project --at ${at})`],
    ...(projection === null
      ? []
      : [['projected', `${grouped(projection.messages)} messages, prefix ${projection.prefix_hash}`]]),
  ];
  return `${table(rows)}${table(lines)}`;
}

function rowOf(entry: CorrelatedEntry): string[] {
  const { index, role, origin, kinds, via, requestId, callId, toolCallIds, iteration } = entry;
  const refs = [
    requestId !== null && `request ${requestId}`,
    callId !== null && `call ${callId}`,
    iteration !== null && `iteration ${iteration}`,
    toolCallIds.length > 0 && `tools ${toolCallIds.join(', ')}`,
  ];
  return [
    `#${index}`,
    origin === null ? role : `${role}, ${origin}`,
    kinds.join('+'),
    via,
    refs.filter(Boolean).join(' · '),
  ];
}
