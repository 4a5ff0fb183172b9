import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { figureSign } from '../../core/model/figureSign.ts';
import { policyName } from '../../core/projection/policyName.ts';
import { allPresets, PRESETS } from '../../core/projection/presets.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { PresetFigure } from '../../core/protocol/types.ts';
import { countOf } from '../../core/util/counts.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { checkFile, wholeNumber } from '../support/arguments.ts';
import { withEngine } from '../support/engine.ts';
import { inputFailure } from '../support/failure.ts';
import { grouped, note, table, write, writeJson } from '../support/output.ts';
import { callPointOf, checkPlace } from '../support/projecting.ts';
import { type SpecOptions, specOf } from '../support/spec.ts';
import { keptCell, withThinking, withThinkingOptions } from '../support/thinking.ts';

interface PresetsOptions extends SpecOptions {
  readonly at?: string;
  readonly window?: number;
  readonly afterRecorded?: boolean;
  readonly json?: boolean;
}

const HELP = `
Each line: tokens of the request at --at, what it leaves of the window, the largest request of all call points, what the
input of the session costs (cache included), requests at which the cache breaks, what becomes of signed thinking in the
request (yes; drops n; 400 = the provider would refuse it; – = the model does not check), and the first call that does not fit.
--json prints a line of JSON each, as the app's table has it: {"name", "title", "tokens", "beside", "total", "fits",
"thinking", "firstOver", "sums": {"peak", "breaks", "cost", "thinking"}}.

Exit codes: 0 done; 2 wrong usage; 3 unreadable.`;

/** `parallax presets`. */
export function addPresets(program: Command): void {
  withThinkingOptions(
    program
      .command('presets')
      .description('all presets side by side on one session: tokens, peak, cost, cache breaks, first call over')
      .argument('<FILE>', 'a transcript of any known format')
      .option('--policy <name>', 'another policy, as the first line')
      .option('--spec <file-or-json>', 'the same, as a spec')
      .option('--at <n>', 'tokens before message N (from 0); "last" = the next request', 'last')
      .option('--window <tokens>', 'in place of the window of the model', wholeNumber('--window', 1))
      .option('--after-recorded', 'the presets on what recorded compactions kept')
      .option('--json', 'one line of JSON a policy'),
  )
    .addHelpText('after', HELP)
    .action(presetsOf);
}

async function presetsOf(file: string, options: PresetsOptions): Promise<void> {
  const isChosen = options.policy !== undefined || options.spec !== undefined;
  const spec = isChosen ? specOf(options).spec : null;
  const thinking = withThinking({ version: 1, stages: [] }, options).preserved_thinking;
  checkPlace(options.at);
  await checkFile(file);
  // A separate library: the figures are the app's, and the person's library stays as it is.
  const library = await mkdtemp(join(tmpdir(), 'parallax-presets-'));
  try {
    const figures = await withEngine({ library }, async (engine) => {
      const { id, messages } = await opened(engine, resolve(file));
      const at = callPointOf(options.at, messages);
      const answer = await engine.call('budget.presets', {
        ...{ id, at, sums: true, afterRecorded: options.afterRecorded ?? false },
        ...(options.window !== undefined && { window: options.window }),
        ...(thinking !== undefined && { thinking }),
        ...(spec !== null && {
          policies: [{ name: 'policy', title: policyName(spec, allPresets(PRESETS)) ?? 'This policy', spec }],
        }),
      });
      return answer.figures;
    });
    if (options.json) for (const figure of figures) await writeJson(figure);
    else await write(table([HEAD, ...figures.map(rowOf)], [1, 2, 3, 4, 5]));
  } finally {
    await rm(library, { recursive: true, force: true });
  }
}

/** Imports the file, and waits until its tokens are counted, and by which line. */
async function opened(engine: EngineClient, path: string) {
  const { jobId } = await engine.call('import.start', { paths: [path] });
  const { outcomes } = await engine.call('import.result', { jobId });
  const [first, ...others] = outcomes.flatMap(({ transcripts }) => transcripts);
  if (first === undefined) throw inputFailure(outcomes[0]?.error?.text ?? `${path} holds no transcript`);
  if (others.length > 0) note(`the first of ${countOf(others.length + 1, 'transcript')}`);
  for (;;) {
    const changed = new Promise<void>((done) => {
      const stop = engine.on('transcript', ({ id }) => {
        if (id !== first.id) return;
        stop();
        done();
      });
    });
    const { messages } = await engine.call('transcript.open', { id: first.id });
    const raw = { id: first.id, spec: 'raw', at: null, hash: 'none' } as const;
    if ((await engine.call('projection.set', raw)).final) return { id: first.id, messages };
    await changed;
  }
}

const HEAD = ['Policy', 'Tokens', 'Left', 'Peak', 'Input cost', 'Breaks', 'Thinking kept', 'First call over', 'Name'];

function rowOf({ name, title, tokens, beside, total, problem, sums, firstOver, thinking }: PresetFigure): string[] {
  if (tokens === null) return [title, '–', '–', '–', '–', '–', '–', problem ?? '', name];
  const sign = figureSign(tokens.provenance);
  const count = (value: number) => `${sign}${value < 0 ? '−' : ''}${grouped(Math.abs(value))}`;
  const whole = tokens.total + beside;
  const cost = sums?.cost ?? null;
  return [
    title,
    count(whole),
    total === null ? '–' : count(total - whole),
    sums ? count(sums.peak.tokens) : '–',
    cost === null ? '–' : partialSum(`${sign}${dollarsText(cost)}`, sums?.unpriced ?? 0),
    sums ? grouped(sums.breaks) : '–',
    keptCell(thinking),
    firstOver === undefined ? 'no window known' : firstOver === null ? 'every call fits' : `#${firstOver.at}`,
    name,
  ];
}
