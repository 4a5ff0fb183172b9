// What a click waits for while uses are found, followed under a policy and made into findings: as an engine has it, in slices of
// the queue of a session, with requests that come from another thread meanwhile.
import { Worker } from 'node:worker_threads';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { inTurns } from '../../core/engine/session/inTurns.ts';
import { type Turn, WorkQueue } from '../../core/engine/session/workQueue.ts';
import { findingSteps, RefusedFollower } from '../../core/insight/findings/index.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import { trailOf } from '../../core/insight/uses/trail.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { gatherAll } from '../../core/projection/readAhead.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageMemo } from '../../core/view/types.ts';
import { stagesOf } from '../support/projecting.ts';
import { quantile } from './measure.ts';
import type { BenchRow } from './types.ts';

/** What a click may wait. Unit: ms. */
const CLICK_MS = 16;
/** Between two clicks. Unit: ms. */
const CLICKS_EVERY = 13;
const SPEC = { version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'tool_result_retention' }] };

/** A request from another thread says when it was sent. */
const CLICKER = `const { parentPort } = require('node:worker_threads');
setInterval(() => parentPort.postMessage(performance.timeOrigin + performance.now()), ${CLICKS_EVERY});`;

/** Pieces of work by what they were done for, in processor time of the thread, ms. */
class Pieces {
  readonly all: number[] = [];
  readonly #longest = new Map<string, number>();

  get longest(): string {
    return [...this.#longest].map(([what, ms]) => `${what} ${ms.toFixed(1)}`).join(', ');
  }

  *of<T>(what: string, steps: Generator<void, T, void>): Generator<void, T, void> {
    for (;;) {
      const before = process.threadCpuUsage();
      const step = steps.next();
      const { user, system } = process.threadCpuUsage(before);
      this.#take((user + system) / 1e3, what);
      if (step.done === true) return step.value;
      yield;
    }
  }

  #take(ms: number, what: string): void {
    this.all.push(ms);
    this.#longest.set(what, Math.max(ms, this.#longest.get(what) ?? 0));
  }
}

/** Rows of the group insight. */
export async function benchClicks(source: TranscriptSource): Promise<readonly BenchRow[]> {
  const pieces = new Pieces();
  const delays: number[] = [];
  const clicker = new Worker(CLICKER, { eval: true });
  const queue = new WorkQueue();
  const started = { at: 0, took: 0 };
  await new Promise((resolve) => clicker.once('message', resolve));
  clicker.on('message', (sent: number) => delays.push(performance.timeOrigin + performance.now() - sent));
  const task = queue.background('checks', async (turn) => {
    started.at = performance.now();
    await lookThrough(source, pieces, turn);
    started.took = performance.now() - started.at;
  });
  await task.done;
  await clicker.terminate();
  const what = `${source.length} messages, uses and findings in the background`;
  const longest = pieces.all.reduce((most, ms) => Math.max(most, ms), 0);
  const aim = `at most ${CLICK_MS}`;
  const p99 = quantile(delays, 0.99);
  const row = { group: 'insight', unit: 'ms', aim };
  const over = pieces.all.filter((piece) => piece > CLICK_MS).length;
  const inAll = `${pieces.all.length} pieces in ${(started.took / 1000).toFixed(1)} s, ${over} over ${CLICK_MS} ms`;
  const slow = delays.filter((delay) => delay > CLICK_MS).length;
  return [
    {
      ...row,
      name: `${what}: longest piece, garbage collection with it`,
      value: longest,
      ok: longest <= CLICK_MS,
      note: `${pieces.longest}; ${inAll}; 99.9 of 100 under ${quantile(pieces.all, 0.999).toFixed(1)} ms`,
    },
    {
      ...row,
      name: `${what}: delay of a click, 99 of 100`,
      value: p99,
      ok: p99 <= CLICK_MS,
      note: `${delays.length} clicks, ${slow} waited longer than ${CLICK_MS} ms; median ${quantile(delays, 0.5).toFixed(1)}, longest ${quantile(delays, 1).toFixed(1)}`,
    },
  ];
}

async function lookThrough(source: TranscriptSource, pieces: Pieces, turn: Turn): Promise<void> {
  const finder = new UseFinder(source);
  await inTurns(pieces.of('finder', finder.grow()), turn);
  await inTurns(pieces.of('front', finder.searchFront({ systemJson: JSON.stringify('be brief') })), turn);
  const uses = new UsesFollower({ source, finder, front: {} });
  const refused = new RefusedFollower();
  const points = callPoints(source);
  // As an engine does when a session is opened.
  const memo = createMemo();
  await inTurns(gatherAll({ source, memo, sha256: nodeSha256 }, source.length), turn);
  await inTurns(pieces.of('walk', walk({ source, memo, points }, uses, refused)), turn);
  const input = {
    source,
    uses: uses.all,
    misses: [],
    refused: refused.runs,
    callPoints: points,
    pricing: Pricing.one(),
  };
  const steps = findingSteps({ ...input, usageAt: () => null, tokens: () => 1 });
  await inTurns(pieces.of('findings', steps), turn);
  await inTurns(pieces.of('trail', trails(source, uses)), turn);
}

interface Walked {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly points: readonly number[];
}

function* walk(
  { source, memo, points }: Walked,
  uses: UsesFollower,
  refused: RefusedFollower,
): Generator<void, void, void> {
  const options = { memo, sha256: nodeSha256 };
  const run = followCallPoints({ source, stages: stagesOf(SPEC), points, options }, (point) => {
    uses.take(point);
    refused.take(point);
  });
  for (let step = run.next(null); step.done !== true; step = run.next(null)) yield;
}

// Of messages all along the session, as clicks ask for them.
function* trails(source: TranscriptSource, uses: UsesFollower): Generator<void, void, void> {
  for (let index = 0; index < source.length; index += 97) {
    trailOf(uses.index.about(index), index);
    yield;
  }
}
