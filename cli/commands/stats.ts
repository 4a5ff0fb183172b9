import { countOf } from '../../core/util/counts.ts';
// `parallax stats`: what the transcripts of a library come to, by day, project, model and tool, and what was found in them.

import { type Command, Option } from 'commander';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { StatFigures, StatsInfo } from '../../core/protocol/types.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { checkLibraryFilter } from '../support/libraryFilter.ts';
import { grouped, note, oneLine, table, write, writeJson } from '../support/output.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

const BY = ['day', 'project', 'model', 'tool', 'finding'] as const;

interface StatsOptions extends LibraryOptions {
  readonly filter?: string;
  readonly by: (typeof BY)[number];
  readonly zone: string;
  readonly look: boolean;
  readonly json?: boolean;
}

const HELP = `
Figures are recorded ones: tokens and cost of requests and answers as the transcripts have them, with today's price table. Transcripts without
recorded usage are counted, and not in them. A finding is of the day of its message, and of the model of the request before it.
A transcript is counted on every day that it was active. Transcripts are looked through first (--no-look: only what was looked
through before counts).

--json prints one object: {"of", "looked", "due", "failed", "copies", "bundles", "total", "days", "projects", "models", "tools", "findings"}.

Exit codes: 0 done; 2 wrong usage; 3 the library cannot be read.`;

/** `parallax stats`. */
export function addStats(program: Command): void {
  program
    .command('stats')
    .description('what the transcripts of the library come to: requests, tokens, cost, tools, findings')
    .option(...LIBRARY)
    .option(
      '--filter <query>',
      'only those that fit, as above the list: project:name after:7d finding:any (docs/filter.md)',
    )
    .addOption(new Option('--by <what>', 'what the table has a line for').choices(BY).default('day'))
    .option('--zone <name>', 'the time zone whose days are meant', Intl.DateTimeFormat().resolvedOptions().timeZone)
    .option('--no-look', 'do not look through what is new')
    .option('--json', 'everything as one line of JSON')
    .addHelpText('after', HELP)
    .action(stats);
}

async function stats(options: StatsOptions): Promise<void> {
  const { filter = '', zone, by, look, json } = options;
  checkLibraryFilter(filter);
  const info = await withEngine(options, async (engine) => {
    if (look) await lookThrough(engine);
    return engine.call('library.stats', { filter, zone });
  });
  if (json) return writeJson(info);
  await write(`${sentence(info)}\n\n${linesOf(info, by)}`);
  if (info.due > 0) note(`${info.due} not looked through yet: they have no findings, tools or tokens here`);
}

/** Resolves when everything there is was looked through. */
async function lookThrough(engine: EngineClient): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    engine.on('job', ({ kind, state }) => {
      if (kind === 'survey' && state !== 'queued' && state !== 'running') resolve();
    });
  });
  if ((await engine.call('survey.start', {})).looks) await ended;
}

function sentence({ total, of, copies, bundles }: StatsInfo): string {
  const cost =
    total.cost === null
      ? ''
      : `, ${partialSum(dollarsText(total.cost), total.unpriced)} as recorded, of ${countOf(total.pricedTranscripts, 'transcript')}`;
  const tokens = total.input === null ? '' : `, ${grouped(total.input)} input tokens recorded`;
  const twice =
    copies === 0
      ? ''
      : `\n${countOf(copies, 'transcript')} with the beginning of another one, which is counted in both`;
  const left = bundles === 0 ? '' : `\n${countOf(bundles, 'bundle')} left out`;
  return `${grouped(total.transcripts)} of ${countOf(of, 'transcript')}, ${countOf(total.requests, 'request')}${tokens}${cost}, ${countOf(total.findings, 'finding')}${twice}${left}`;
}

function linesOf(info: StatsInfo, by: StatsOptions['by']): string {
  switch (by) {
    case 'tool':
      return table(
        [
          ['tool', 'calls', 'errors', 'transcripts'],
          ...info.tools.groups.map(({ name, calls, errors, transcripts }) => [
            oneLine(name, 60),
            grouped(calls),
            grouped(errors),
            grouped(transcripts),
          ]),
        ],
        [1, 2, 3],
      );
    case 'finding':
      return table(
        [
          ['finding', 'count', 'transcripts'],
          ...info.findings.map(({ kind, count, transcripts }) => [kind, grouped(count), grouped(transcripts)]),
        ],
        [1, 2],
      );
    default: {
      const { groups } = info[`${by}s`];
      const head = [by, 'transcripts', 'requests', 'input', 'from cache', 'output', 'cost', 'findings'];
      return table(
        [head, ...groups.map(({ value, figures }) => [oneLine(value, 60) || '(none)', ...cells(figures)])],
        [1, 2, 3, 4, 5, 6, 7],
      );
    }
  }
}

function cells({ transcripts, requests, input, cacheRead, output, cost, unpriced, findings }: StatFigures): string[] {
  const share =
    input === null || cacheRead === null || input === 0 ? '–' : `${((100 * cacheRead) / input).toFixed(1)}%`;
  const count = (value: number | null) => (value === null ? '–' : grouped(value));
  return [
    ...[grouped(transcripts), grouped(requests), count(input), share, count(output)],
    ...[cost === null ? '–' : partialSum(dollarsText(cost), unpriced), grouped(findings)],
  ];
}
