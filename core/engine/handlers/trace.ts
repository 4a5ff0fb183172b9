import { alignParts } from '../../insight/alignParts.ts';
import { traceSteps } from '../../insight/trace.ts';
import { type Observation, observe, type SeenMessage, type Subject } from '../../insight/visibility.ts';
import { partText } from '../../model/partText.ts';
import type { Projection } from '../../projection/types.ts';
import type { Handlers } from '../../protocol/channel.ts';
import { err, ok } from '../../util/result.ts';
import type { ViewItem } from '../../view/types.ts';
import { type Engine, failure } from '../engine.ts';
import { Latest, SUPERSEDED } from '../latest.ts';
import { readSpecFor } from '../policyScopes.ts';
import { readAt } from '../projecting.ts';
import type { Session } from '../session/session.ts';
import { createSlicer } from '../slicer.ts';

const SAMPLES = 200;

/** Why something is not visible. Runs in slices: clicks never wait for it. */
export function traceHandlers(engine: Engine): Pick<Handlers, 'trace.message'> {
  const traces = new Latest();
  return {
    async 'trace.message'({ id, spec, index, part, at, samples }, client) {
      const found = engine.session(id);
      if (!found.ok) return found;
      const session = found.value;
      const parsed = readSpecFor(engine, id, spec);
      if (!parsed.ok) return parsed;
      const now = readAt(session, at);
      if (!now.ok) return now;
      const parts = index < session.source.length ? session.source.facts(index).parts.length : -1;
      if (parts < 0 || (part ?? 0) >= Math.max(1, parts)) {
        return err(failure('transcript.no_such_place', `There is no part ${part ?? 0} of message #${index}.`));
      }
      const { callPoints, turnStarts } = session.outline;
      const subject: Subject = { index, part };
      const run = traceSteps({ subject, callPoints, turnStarts, now: now.value, samples: samples ?? SAMPLES });
      const overtaken = traces.begin(client.clientId);
      const slicer = createSlicer();
      let step = run.next();
      while (!step.done) {
        await slicer.pause();
        if (overtaken() || session.closed) return err(SUPERSEDED);
        const projected = await engine.projectInBackground(session, parsed.value.stages, step.value);
        if (!projected.ok) return projected;
        step = run.next(observeIn(session, projected.value, subject));
      }
      return ok(step.value);
    },
  };
}

function observeIn(session: Session, projection: Projection, subject: Subject): Observation {
  let item: ViewItem | null = null;
  let standIn: string | null = null;
  for (const candidate of projection.view.items) {
    if (candidate.kind === 'source') {
      if (candidate.index === subject.index) item = candidate;
    } else if (candidate.covers.from <= subject.index && subject.index < candidate.covers.to) {
      standIn = seenMessage(session, candidate, projection).text(null);
    }
  }
  const edited = item?.text === undefined ? null : seenMessage(session, item, projection);
  return observe(projection, subject, { present: item !== null, edited, standIn });
}

function seenMessage(session: Session, item: ViewItem, projection: Projection): SeenMessage {
  const text = item.text ?? '';
  const edit = session.edits.read({ ...item, text });
  const { facts } = edit;
  const fate = item.kind === 'source' ? projection.fates[item.index] : undefined;
  const index = item.kind === 'source' ? item.index : -1;
  const aligned = fate
    ? alignParts(session.source.facts(index), facts, fate, (raw, at) => edit.sameAs[at] === raw)
    : [];
  return {
    facts,
    aligned,
    text(part) {
      const message: unknown = JSON.parse(text);
      const shown = part === null ? facts.parts : facts.parts.slice(part, part + 1);
      return shown.map((each) => partText(message, each)).join('\n\n');
    },
  };
}
