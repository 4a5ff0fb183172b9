import { WhyRecorder } from '../../insight/why.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { type FoundProjection, findProjection } from './projection.ts';

/** Messages answered for at once. */
const WHYS_MOST = 5_000;

/** What each stage said of messages: the projection is run again, and listened to. */
export function whyHandlers(engine: Engine): Pick<Handlers, 'projection.why' | 'projection.whys'> {
  return {
    async 'projection.why'({ projectionId, index }) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      if (index >= found.value.projected.messages) {
        return err(failure('transcript.no_such_place', `There is no message #${index}.`));
      }
      const recorder = new WhyRecorder(index);
      await listen(engine, found.value, recorder);
      return ok(recorder.answer(found.value.projected.projection));
    },
    async 'projection.whys'({ projectionId, from, to }) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      const { messages, projection } = found.value.projected;
      const end = Math.min(to, from + WHYS_MOST, messages);
      const recorder = new WhyRecorder(from, end);
      await listen(engine, found.value, recorder);
      const indices = Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
      return ok({ whys: indices.map((index) => recorder.answer(projection, index)) });
    },
  };
}

async function listen(engine: Engine, { session, projected }: FoundProjection, recorder: WhyRecorder): Promise<void> {
  const parsed = parseSpec(projected.spec, STAGES);
  if (!parsed.ok) throw new Error('a spec that was projected does not parse');
  const given = { ...projected.inputs, observe: recorder.observe };
  await session.work.foreground(() => engine.project(session, parsed.value.stages, projected.projection.at, given));
}
