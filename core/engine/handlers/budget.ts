import { sampleEvenly, turnAt } from '../../insight/places.ts';
import { CallPointSums, naiveStages } from '../../projection/allCallPoints.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { PRESETS, type Preset, presetsFor } from '../../projection/presets.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type { FirstOver, PresetFigure } from '../../protocol/types.ts';
import { ok } from '../../util/result.ts';
import { followInSlices, SessionTally } from '../callPoints.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../policyScopes.ts';
import { readAt } from '../projecting.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import type { Session } from '../session/session.ts';
import type { Tokenizing } from '../session/tokenizing.ts';
import { createSlicer } from '../slicer.ts';

const COUNT_CHARS = 100_000;
/** Call points looked at under a preset that must be run anew at each. */
const NAIVE_SAMPLES = 24;
const KEPT_FIRST_OVER = 64;

/** What this turn would cost under every preset, and from where on each does not fit. */
export function budgetHandlers(engine: Engine): Pick<Handlers, 'budget.presets'> {
  return {
    async 'budget.presets'({ id, at, tokenizer, firstOver }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const place = readAt(session.value, at);
      if (!place.ok) return place;
      const tokens = session.value.tokenizing(tokenizer);
      const figures: PresetFigure[] = [];
      const slicer = createSlicer();
      for (const preset of presetsFor(PRESETS, session.value.source.compactions().length > 0)) {
        const table: Table = {
          engine,
          session: session.value,
          tokens,
          preset,
          parsed: parse(engine, session.value, preset),
        };
        const figure = await figureOf(table, place.value);
        const over = firstOver === true ? { firstOver: await firstOverOf(table, figure.total) } : {};
        figures.push({ ...figure, ...over });
        await slicer.pause();
      }
      return ok({ figures });
    },
  };
}

interface Table {
  readonly engine: Engine;
  readonly session: Session;
  readonly tokens: Tokenizing;
  readonly preset: Preset;
  readonly parsed: ParsedSpec;
}

function parse(engine: Engine, session: Session, { name, spec }: Preset): ParsedSpec {
  const parsed = readSpecFor(engine, session.id, spec);
  if (!parsed.ok) throw new Error(`preset ${name} is no valid spec: ${parsed.error.message}`);
  return parsed.value;
}

async function figureOf({ engine, session, tokens, preset, parsed }: Table, at: number) {
  const { name, title, spec } = preset;
  const inputs = session.inputsFor(parsed.spec, { tokenizer: tokens.table.tokenizer });
  const projection = await engine.project(session, parsed.stages, at, inputs);
  const problem = projection.problems.find(({ severity }) => severity === 'error')?.text ?? null;
  const { figure } = tokens.viewFigure(projection.view, { chars: COUNT_CHARS });
  const total = inputs.budget?.total ?? null;
  const fits = total === null ? null : figure.total <= total;
  return { name, title, spec, tokens: figure, blocked: projection.providerSafetyBlocked, problem, total, fits };
}

// The same at whatever turn it is asked: remembered until there are other messages, or other counts.
async function firstOverOf(table: Table, total: number | null): Promise<FirstOver | null> {
  if (total === null) return null;
  const { session, tokens, parsed } = table;
  const known = session.memo.get('engine.firstOver', () => new BoundedMap<string, FirstOver | null>(KEPT_FIRST_OVER));
  const key = JSON.stringify([parsed.spec.stages, total, session.source.length, tokens.state]);
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const found = await lookForFirstOver(table, total);
  known.set(key, found);
  return found;
}

async function lookForFirstOver({ engine, session, tokens, parsed }: Table, total: number): Promise<FirstOver | null> {
  const { callPoints, turnStarts } = session.outline;
  const sampled = naiveStages(parsed.stages).length > 0 && callPoints.length > NAIVE_SAMPLES;
  const points = sampled ? sampleEvenly(callPoints, NAIVE_SAMPLES) : callPoints;
  const tally = new SessionTally(session, tokens);
  let sums: CallPointSums | null = null;
  let over: FirstOver | null = null;
  await followInSlices(
    { engine, session, parsed, tokens, points },
    (point) => {
      tally.refill();
      sums ??= new CallPointSums(session.source, point, tally.add);
      return sums.take(point);
    },
    ({ at, byCategory }) => {
      const held = byCategory.reduce((sum, slot) => sum + slot, 0);
      if (held > total) over = { at, turn: turnAt(turnStarts, at) ?? 0, tokens: held, sampled };
      return over === null;
    },
  );
  return over;
}
