// The lineage of a Harn transcript: projection → compaction → projection. A projection that was recorded before the
// history was rewritten covered what was there then: what the compaction archived as its snapshot. Source:
// seeds/harn-transcript-projection.txt, "Composition with agent_loop".

import { type LineageEvent, PROJECTION_EVENT, type Rewrite, rewriteOf } from '../model/lineage.ts';
import { memorySource } from '../model/memorySource.ts';
import type { Problem } from '../model/problem.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { countOf, grouped } from '../util/counts.ts';
import type { Result } from '../util/result.ts';
import { createMemo } from '../view/memo.ts';
import { placeOf, type RecordedProjection, readRecordedProjection } from '../view/recordedProjection.ts';
import { type Replay, type ReplayOptions, replaySteps } from './replay.ts';

/** The messages that a compaction archived, by the id of its snapshot asset; the error says why they cannot be had. */
export type Snapshots = (assetId: string) => Result<TranscriptSource, string>;

/** A recorded projection and what came of replaying it. */
export interface ReplayedEvent<E extends LineageEvent> {
  readonly event: E;
  /** Null: it cannot be checked, `problems` says why. */
  readonly replay: Replay | null;
  /** The asset whose messages it was replayed on; null = the transcript's own. */
  readonly snapshotAssetId: string | null;
  readonly problems: readonly Problem[];
}

/** Replays every recorded projection among a transcript's events, each on the messages it covered. Yields often. */
export function* replayLineage<E extends LineageEvent>(
  source: TranscriptSource,
  events: readonly E[],
  snapshots: Snapshots,
  options: ReplayOptions = {},
): Generator<void, readonly ReplayedEvent<E>[]> {
  const done: ReplayedEvent<E>[] = [];
  const replayer = new Replayer(source, snapshots, options);
  const rewrites = nextRewrites(events);
  for (const [position, event] of events.entries()) {
    const recorded = event.kind === PROJECTION_EVENT ? readRecordedProjection(event.json) : null;
    if (recorded !== null)
      done.push({ event, ...(yield* replayer.replay(recorded, event.at, rewrites[position] ?? null)) });
    yield;
  }
  return done;
}

/** Of each event the next one that rewrote the history; null = none did. */
function nextRewrites(events: readonly LineageEvent[]): readonly (Rewrite | null)[] {
  const next: (Rewrite | null)[] = [];
  let later: Rewrite | null = null;
  for (const event of events.toReversed()) {
    next.push(later);
    later = rewriteOf(event) ?? later;
  }
  return next.reverse();
}

type Replayed = Omit<ReplayedEvent<LineageEvent>, 'event'>;

interface Candidate {
  readonly source: TranscriptSource;
  readonly options: ReplayOptions;
  readonly snapshotAssetId: string | null;
}

class Replayer {
  readonly #own: Candidate;
  readonly #snapshots: Snapshots;
  readonly #opened = new Map<string, Result<readonly Candidate[], string>>();

  constructor(source: TranscriptSource, snapshots: Snapshots, options: ReplayOptions) {
    this.#own = { source, options, snapshotAssetId: null };
    this.#snapshots = snapshots;
  }

  *replay(recorded: RecordedProjection, at: number, rewrite: Rewrite | null): Generator<void, Replayed> {
    if (rewrite === null) return yield* this.#onOwn(recorded, at);
    const archived = rewrite.snapshotAssetId === null ? null : this.#open(rewrite.snapshotAssetId);
    const candidates = archived?.ok === true ? archived.value : [];
    // The transcript's own messages may still be those: a log only grows, whatever a compaction left out.
    const tried: Replay[] = [];
    for (const candidate of [...candidates, this.#own]) {
      if (placeOf(recorded, at) > candidate.source.length) continue;
      const replay = yield* replaySteps(candidate.source, recorded, at, candidate.options);
      if (isProven(replay, candidate))
        return { replay, snapshotAssetId: candidate.snapshotAssetId, problems: replay.problems };
      if (candidate.snapshotAssetId !== null) tried.push(replay);
    }
    const [onSnapshot] = tried;
    if (onSnapshot !== undefined) {
      return { replay: onSnapshot, snapshotAssetId: rewrite.snapshotAssetId, problems: onSnapshot.problems };
    }
    return { replay: null, snapshotAssetId: null, problems: [archivedProblem(recorded, at, rewrite, archived)] };
  }

  *#onOwn(recorded: RecordedProjection, at: number): Generator<void, Replayed> {
    const { source, options } = this.#own;
    const all = placeOf(recorded, at);
    if (all > source.length)
      return { replay: null, snapshotAssetId: null, problems: [shortProblem(recorded, all, source.length)] };
    const replay = yield* replaySteps(source, recorded, at, options);
    return { replay, snapshotAssetId: null, problems: replay.problems };
  }

  #open(assetId: string): Result<readonly Candidate[], string> {
    const known = this.#opened.get(assetId);
    if (known !== undefined) return known;
    const found = this.#snapshots(assetId);
    const opened = found.ok ? { ok: true as const, value: this.#candidatesOf(assetId, found.value) } : found;
    this.#opened.set(assetId, opened);
    return opened;
  }

  // A snapshot is the whole history at the compaction, or only what was archived of it: then the rest stands here, behind
  // the summary if that is a message.
  #candidatesOf(snapshotAssetId: string, snapshot: TranscriptSource): readonly Candidate[] {
    const { source, options } = this.#own;
    const { sha256 } = options;
    const given = (): ReplayOptions => ({ memo: createMemo(), ...(sha256 && { sha256 }) });
    const joined = [0, 1].map((from) =>
      memorySource([...textsOf(snapshot, 0), ...textsOf(source, from)], snapshot.summary),
    );
    return [snapshot, ...joined].map((each) => ({ source: each, options: given(), snapshotAssetId }));
  }
}

function textsOf(source: TranscriptSource, from: number): string[] {
  const texts: string[] = [];
  for (let index = from; index < source.length; index++) texts.push(source.text(index));
  return texts;
}

// Of messages that may be others than those it covered, only a hash is proof.
function isProven({ outcome }: Replay, { snapshotAssetId }: Candidate): boolean {
  if (outcome === 'reproduced' || outcome === 'decision_holds') return true;
  return snapshotAssetId !== null && outcome !== 'mismatch';
}

function archivedProblem(
  recorded: RecordedProjection,
  at: number,
  rewrite: Rewrite,
  archived: Result<unknown, string> | null,
): Problem {
  const name = rewrite.kind === 'compaction' ? 'a compaction' : 'the transcript budget';
  const why =
    archived === null
      ? 'no snapshot of it is recorded'
      : archived.ok
        ? 'its snapshot holds too few messages'
        : `its snapshot cannot be opened: ${archived.error}`;
  const text = `The recorded ${recorded.policy} projection of ${countOf(placeOf(recorded, at), 'message')} was made before ${name} rewrote the history; ${why}. It cannot be checked.`;
  return {
    code: 'projection.replay_archived',
    severity: 'warning',
    text,
    where: { index: Math.min(placeOf(recorded, at), at) },
  };
}

function shortProblem({ policy }: RecordedProjection, all: number, here: number): Problem {
  const text = `The recorded ${policy} projection covered ${countOf(all, 'message')}; the transcript has ${grouped(here)}. It cannot be checked.`;
  return { code: 'projection.replay_archived', severity: 'warning', text, where: { index: here } };
}
