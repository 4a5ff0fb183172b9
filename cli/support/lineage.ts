import { dirname } from 'node:path';
import { readAssetFile } from '../../core/engine/files/assetFile.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { openSnapshots, type ReadSibling } from '../../core/importers/reading/snapshot.ts';
import { PROJECTION_EVENT } from '../../core/model/lineage.ts';
import type { Problem } from '../../core/model/problem.ts';
import type { ImportedEvent, TranscriptSource } from '../../core/model/transcript.ts';
import { type ReplayedEvent, replayLineage } from '../../core/projection/lineage.ts';
import { err } from '../../core/util/result.ts';
import { note, oneLine } from './output.ts';

/** How a command reads files that the transcript in `file` names; stdin has no folder. */
export function readSibling(file: string): ReadSibling {
  if (file === '-') return async () => err('the transcript was read from stdin, which has no folder');
  return (path) => readAssetFile(`${dirname(file)}/transcript`, path);
}

/** The recorded projections of a transcript replayed, each on the messages it covered. */
export async function replayed(
  file: string,
  { events }: ImportedTranscript,
  source: TranscriptSource,
): Promise<readonly ReplayedEvent<ImportedEvent>[]> {
  if (!events.some(({ kind }) => kind === PROJECTION_EVENT)) return [];
  const steps = replayLineage(source, events, await openSnapshots(events, readSibling(file)), { sha256: nodeSha256 });
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Says on stderr which recorded projections do not lead to their hash, or cannot be checked; gives all that was found. */
export async function reportReplayed(
  file: string,
  transcript: ImportedTranscript,
  source: TranscriptSource,
): Promise<readonly Problem[]> {
  const events = await replayed(file, transcript, source);
  const problems = events.flatMap(({ event, problems: found }) =>
    found.map((problem): Problem => ({ ...problem, where: { ...problem.where, line: event.origin.line } })),
  );
  for (const { severity, code, text, where } of problems) {
    if (severity !== 'info') note(`line ${where?.line ?? 0}: ${severity} ${code}: ${oneLine(text, 400)}`);
  }
  return problems;
}
