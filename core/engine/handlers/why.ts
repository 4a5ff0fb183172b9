import { WhyRecorder } from '../../insight/why.ts';
import { parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { findProjection } from './projection.ts';

/** What each stage said of a message: the projection is run again, and listened to. */
export function whyHandlers(engine: Engine): Pick<Handlers, 'projection.why'> {
  return {
    async 'projection.why'({ projectionId, index }) {
      const found = findProjection(engine, projectionId);
      if (!found.ok) return found;
      const { session, projected } = found.value;
      if (index >= projected.messages) {
        return err(failure('transcript.no_such_place', `There is no message #${index}.`));
      }
      const parsed = parseSpec(projected.spec, STAGES);
      if (!parsed.ok) throw new Error('a spec that was projected does not parse');
      const { projection, inputs } = projected;
      const recorder = new WhyRecorder(index);
      const given = { ...inputs, observe: recorder.observe };
      await session.work.foreground(() => engine.project(session, parsed.value.stages, projection.at, given));
      return ok(recorder.answer(projection));
    },
  };
}
