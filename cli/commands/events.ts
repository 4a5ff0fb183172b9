import type { Command } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { describeEvent } from '../../core/model/eventWords.ts';
import { PROJECTION_EVENT } from '../../core/model/lineage.ts';
import type { ImportedEvent } from '../../core/model/transcript.ts';
import { acpNotification, acpUpdateOf } from '../../core/projection/harnResult.ts';
import type { ReplayedEvent } from '../../core/projection/lineage.ts';
import { RawJson } from '../../core/util/json/index.ts';
import { readRecordedProjection } from '../../core/view/recordedProjection.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { replayed } from '../support/lineage.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { FILE, MAPPING, TRANSCRIPT } from '../support/sharedOptions.ts';

interface EventsOptions {
  readonly kind: readonly string[];
  readonly kinds?: boolean;
  readonly acp?: boolean;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const HELP = `
Recorded projections are replayed: the policy, on the messages it covered, must give the recorded hash. Before a compaction
those are what its snapshot asset holds, in the file or in one beside it.

Exit codes: 0 done; 1 a recorded projection does not lead to its hash; 2 wrong usage; 3 the file cannot be read.`;

/** `parallax events`. */
export function addEvents(program: Command): void {
  program
    .command('events')
    .description('list what a transcript records besides its messages: compactions, projections, budgets, assets')
    .argument(...FILE)
    .option(
      '--kind <kind>',
      'only events of this kind; may be given again',
      (kind, all: string[]) => [...all, kind],
      [],
    )
    .option('--kinds', 'how many there are of each kind')
    .option('--acp', 'recorded projections as a host is sent them: a session/update (ACP) a line')
    .option(...TRANSCRIPT)
    .option(...MAPPING)
    .option('--json', 'an event a line as JSON, its record word for word')
    .addHelpText('after', HELP)
    .action(listEvents);
}

async function listEvents(file: string, options: EventsOptions): Promise<void> {
  if (options.acp === true && (options.json === true || options.kinds === true)) {
    throw usageFailure('give --acp, --json or --kinds, one of them');
  }
  const { transcript } = await readTranscript(file, options);
  const { kind } = options;
  const events = transcript.events.filter((event) => kind.length === 0 || kind.includes(event.kind));
  if (options.kinds === true) return write(kindLines(events));
  const source = MemoryTranscript.of(transcript);
  const checked = new Map((await replayed(file, transcript, source)).map((each) => [each.event, each]));
  if (options.acp === true) await writeAcp(events, transcript.meta.sessionId ?? transcript.key);
  else if (options.json === true) for (const event of events) await writeJson(jsonOf(event, checked.get(event)));
  else await write(table(events.map((event) => row(event, checked.get(event)))));
  const isWrong = events.some((event) => checked.get(event)?.problems.some(({ severity }) => severity === 'error'));
  if (isWrong) process.exitCode = EXIT.finding;
}

function kindLines(events: readonly ImportedEvent[]): string {
  const kinds = Map.groupBy(events, ({ kind }) => kind);
  const rows = [...kinds]
    .map(([kind, of]) => [oneLine(kind, 80), grouped(of.length)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return table(rows, [1]);
}

async function writeAcp(events: readonly ImportedEvent[], sessionId: string): Promise<void> {
  for (const event of events) {
    const recorded = event.kind === PROJECTION_EVENT ? readRecordedProjection(event.json) : null;
    if (recorded !== null) await writeJson(acpNotification(sessionId, acpUpdateOf(recorded)));
  }
}

function jsonOf(event: ImportedEvent, found: ReplayedEvent<ImportedEvent> | undefined): object {
  const { kind, at, visibility, text, timestamp, json, origin } = event;
  const replay = found && {
    outcome: found.replay?.outcome ?? 'cannot_be_checked',
    prefix_hash: found.replay?.prefixHash ?? null,
    snapshot_asset_id: found.snapshotAssetId,
    problems: found.problems,
  };
  return {
    kind,
    at,
    visibility,
    timestamp: timestamp ?? null,
    text,
    words: describeEvent(kind, json),
    line: origin.line,
    byte_start: origin.byteStart,
    ...(replay && { replay }),
    event: new RawJson(json),
  };
}

function row(event: ImportedEvent, found: ReplayedEvent<ImportedEvent> | undefined): readonly string[] {
  const { kind, at, visibility, text, json, origin } = event;
  const words = describeEvent(kind, json) || text;
  return [`${origin.line}`, oneLine(kind, 40), `#${at}`, visibility, `${oneLine(words, 160)}${verdict(found)}`];
}

const VERDICTS: Readonly<Record<string, string>> = {
  reproduced: 'hash reproduced',
  decision_holds: 'hash reproduced from the recorded decision',
  summary_not_recorded: 'hash not checked: the summary’s text is not recorded',
  not_recorded: 'hash not checked: the function is not recorded',
  unchecked: 'hash not checked: the messages are those of a log',
  mismatch: 'HASH NOT REPRODUCED',
};

function verdict(found: ReplayedEvent<ImportedEvent> | undefined): string {
  if (found === undefined) return '';
  const { replay, snapshotAssetId } = found;
  const said = replay === null ? 'hash not checked: its messages are not here' : (VERDICTS[replay.outcome] ?? '');
  return ` · ${said}${snapshotAssetId === null ? '' : ` (on snapshot ${oneLine(snapshotAssetId, 40)})`}`;
}
