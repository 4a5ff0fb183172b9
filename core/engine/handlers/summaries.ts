import type { Handlers } from '../../protocol/serve.ts';
import type { SummaryInfo } from '../../protocol/types.ts';
import { err, ok } from '../../util/result.ts';
import { summariesAt } from '../../view/summaryFor.ts';
import { type Engine, failure } from '../engine.ts';
import type { Session } from '../session/session.ts';

type SummaryMethods = 'summaries.list' | 'summaries.set' | 'summaries.remove';

/** Summaries that are beside a transcript: recorded ones are read, written ones kept in the library. */
export function summaryHandlers(engine: Engine): Pick<Handlers, SummaryMethods> {
  const { summaries } = engine.library.tables;
  const changed = (session: Session): readonly SummaryInfo[] => {
    session.source.forgetSummaries();
    engine.broadcast('summaries', { id: session.id });
    return listed(engine, session);
  };
  return {
    'summaries.list'({ id }) {
      const session = engine.session(id);
      return session.ok ? ok({ summaries: listed(engine, session.value) }) : session;
    },
    async 'summaries.set'({ id, from, to, content }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      await engine.writable();
      const version = summaries.set(id, { from, to }, content, new Date().toISOString());
      if (version === null) {
        return err(
          failure('transcript.no_such_place', `There are no messages #${from} to #${to - 1} to be summarized.`),
        );
      }
      return ok({ summaries: changed(session.value), version });
    },
    async 'summaries.remove'({ id, from, to, version }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      await engine.writable();
      if (!summaries.remove(id, { from, to }, version ?? null)) {
        return err(failure('summary.unknown', `There is no written summary of #${from} to #${to - 1}.`));
      }
      return ok({ summaries: changed(session.value) });
    },
  };
}

function listed(engine: Engine, session: Session): readonly SummaryInfo[] {
  const { source } = session;
  const { tokens } = session.inputsFor({});
  const recorded = summariesAt(session, source.length).filter(({ origin }) => origin === 'recorded');
  const written = engine.library.tables.summaries.list(session.id);
  const all = [...recorded.map((summary) => ({ ...summary, state: 'here' as const, writtenAt: null })), ...written];
  return all
    .map((summary) => ({ ...summary, tokens: tokens.text(summary.content) }))
    .sort((a, b) => a.to - b.to || a.version - b.version);
}
