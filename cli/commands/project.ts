import type { Command } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { acpNotification, acpUpdate, harnMetadata } from '../../core/projection/harnResult.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { type FilteredRow, filteredRows, filterOf } from '../support/filtering.ts';
import { readTranscript } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { reportReplayed } from '../support/lineage.ts';
import { ndjson } from '../support/ndjson.ts';
import { grouped, table, write, writeJson } from '../support/output.ts';
import { callPointOf, withProjector } from '../support/projecting.ts';
import { projectReport } from '../support/projectReport.ts';
import { type ProjectRequest, projectRequest, resultValue } from '../support/result.ts';
import { MAPPING, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specFor, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface ProjectOptions extends SpecOptions {
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
  readonly acp?: boolean;
  readonly ndjson?: boolean;
  readonly filter?: string;
  readonly tokens: boolean;
}

const HELP = `
Exit codes: 0 done; 1 a stage reported an error (user code that failed); 2 wrong usage; 3 the file cannot be read.

Without --policy or --spec: what the runtime kept (as_recorded) where the transcript records compactions, else raw.

The budget of a spec: {"window" or "model", "reserve_output", "injection_reserve", "overhead", "caps"}. overhead = tokens
that requests hold and the transcript does not record (system prompt, tools); parallax usage tells it where it can.

--ndjson reads one request a line from FILE (default: stdin) and answers one line each, in order:
  {"id": 1, "messages": [...], "spec": "clean_tool_repair"}
  {"id": 2, "transcript": {"messages": [...], "summary": "..."}, "spec": {"policy": "summary_prefix"}, "at": 12}
  "model" names the model, "system" and "tools" the overhead: they count against its window.
  → {"id": 1, "result": {...}} or {"id": 2, "error": {"code": "...", "message": "..."}}
--policy or --spec is the spec of requests that bring none. It then exits with 0 whatever the lines said.`;

/** `parallax project`. */
export function addProject(program: Command): void {
  withThinkingOptions(
    program
      .command('project')
      .description('project a transcript: what the next model request would contain under a policy')
      .argument('[FILE]', 'a transcript of any known format; - = stdin')
      .option(...POLICY)
      .option(...SPEC)
      .option(
        '--policy-scopes <file-or-json>',
        'policies behind a context policy: {"transcript": {…}, "workspace": {…}}',
      )
      .option('--at <n>', 'project before message N (from 0); "last" = the next request', 'last')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--json', 'the whole result as one line of JSON')
      .option('--acp', 'the projection as a host is sent it: a session/update (ACP)')
      .option('--ndjson', 'many requests, one a line')
      .option('--filter <expr>', 'also list the rows that fit, for example "fate:dropped used:later" (docs/filter.md)')
      .option('--no-tokens', 'do not count tokens'),
  )
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, options: ProjectOptions) => {
      if (options.ndjson) await ndjson(file ?? '-', options);
      else if (file === undefined) throw usageFailure('name a FILE to project (- = stdin)');
      else await projectFile(file, options);
    });
}

async function projectFile(file: string, options: ProjectOptions): Promise<void> {
  const chosen = specOf(options);
  const filter = options.filter === undefined ? null : filterOf(options.filter);
  const { transcript, format } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specFor(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  const request: ProjectRequest = { source, parsed, at, about: aboutOf(transcript), tokens: options.tokens };
  const reported = await reportReplayed(file, transcript, source);
  await withProjector(async (projector) => {
    const projected = await projectRequest(projector, request);
    const outcome = { ...projected, problems: [...projected.problems, ...reported] };
    const { title } = transcript.meta;
    const { projection } = outcome;
    const filtered = { transcript, source, parsed, projection, tokens: options.tokens };
    const rows = filter && (await filteredRows(projector, filter, filtered));
    const named = { key: transcript.key, format, title: title ?? null, messages: source.length };
    if (options.acp) {
      const metadata = harnMetadata({
        source,
        projection: outcome.projection,
        stages: parsed.stages,
        hash: outcome.hash,
      });
      await writeJson(acpNotification(transcript.meta.sessionId ?? transcript.key, acpUpdate(metadata)));
    } else if (options.json) {
      await writeJson({ transcript: named, ...resultValue(request, outcome), ...(rows && { rows: rows.rows }) });
    } else {
      await write(projectReport(named, request, outcome));
      if (rows) await write(`\n${rowsText(rows.rows, rows.of)}`);
    }
    if (projected.problems.some((problem) => problem.severity === 'error')) process.exitCode = EXIT.finding;
  });
}

const LISTED = 40;

function rowsText(rows: readonly FilteredRow[], of: number): string {
  const shown = rows.slice(0, LISTED).map(({ index, part, role, kind, tool, fate, tokens }) => {
    return [`#${index}.${part}`, role, kind, tool ?? '', fate, tokens === null ? '' : grouped(tokens)];
  });
  const more = rows.length - shown.length;
  const head = ['row', 'role', 'kind', 'tool', 'outcome', 'tokens'];
  return [
    `${grouped(rows.length)} of ${grouped(of)} rows fit\n`,
    shown.length === 0 ? '' : table([head, ...shown], [5]),
    more > 0 ? `and ${grouped(more)} more (--json lists all)\n` : '',
  ].join('');
}
