// Watched texts of a file, followed here, and of the library, followed by the engine that the app has too.
import { followPoints, stageInputs } from '../../core/engine/requests/index.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { pointsToFollow } from '../../core/insight/text/trace.ts';
import { WatchedAlong } from '../../core/insight/watch/along.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { naiveStages, type ReachedPoint } from '../../core/projection/allCallPoints.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { defaultSpec } from '../../core/projection/presets.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { Watchpoint } from '../../core/protocol/watchTypes.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { WatchAnswer, WatchOptions } from '../commands/watch.ts';
import { withEngine } from './engine.ts';
import { inputFailure } from './failure.ts';
import { readTranscript } from './input.ts';
import { aboutOf } from './inputs.ts';
import { callPointOf, withProjector } from './projecting.ts';
import { specNotingWarnings } from './spec.ts';

const SAMPLES = 200;

/** Follows the texts of `--text` along a file. */
export async function watchFile(file: string, chosen: ParsedSpec, options: WatchOptions): Promise<WatchAnswer> {
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  const switches = { matchCase: options.case === true, wholeWord: options.word === true };
  const queries = options.text.map((text, n) => ({ id: String(n), text: text.trim(), ...switches }));
  const places = { callPoints: callPoints(source), turnStarts: turnStarts(source), now: source.length };
  const input = { source, front: transcript.meta, events: () => transcript.events, ...places };
  const along = new WatchedAlong(input, queries);
  for (const { tracer } of along.tracers) for (const _ of tracer.search());
  const followed = { ...(await stageInputs(source, parsed, aboutOf(transcript))), memo: createMemo() };
  const { texts, sampled } = await withProjector(async (projector) => {
    const walk = (points: readonly number[], take: (point: ReachedPoint) => void) =>
      followPoints(projector, { source, parsed, points, options: followed }, take);
    await walk(pointsToFollow(places, naiveStages(parsed.stages).length > 0, SAMPLES), (point) => along.take(point));
    for (const { tracer, points } of along.undecided()) {
      const finer = tracer.finer();
      await walk(points, (point) => finer.take(point));
      tracer.settle(finer);
    }
    return along.finish();
  });
  const answers = texts.flatMap((watched) => {
    const query = queries.find(({ id }) => id === watched.id);
    return query === undefined ? [] : { ...query, id: null, name: null, watched };
  });
  return { spec: parsed.spec, at, sampled, texts: answers };
}

/** Changes what is watched in a transcript of the library, and follows it. */
export async function watchLibrary(id: string, chosen: ParsedSpec, options: WatchOptions): Promise<WatchAnswer> {
  return withEngine(options, async (engine) => {
    const { transcripts } = await engine.call('library.list', {});
    if (!transcripts.some((one) => one.id === id)) {
      throw inputFailure(`there is no file ${id}, and the library has no such transcript`, 'transcript.unknown');
    }
    await change(engine, id, options);
    const { messages, compactions, projections } = await engine.call('transcript.open', { id });
    const isChosen = options.policy !== undefined || options.spec !== undefined;
    const spec = isChosen ? chosen.spec : defaultSpec(compactions > 0, projections > 0);
    const { watchpoints } = await engine.call('watch.list', { id });
    const { texts, sampled } = await engine.call('watch.states', { id, spec });
    const answers = texts.flatMap((watched) => {
      const one = watchpoints.find((watchpoint) => watchpoint.id === watched.id);
      return one === undefined ? [] : { ...one, watched };
    });
    return { spec, at: callPointOf(options.at, messages), sampled, texts: answers };
  });
}

async function change(engine: EngineClient, id: string, options: WatchOptions): Promise<void> {
  const switches = { matchCase: options.case === true, wholeWord: options.word === true };
  const name = options.name === undefined ? {} : { name: options.name };
  for (const text of options.add) await engine.call('watch.add', { id, text, ...switches, ...name });
  for (const given of options.remove) {
    const { watchpoints } = await engine.call('watch.list', { id });
    const found = watchpoints.filter((one) => isCalled(one, given));
    if (found.length === 0) throw inputFailure(`“${given}” is not watched`, 'watch.unknown');
    for (const { id: watchpoint } of found) await engine.call('watch.remove', { id, watchpoint });
  }
}

function isCalled({ id, text, name }: Watchpoint, given: string): boolean {
  return id === given || name === given || text === given.trim();
}
