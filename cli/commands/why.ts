import type { Command } from 'commander';
import { stageInputs } from '../../core/engine/requests/index.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { type Why, WhyRecorder } from '../../core/insight/why.ts';
import { parseMessage } from '../../core/model/decode.ts';
import { partText } from '../../core/model/partText.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { standsInView } from '../../core/view/fates.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { Fate } from '../../core/view/types.ts';
import { EXIT } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { callPointOf, noSuchMessage, withProjector } from '../support/projecting.ts';
import { FILE, MAPPING, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface WhyOptions extends SpecOptions {
  readonly message: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const WORDS = 400;

/** `parallax why`. */
export function addWhy(program: Command): void {
  withThinkingOptions(
    program
      .command('why')
      .description('what became of a message, and what each stage had to say to it: rule, value, threshold')
      .argument(...FILE)
      .requiredOption('--message <n>', 'the message with this number (from 0)')
      .option(...POLICY)
      .option(...SPEC)
      .option('--at <n>', 'before message N (from 0); "last" = the next request', 'last')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--json', 'the answer as one line of JSON')
      .addHelpText(
        'after',
        '\nExit codes: 0 it is in the request, changed or not; 1 it is not; 2 wrong usage; 3 unreadable.',
      ),
  ).action(whyFile);
}

async function whyFile(file: string, options: WhyOptions): Promise<void> {
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  const index = messageOf(options.message, source, file);
  const recorder = new WhyRecorder(index);
  const inputs = await stageInputs(source, parsed, aboutOf(transcript));
  const projection = await withProjector((projector) =>
    projector.project(source, parsed.stages, at, createMemo(), { ...inputs, observe: recorder.observe }),
  );
  const why = recorder.answer(projection);
  if (options.json) await writeJson({ ...why, spec: parsed.spec });
  else await write(whyText(why, source));
  if (why.fate === null || !standsInView(why.fate.kind)) process.exitCode = EXIT.finding;
}

function messageOf(given: string, source: TranscriptSource, file: string): number {
  const index = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (index < source.length) return index;
  throw noSuchMessage(given, source.length, file);
}

function whyText(why: Why, source: TranscriptSource): string {
  const next = why.at === source.length ? 'the next request' : `before message ${why.at}`;
  const head = [
    ['message', `#${why.index} ${excerpt(source, why.index)}`],
    ['at', `${next} (${grouped(source.length)} messages)`],
    ['fate', why.fate === null ? 'not there yet: it comes after this call point' : fateText(why.fate)],
  ];
  if (why.fate === null || why.stages.length === 0) return table(head);
  const rows = why.stages.map(({ stage, title, enabled, fate }) => {
    const words = fate === null ? (enabled ? 'gone before it' : 'off') : fateText(fate);
    return [String(stage + 1), title, words];
  });
  return `${table(head)}\nStage by stage\n${table(rows, [0])}${partLines(why.fate)}`;
}

function excerpt(source: TranscriptSource, index: number): string {
  const message = parseMessage(source.text(index));
  const facts = source.facts(index);
  const texts = facts.parts.map((part) => `${part.name ?? ''} ${partText(message, part)}`.trim());
  return `${facts.role}: ${oneLine(texts.join(' '), 100)}`;
}

function fateText({ kind, rule, reason }: Fate): string {
  const words = reason.startsWith(`${kind}: `) ? reason.slice(kind.length + 2) : reason;
  return `${kind}${rule === null ? '' : ` (${rule})`}: ${oneLine(words, WORDS)}`;
}

function partLines({ parts = [] }: Fate): string {
  if (parts.length < 2) return '';
  const rows = parts.map(({ part, kind, reason }) => [`part ${part + 1}`, kind, oneLine(reason, WORDS)]);
  return `\nParts\n${table(rows)}`;
}
