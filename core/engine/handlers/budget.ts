import { PRESETS, type Preset, presetsFor } from '../../projection/presets.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type { PresetFigure } from '../../protocol/types.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { readAt, readSpec } from '../projecting.ts';
import type { Session } from '../session/session.ts';
import type { Tokenizing } from '../session/tokenizing.ts';
import { createSlicer } from '../slicer.ts';

const COUNT_CHARS = 100_000;

/** What this turn would cost under every preset. */
export function budgetHandlers(engine: Engine): Pick<Handlers, 'budget.presets'> {
  return {
    async 'budget.presets'({ id, at, tokenizer }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const tokens = session.value.tokenizing(tokenizer);
      const figures: PresetFigure[] = [];
      const slicer = createSlicer();
      for (const preset of presetsFor(PRESETS, session.value.source.compactions().length > 0)) {
        figures.push(await figureOf(engine, session.value, tokens, preset, place.value));
        await slicer.pause();
      }
      return ok({ figures });
    },
  };
}

async function figureOf(engine: Engine, session: Session, tokens: Tokenizing, preset: Preset, at: number) {
  const { name, title, spec } = preset;
  const parsed = readSpec(spec);
  if (!parsed.ok) throw new Error(`preset ${name} is no valid spec: ${parsed.error.message}`);
  const projection = await engine.project(session, parsed.value.stages, at);
  const problem = projection.problems.find(({ severity }) => severity === 'error')?.text ?? null;
  const { figure } = tokens.viewFigure(projection.view, { chars: COUNT_CHARS });
  return { name, title, spec: parsed.value.spec, tokens: figure, blocked: projection.providerSafetyBlocked, problem };
}
