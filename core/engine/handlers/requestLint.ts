import type { Params } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { RequestLintInfo } from '../../protocol/types.ts';
import { err, ok } from '../../util/result.ts';
import { requestSteps } from '../../wire/lintBody.ts';
import type { Engine } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import type { Session } from '../session/session.ts';
import type { Turn } from '../session/workQueue.ts';
import { makeRequest } from './wire.ts';

const FINDINGS = 200;
/** Requests remembered: stepping to and fro asks for the same ones again. */
const KEPT = 64;

/** What only the request as it is written can show. Writing a long one takes a second: nobody waits for it. */
export function requestLintHandlers(engine: Engine): Pick<Handlers, 'lint.request'> {
  const works = engine.clientWork();
  return {
    async 'lint.request'(params, client) {
      const found = engine.session(params.id);
      if (!found.ok) return found;
      const session = found.value;
      const known = session.memo.get('engine.requestLint', () => new BoundedMap<string, RequestLintInfo>(KEPT));
      const key = keyOf(session, params);
      const made = known.get(key);
      if (made !== undefined) {
        works.end(client.clientId);
        return ok(made);
      }
      const { done } = works.begin(client.clientId, key, () =>
        session.work.background('checks', async (turn) => {
          const request = await makeRequest(engine, params, (steps) => inTurn(turn, steps));
          if (!request.ok) return request;
          const all = await inTurn(turn, requestSteps(request.value.body, session.source));
          const findings = all
            .slice(0, FINDINGS)
            .map(({ code, severity, text, index }) => ({ code, severity, text, index }));
          return ok({ total: all.length, findings });
        }),
      );
      const answer = await done;
      if (!answer.ok) return err(SUPERSEDED);
      if (answer.value.ok && key === keyOf(session, params)) known.set(key, answer.value.value);
      return answer.value;
    },
  };
}

function keyOf({ source, summariesKey }: Session, { spec, at, target, model }: Params<'lint.request'>): string {
  const { revision } = source.row();
  return JSON.stringify([spec, at, target, model ?? '', source.length, revision, summariesKey]);
}

async function inTurn<T>(turn: Turn, steps: Generator<void, T, void>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const pause = turn.pause();
    if (pause) await pause;
  }
}
