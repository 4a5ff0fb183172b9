// `parallax scrub`: what a transcript holds that should not leave this machine. Prints no value.
import type { Command } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { kindGroup, kindTitle } from '../../core/scrub/kinds.ts';
import { type ListedFinding, listFront, listMessage } from '../../core/scrub/listing.ts';
import { frontTexts } from '../../core/scrub/transcript.ts';
import { countOf } from '../../core/view/words.ts';
import { EXIT } from '../support/failure.ts';
import { modelOf, readTranscript } from '../support/input.ts';
import { grouped, table, write, writeJson } from '../support/output.ts';
import { addScrubOptions, type ScrubCliOptions, scrubberOf } from '../support/scrubbing.ts';
import { FILE, MAPPING, TRANSCRIPT } from '../support/sharedOptions.ts';

interface ScrubOptions extends ScrubCliOptions {
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const HELP = `
Values are not printed. With --json: {"findings": [{"kind", "tier": "definite" | "candidate", "index", "part", "from", "to",
"standIn", "path"}]}; index null = recorded apart from the messages, part null = in no part of the message. From and to are
offsets in the part's decoded text, as the app shows it, not in the string at path; of a finding in no part, in that string. docs/scrub.md.

Exit codes: 0 nothing is found; 1 something is; 2 wrong usage; 3 unreadable.`;

/** `parallax scrub`. */
export function addScrub(program: Command): void {
  addScrubOptions(
    program
      .command('scrub')
      .description('secrets and personal data in a transcript: kinds, places, what would replace them')
      .argument(...FILE)
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--library <dir>', 'a library whose own words and expressions are looked for, too')
      .option('--json', 'all findings as one line of JSON'),
  )
    .addHelpText('after', HELP)
    .action(scrubFile);
}

async function scrubFile(file: string, options: ScrubOptions): Promise<void> {
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const scrubber = await scrubberOf(options, modelOf(transcript));
  const fronts = frontTexts(transcript.meta);
  for (const json of fronts) scrubber.learn(json);
  for (let index = 0; index < source.length; index++) scrubber.learn(source.text(index));
  const findings: ListedFinding[] = fronts.flatMap((json) => [...listFront(scrubber, json)]);
  for (let index = 0; index < source.length; index++) findings.push(...listMessage(scrubber, source, index));
  if (options.json) {
    await writeJson({ findings: findings.map(({ isMasked: _, ...finding }) => finding) });
  } else await write(textOf(findings));
  if (findings.length > 0) process.exitCode = EXIT.finding;
}

const PLACES = 4;

function textOf(findings: readonly ListedFinding[]): string {
  if (findings.length === 0) return 'Nothing found.\n';
  const groups = new Map<string, ListedFinding[]>();
  for (const one of findings) {
    const key = `${one.tier} ${one.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const rows = [...groups.values()].map((all): string[] => {
    const [first] = all;
    if (first === undefined) return [];
    const places = [...new Set(all.map(({ index }) => (index === null ? 'front' : `#${index}`)))];
    const more = places.length > PLACES ? ` and ${grouped(places.length - PLACES)} more` : '';
    return [
      kindTitle(first.kind),
      first.kind,
      kindGroup(first.kind),
      first.tier,
      grouped(all.length),
      places.slice(0, PLACES).join(', ') + more,
    ];
  });
  const head = ['what', 'kind', 'group', 'tier', 'count', 'messages'];
  return `${countOf(findings.length, 'finding')}.\n\n${table([head, ...rows], [4])}`;
}
