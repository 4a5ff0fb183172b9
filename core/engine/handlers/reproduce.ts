import { recordedFormat } from '../../model/transcript.ts';
import { isAsRecorded } from '../../projection/asRecorded.ts';
import { policyName } from '../../projection/policyName.ts';
import { PRESETS } from '../../projection/presets.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { ReproduceParams, ReproduceResult } from '../../protocol/reproduceTypes.ts';
import type { Handlers } from '../../protocol/serve.ts';
import {
  type CallLanguage,
  defaultTarget,
  isTyped,
  pytestFixture,
  type RequestAbout,
  requestCall,
  requestJson,
  sentRequest,
  settingsMarkdown,
  vendorSettings,
  vitestFixture,
} from '../../reproduce/index.ts';
import { leaksIn } from '../../scrub/finished.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { createMemo } from '../../view/memo.ts';
import { toWire } from '../../wire/toWire.ts';
import type { Engine } from '../engine.ts';
import { failure } from '../failures.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import type { FinishedReview } from '../review/finishReview.ts';
import type { HeldReview, Reviews } from '../review/reviews.ts';
import { inTurns } from '../session/inTurns.ts';
import { modelOf } from '../session/transcriptModel.ts';

const LEFT = failure(
  'export.left',
  'Nothing was copied: something that must not leave is left in it. Review it in Report a bug.',
);
const NO_CALL = failure('reproduce.no_call', 'There is no Python call for Gemini: copy it as curl or TypeScript.');
const DROPPED = 'Thinking that the provider would drop is left out.';

/** A projection as something that runs: scrubbed as a report is. */
export function reproduceHandlers(engine: Engine, reviews: Reviews): Pick<Handlers, 'reproduce.text'> {
  return {
    async 'reproduce.text'(params, { clientId }) {
      if (params.as === 'settings') return settingsOf(engine, params);
      const { id, spec, at } = params;
      const held = await reviews.openAlone(clientId, { id, spec, at });
      if (!held.ok) return held;
      const finished = await reviews.finish(clientId, held.value, false);
      if (!finished.ok) return finished;
      if (finished.value.leaks.length > 0) return err(LEFT);
      const masked = held.value.open.review.kinds().reduce((sum, kind) => sum + kind.masked, 0);
      const made = await textOf(params, held.value, finished.value);
      return made.ok ? ok({ ...made.value, masked }) : made;
    },
  };
}

type Made = Result<Pick<ReproduceResult, 'text' | 'notes'>, ProtocolError>;

function settingsOf(engine: Engine, { id, spec }: ReproduceParams): Result<ReproduceResult, ProtocolError> {
  const parsed = readSpecFor(engine, id, spec);
  if (!parsed.ok) return parsed;
  return ok({ text: settingsMarkdown(vendorSettings(parsed.value)), masked: 0, notes: [] });
}

function textOf(params: ReproduceParams, held: HeldReview, finished: FinishedReview): Made | Promise<Made> {
  const { as } = params;
  if (as !== 'vitest' && as !== 'pytest') return as === 'settings' ? err(NO_CALL) : callOf(as, params, held, finished);
  const { input, sums, text } = finished;
  const fixture = {
    about: aboutOf(finished, held),
    specJson: JSON.stringify(input.spec),
    bundle: { text: text.text },
    prefixHash: sums.prefixHash,
  };
  return ok({ text: as === 'vitest' ? vitestFixture(fixture) : pytestFixture(fixture), notes: [] });
}

async function callOf(
  as: CallLanguage,
  { target: asked, model }: ReproduceParams,
  held: HeldReview,
  finished: FinishedReview,
): Promise<Made> {
  const { scrubber, leaving } = held.open;
  const row = leaving.session.source.row();
  const { meta, models } = row;
  const { source, projection, recorded } = finished.input;
  const { systemJson, toolsJson, settingsJson, ...named } = { ...meta, models };
  const own = {
    ...named,
    ...(recorded?.systemJson !== undefined && { systemJson: recorded.systemJson }),
    ...(recorded?.toolsJson !== undefined && { toolsJson: recorded.toolsJson }),
    ...(recorded?.settingsJson !== undefined && { settingsJson: recorded.settingsJson }),
  };
  const by = { format: recordedFormat(meta), model: modelOf(row) ?? undefined };
  const target = asked ?? defaultTarget({ source, at: projection.at, memo: createMemo() }, by);
  const body = toWire(projection.view, source, createMemo(), target, {
    meta: own,
    strict: isTyped(as),
    ...(model !== undefined && { model }),
  });
  const request = sentRequest(body, aboutOf(finished, held));
  const work = leaving.session.work.background('asked', (turn) =>
    inTurns(leaksIn(scrubber, requestJson(request)), turn),
  );
  const leaks = await work.done;
  if (!leaks.ok || leaks.value.length > 0) return err(LEFT);
  const text = requestCall(request, as);
  if (text === null) return err(NO_CALL);
  return ok({ text, notes: (projection.thinking?.dropped ?? 0) > 0 ? [DROPPED] : [] });
}

function aboutOf({ input }: FinishedReview, { open }: HeldReview): RequestAbout {
  const { session, parsed, at } = open.leaving;
  const { source } = session;
  const isRecorded = isAsRecorded(parsed.spec, source);
  const policy = isRecorded ? null : (policyName(input.spec, PRESETS) ?? 'a custom policy');
  return { title: input.transcript.title, at, messages: input.transcript.messages ?? source.length, policy };
}
