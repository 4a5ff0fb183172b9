import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { leakPlace, leaksIn } from '../../core/scrub/finished.ts';
import { KIND_GROUPS, KINDS } from '../../core/scrub/kinds.ts';
import { NO_OWN_RULES, type OwnRules, ownDetector } from '../../core/scrub/own.ts';
import { ScrubCounts } from '../../core/scrub/report.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';
import { learnSubject, scrubSubject, textsOf } from '../../core/scrub/transcript.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { countOf, grouped } from '../../core/view/words.ts';
import { withEngine } from './engine.ts';
import { CliFailure, checkNotEmpty, EXIT, inputFailure, usageFailure } from './failure.ts';

/** Options of the commands that scrub. */
export interface ScrubCliOptions {
  readonly maskCandidates?: boolean;
  readonly keep?: readonly string[];
  readonly word?: readonly string[];
  readonly pattern?: readonly string[];
  /** Folder of the library whose own words and expressions are masked, too. */
  readonly library?: string;
}

/** The options of {@link ScrubCliOptions}. */
export function addScrubOptions(command: Command): Command {
  return command
    .option('--mask-candidates', 'mask candidates, too: what may be a secret or not')
    .addOption(
      new Option('--keep <kinds...>', 'kinds, or groups (secret, personal, own, unreadable), that stay as they are'),
    )
    .addOption(new Option('--word <words...>', 'own words to mask'))
    .addOption(new Option('--pattern <patterns...>', 'own regular expressions to mask'));
}

/** A scrubber as the command line says. Stand-ins are counted as for the model, so that they cost as much as what they stand for. */
export async function scrubberOf(
  { maskCandidates = false, keep = [], word = [], pattern = [], library }: ScrubCliOptions,
  model: string | undefined,
): Promise<Scrubber> {
  const unknown = keep.find((kind) => !KINDS.includes(kind) && !KIND_GROUPS.some((group) => group === kind));
  if (unknown !== undefined)
    throw usageFailure(
      `--keep: there is no kind "${unknown}". Groups: ${KIND_GROUPS.join(', ')}. Kinds: ${KINDS.join(', ')}`,
    );
  for (const one of word) checkNotEmpty('--word', one);
  checkNotEmpty('--library', library);
  if (library !== undefined && !existsSync(library))
    throw inputFailure(`--library: there is no folder ${library} whose words and expressions could be masked`);
  const kept = library === undefined ? NO_OWN_RULES : await rulesOf(library);
  const own = ownDetector({ words: [...kept.words, ...word], patterns: [...kept.patterns, ...pattern] });
  if (!own.ok) throw usageFailure(own.error);
  const counter = await loadCounter(modelFacts(model).tokenizer);
  return new Scrubber({
    choices: { keep: new Set(keep), maskCandidates },
    detectors: [own.value],
    count: (text) => counter.count(text),
  });
}

function rulesOf(library: string): Promise<OwnRules> {
  return withEngine({ library }, (engine) => engine.call('scrub.rules', {}));
}

/** A transcript as it was read, with stand-ins, up to a call point; and what was found. */
export interface ScrubbedTranscript {
  readonly transcript: ImportedTranscript;
  readonly source: MemoryTranscript;
  readonly counts: ScrubCounts;
  /** Other JSON that goes with it, in the order it was given. */
  readonly others: readonly string[];
}

/** Writes a transcript with stand-ins. `others`: JSON that leaves with it, of which each string is masked. */
export function scrubImported(
  scrubber: Scrubber,
  transcript: ImportedTranscript,
  at: number,
  others: readonly string[],
): ScrubbedTranscript {
  const whole = MemoryTranscript.of(transcript);
  const metaOf = (index: number) => transcript.messages[index]?.meta ?? {};
  // The title goes with what names the transcript, which is among the others.
  const { title: _, ...front } = transcript.meta;
  const subject = { source: whole, at, meta: front, metaOf, others };
  for (const _ of learnSubject(scrubber, subject));
  const counts = new ScrubCounts(scrubber);
  for (const json of textsOf(subject)) counts.add(scrubber.found(json));
  const steps = scrubSubject(scrubber, subject);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { source, meta, metaOf: metaAt, others: written } = step.value;
  const messages = Array.from({ length: at }, (_, index) => {
    return { text: source.text(index), meta: metaAt(index), origins: transcript.messages[index]?.origins ?? [] };
  });
  const { bundle } = transcript.meta;
  const ownBundle = bundle === undefined ? null : { ...bundle, summaries: source.summaries() };
  return {
    transcript: { ...transcript, meta: { ...front, ...meta }, messages, events: [] },
    source: new MemoryTranscript(
      messages,
      source.summary,
      source.compactions(),
      ownBundle,
      source.projections?.() ?? [],
    ),
    counts,
    others: written,
  };
}

/** The whole of a finished text, if nothing is left in it. Exit code 1, and where, if something is: no value is said. */
export function checkedText(scrubber: Scrubber, chunks: Iterable<string>): string {
  const text = [...chunks].join('');
  const steps = leaksIn(scrubber, text);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const leaks = step.value;
  const [first] = leaks;
  if (first === undefined) return text;
  const places = [...new Set(leaks.map((leak) => `${leak.kind} at ${leakPlace(leak)}`))];
  const more = places.length > PLACES ? ` and ${grouped(places.length - PLACES)} more` : '';
  throw new CliFailure(
    EXIT.finding,
    'export.left',
    `nothing was written: ${countOf(leaks.length, 'finding')} left in the finished bytes: ${places.slice(0, PLACES).join(', ')}${more}. Add --word or --pattern for it, or --keep its kind.`,
  );
}

const PLACES = 5;
