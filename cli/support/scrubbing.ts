import { type Command, Option } from 'commander';
import { ownDetector } from '../../core/scrub/own.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { usageFailure } from './failure.ts';

/** Options of the commands that scrub. */
export interface ScrubCliOptions {
  readonly maskCandidates?: boolean;
  readonly keep?: readonly string[];
  readonly word?: readonly string[];
  readonly pattern?: readonly string[];
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

/** A scrubber as the command line says. Stand-ins are counted, so that they cost as much as what they stand for. */
export async function scrubberOf({
  maskCandidates = false,
  keep = [],
  word = [],
  pattern = [],
}: ScrubCliOptions): Promise<Scrubber> {
  const own = ownDetector({ words: word, patterns: pattern });
  if (!own.ok) throw usageFailure(own.error);
  const counter = await loadCounter('o200k_base');
  return new Scrubber({
    choices: { keep: new Set(keep), maskCandidates },
    detectors: [own.value],
    count: (text) => counter.count(text),
  });
}
