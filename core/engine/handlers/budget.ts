import { type PreservedThinking, readPreservedThinking } from '../../projection/binding/setting.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { PresetTables, questionKey } from '../presetTable/table.ts';
import { readAt } from '../session/projecting.ts';

/** What this turn would cost under every preset, and from where on each does not fit. */
export function budgetHandlers(engine: Engine): Pick<Handlers, 'budget.presets'> {
  const tables = new PresetTables(engine);
  const works = engine.clientWork();
  return {
    async 'budget.presets'(asked, client) {
      const { id, at, tokenizer, window, overhead, thinking, afterRecorded, firstOver, sums, policies } = asked;
      const session = engine.session(id);
      if (!session.ok) return session;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const question = {
        session: session.value,
        at: place.value,
        tokens: session.value.tokenizing(tokenizer),
        window: window ?? null,
        overhead: overhead ?? null,
        thinking: settingIn(thinking),
        after: afterRecorded ?? false,
        policies: (policies ?? []).map((policy) => ({ ...policy })),
      };
      const along = sums ? 'sums' : firstOver ? 'firstOver' : 'nothing';
      const table = works.begin(client.clientId, questionKey(question), () =>
        tables.ask(question, along, (figure) => client.emit('preset', { question: asked, figure })),
      );
      const figures = await table.done;
      return figures.ok ? ok({ figures: figures.value }) : err(SUPERSEDED);
    },
  };
}

// What is wrong with it is reported where the policy is set.
function settingIn(given: unknown): PreservedThinking | null {
  return readPreservedThinking(given, ignore, ignore);
}

function ignore(): void {}
