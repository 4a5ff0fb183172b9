/**
 * The longest piece of work between two pauses of a projection, preset by preset: so long waits whoever asks something of
 * another transcript meanwhile. As the engine does it: what stages gather is gathered before, piece by piece. Processor time
 * of the thread, because the longest of many is otherwise that of the machine; its clock may step by some milliseconds.
 */
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { projectSteps } from '../../core/projection/project.ts';
import { gatherAll, readInSteps } from '../../core/projection/readAhead.ts';
import { createMemo } from '../../core/view/memo.ts';
import { PAUSE, type StageMemo } from '../../core/view/types.ts';
import { claudeCodeLines } from '../support/generate.ts';
import { stagesOf } from '../support/projecting.ts';
import { quantile } from './measure.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'pieces';

/** Rows of the group. */
export async function benchPieces({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const messages = quick ? 10_000 : 100_000;
  const texts = [...claudeCodeLines({ messages })].map((line) => JSON.stringify(JSON.parse(line).message));
  const source = memorySource(texts);
  for (let index = 0; index < source.length; index++) source.facts(index);
  const row = (name: string, pieces: readonly number[]): BenchRow => {
    const sum = pieces.reduce((all, piece) => all + piece, 0);
    const note = `${pieces.length} pieces, 99 of 100 under ${quantile(pieces, 0.99).toFixed(1)} ms; ${Math.round(sum)} ms in all`;
    return { group: GROUP, name: `${messages} messages, ${name}`, value: Math.max(...pieces), unit: 'ms', note };
  };
  const gathering = piecesOf(gatherSteps(source, createMemo()));
  const rows = presetsFor(PRESETS, false).map(({ name, spec }) => {
    const memo = createMemo();
    for (const _ of gatherSteps(source, memo));
    const steps = projectSteps(source, stagesOf(spec), source.length, { memo, sha256: nodeSha256, explain: false });
    return row(name, piecesOf({ next: () => steps.next(PAUSE) }));
  });
  return [row('gathered when a session is opened', gathering), ...rows];
}

function* gatherSteps(source: TranscriptSource, memo: StageMemo): Generator<void, void, void> {
  const given = { source, memo, sha256: nodeSha256 };
  yield* gatherAll(given, source.length);
  yield* readInSteps(given, 0, source.length);
}

/** Milliseconds of each piece. */
function piecesOf(steps: { next(): { readonly done?: boolean } }): readonly number[] {
  const pieces: number[] = [];
  for (let isDone = false; !isDone; ) {
    const before = process.threadCpuUsage();
    isDone = steps.next().done === true;
    const { user, system } = process.threadCpuUsage(before);
    pieces.push((user + system) / 1000);
  }
  return pieces;
}
