import { planSeries, rawPoints, type SeriesPlan } from '../../insight/series.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { bugError, type ClientContext, type Handlers } from '../../protocol/channel.ts';
import type { Series, SeriesPoint } from '../../protocol/types.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { readSpec } from '../projecting.ts';
import type { Session } from '../session/session.ts';
import type { Tokenizing } from '../session/tokenizing.ts';
import { createSlicer } from '../slicer.ts';

const TELL_EVERY_MS = 100;
const COUNT_CHARS = 20_000;

interface Running {
  readonly seriesId: string;
  readonly client: ClientContext;
  cancelled: boolean;
}

/** Series over the call points: one at a time for each client, a newer one ends the older. */
export function seriesHandlers(engine: Engine): Pick<Handlers, 'series.start' | 'series.stop'> {
  const running = new Map<number, Running>();
  let made = 0;
  return {
    'series.start'({ id, spec, samples, tokenizer }, client) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const parsed = readSpec(spec);
      if (!parsed.ok) return parsed;
      const older = running.get(client.clientId);
      if (older) older.cancelled = true;
      const tokens = session.value.tokenizing(tokenizer ?? parsed.value.spec.tokenizer);
      const { callPoints, turnStarts } = session.value.outline;
      const plan = planSeries(callPoints, turnStarts, samples);
      const run: Running = { seriesId: `series-${++made}`, client, cancelled: false };
      running.set(client.clientId, run);
      const points = [...rawPoints(plan, (at) => tokens.range(0, at))];
      const series = (complete: boolean): Series => ({
        seriesId: run.seriesId,
        points: [...points],
        sampled: plan.sampled,
        callPoints: callPoints.length,
        provenance: tokens.provenance,
        complete,
      });
      if (isIdentity(parsed.value)) return ok(series(true));
      const work = { engine, session: session.value, parsed: parsed.value, tokens };
      // A bug in a stage ends this series and says so; it must not end the engine.
      void fill(work, plan, run, points, series).catch((error: unknown) => {
        if (!run.cancelled) client.emit('series', { ...series(true), problem: bugError(error).message });
      });
      return ok(series(false));
    },
    'series.stop'({ seriesId }, client) {
      const run = running.get(client.clientId);
      if (run?.seriesId === seriesId) run.cancelled = true;
      return ok({});
    },
  };
}

function isIdentity({ stages }: ParsedSpec): boolean {
  return stages.every(({ enabled, kind }) => !enabled || kind === 'raw');
}

interface Work {
  readonly engine: Engine;
  readonly session: Session;
  readonly parsed: ParsedSpec;
  readonly tokens: Tokenizing;
}

/** Projects the plan's points, coarse first, and tells of them at most ten times a second. */
async function fill(
  work: Work,
  plan: SeriesPlan,
  run: Running,
  points: SeriesPoint[],
  series: (complete: boolean) => Series,
): Promise<void> {
  const filled = points;
  const slicer = createSlicer();
  let told = performance.now();
  for (const position of plan.order) {
    await slicer.pause();
    if (run.cancelled || work.session.closed) return;
    const point = filled[position]!;
    const projected = await work.engine.projectInBackground(work.session, work.parsed.stages, point.at);
    if (!projected.ok) {
      if (!run.cancelled) run.client.emit('series', { ...series(true), problem: projected.error.message });
      return;
    }
    const { view } = projected.value;
    filled[position] = { ...point, byCategory: work.tokens.view(view, { chars: COUNT_CHARS }).byCategory };
    if (performance.now() - told < TELL_EVERY_MS || run.cancelled) continue;
    told = performance.now();
    run.client.emit('series', series(false));
  }
  if (!run.cancelled) run.client.emit('series', series(true));
}
