import { isReadByOlder } from '../../importers/reading/olderReader.ts';
import { stepCallPoint, turnEnds } from '../../insight/places.ts';
import { turnOf } from '../../insight/turnOf.ts';
import { ASSET_EVENT, readAsset } from '../../model/asset.ts';
import { describeEvent } from '../../model/eventWords.ts';
import { BUDGET_EVENT, rewriteOf } from '../../model/lineage.ts';
import type { Problem } from '../../model/problem.ts';
import { recordedWindow } from '../../model/transcript.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { CompactionMark, EventInfo, TranscriptInfo } from '../../protocol/types.ts';
import type { StoredEvent } from '../../store/types.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { choiceText, chosenFor } from '../library/choice.ts';
import { underOf } from '../library/relations.ts';
import { relativesOf } from '../library/relatives.ts';
import { listed, summaryOf } from '../library/summary.ts';
import { bundleInfo, bundleProblems } from '../session/bundleCheck.ts';
import { projectRawAhead } from '../session/projecting.ts';
import { replayProblems } from '../session/replay.ts';
import type { Session } from '../session/session.ts';
import type { Tokenizing } from '../session/tokenizing.ts';
import { archivedTranscript, openedAsset, recordedFacts } from '../session/transcriptAssets.ts';

type TranscriptMethods =
  | 'transcript.open'
  | 'transcript.close'
  | 'transcript.moving'
  | 'transcript.setOverhead'
  | 'transcript.setChoice'
  | 'transcript.problems'
  | 'transcript.relatives'
  | 'transcript.events'
  | 'transcript.callPoints'
  | 'transcript.step'
  | 'transcript.turn'
  | 'record.get'
  | 'record.at'
  | 'asset.get'
  | 'asset.open'
  | 'asset.openTranscript'
  | 'transcript.facts';

/** Characters of a record given unless more are asked for. */
const RECORD_CHARS = 100_000;

const READ_BY_OLDER: Problem = {
  code: 'import.read_by_older',
  severity: 'info',
  text: 'An older version read this transcript and made less of its file. Import the file again: notes and tags stay.',
};

/** An open transcript: everything that depends on no projection. */
export function transcriptHandlers(engine: Engine): Pick<Handlers, TranscriptMethods> {
  const { library } = engine;
  return {
    'transcript.open'({ id }, client) {
      const session = engine.session(id);
      if (!session.ok) return session;
      engine.hold(id, client.clientId);
      // A failure is reported to whoever asks for that projection.
      projectRawAhead(engine, session.value).catch(() => undefined);
      return ok(infoOf(engine, session.value));
    },
    'transcript.moving'({ id }) {
      // Of a transcript that is not open there is nothing at work.
      engine.openSession(id)?.work.beginMoment();
      return ok({});
    },
    'transcript.close'({ id }, client) {
      engine.release(id, client.clientId);
      return ok({});
    },
    async 'transcript.setOverhead'({ id, tokens }) {
      if (library.get(id) === null) return err(failure('transcript.unknown', `The library has no transcript ${id}.`));
      await engine.writable();
      library.tables.overheads.set(id, tokens);
      return ok({});
    },
    async 'transcript.setChoice'({ id, choice }) {
      if (library.get(id) === null) return err(failure('transcript.unknown', `The library has no transcript ${id}.`));
      await engine.writable();
      library.tables.choices.set(id, choiceText(choice));
      return ok({});
    },
    'transcript.relatives': ({ id }) => relativesOf(engine, id),
    async 'transcript.problems'({ id }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const replayed = await replayProblems(engine, session.value);
      const ofBundle = await bundleProblems(engine, session.value);
      const row = library.get(id);
      const older = row !== null && isReadByOlder(row.meta) ? [READ_BY_OLDER] : [];
      return ok({ problems: [...older, ...library.problems(id), ...ofBundle, ...replayed] });
    },
    'transcript.events'({ id, from, to, kind }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const kinds = library.eventKinds(id);
      const all = session.value.source.row().counts.events;
      const total = kind === undefined ? all : (kinds.find((each) => each.kind === kind)?.count ?? 0);
      const events =
        kind === undefined
          ? library.events(id, from, to)
          : library.eventsOfKinds(id, [kind], from, Math.max(0, to - from));
      return ok({ events: events.map(eventInfo), total, kinds });
    },
    'transcript.facts'({ id }) {
      const session = engine.session(id);
      return session.ok ? ok(recordedFacts(engine, session.value)) : session;
    },
    async 'asset.open'({ id, asset }) {
      const session = engine.session(id);
      return session.ok ? openedAsset(engine, session.value, asset) : session;
    },
    async 'asset.openTranscript'({ id, asset }) {
      const session = engine.session(id);
      return session.ok ? archivedTranscript(engine, session.value, asset) : session;
    },
    'transcript.callPoints'({ id }) {
      const session = engine.session(id);
      return session.ok ? ok({ at: session.value.outline.callPoints }) : session;
    },
    'transcript.turn'({ id, index }) {
      const session = engine.session(id);
      return session.ok ? ok(turnOf(session.value.outline, (at) => session.value.source.meta(at), index)) : session;
    },
    'transcript.step'({ id, at, delta, by }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const { callPoints, turnStarts } = session.value.outline;
      return ok({ at: stepCallPoint(by === 'call' ? callPoints : turnEnds(callPoints, turnStarts), at, delta) });
    },
    'record.get'({ id, index }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const { source } = session.value;
      if (index >= source.length) return err(failure('transcript.no_such_place', `There is no message #${index}.`));
      const records = source.records(index).map(({ origin, json }) => ({ line: origin.line, json }));
      return ok({ records });
    },
    'record.at'({ id, byteStart, limit = RECORD_CHARS }) {
      const record = library.recordAt(id, byteStart);
      if (!record) return err(failure('record.unknown', `No record of this transcript begins at byte ${byteStart}.`));
      const { origin, json, bytes } = record;
      const truncated = json.length > limit;
      const base64 = bytes && !truncated ? Buffer.from(bytes).toString('base64') : null;
      return ok({ line: origin.line, text: json.slice(0, limit), truncated, base64 });
    },
    'asset.get'({ assetId }) {
      const asset = library.asset(assetId);
      if (!asset) return err(failure('asset.unknown', `The library has no asset ${assetId}.`));
      const { info, data } = asset;
      const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
      return ok({ mime: info.mime, bytes: info.bytes, base64 });
    },
  };
}

function eventInfo(event: StoredEvent): EventInfo {
  const { kind, at, visibility, text, timestamp, json, origin } = event;
  const words = describeEvent(kind, json);
  const assetId = rewriteOf(event)?.snapshotAssetId ?? (kind === ASSET_EVENT ? (readAsset(json)?.id ?? null) : null);
  return { kind, at, visibility, text, words, assetId, timestamp, json, line: origin.line };
}

/** Everything about an open transcript that is not per message. */
export function infoOf(engine: Engine, session: Session): TranscriptInfo {
  const row = session.source.row();
  const { meta, counts } = row;
  const tokens = session.tokenizing(null);
  const { callPoints, turnStarts } = session.outline;
  const totals = engine.library.tokenTotals(tokens.table.tokenizer).get(row.id) ?? null;
  const families = engine.families(row.id);
  return {
    ...summaryOf(row, listed(totals, engine.plainCounts), families && underOf(families, row.id)),
    cwd: meta.cwd ?? null,
    gitBranch: meta.gitBranch ?? null,
    toolVersion: meta.toolVersion ?? null,
    sessionId: meta.sessionId ?? null,
    models: row.models,
    turns: turnStarts.length,
    callPoints: callPoints.length,
    events: counts.events,
    assets: counts.assets,
    compactionMarks: marksOf(engine, session),
    projections: session.source.projections().length,
    ...(tokens.calibration !== null && calibratedTotal(tokens, session.source.length)),
    tokenizer: tokens.table.tokenizer,
    tokenizerLabel: tokens.label,
    window: session.window,
    isWindowRecorded: recordedWindow(meta) !== null,
    counted: tokens.table.counted,
    overhead: engine.library.tables.overheads.get(session.id),
    bundle: bundleInfo(row),
    archivedAs: meta.archivedAs ?? null,
    choice: chosenFor(engine.library, row),
  };
}

function marksOf({ library }: Engine, { id, source }: Session): readonly CompactionMark[] {
  const compactions = library.compactions(id).map(({ at, label }) => ({ at, label, kind: 'compaction' as const }));
  const budgets = source.lineage().flatMap(({ at, kind, json }) => {
    return kind === BUDGET_EVENT ? [{ at, label: describeEvent(kind, json), kind: 'budget' as const }] : [];
  });
  return [...compactions, ...budgets].sort((a, b) => a.at - b.at);
}

// As every other figure of the open transcript.
function calibratedTotal(tokens: Tokenizing, messages: number) {
  return { tokens: tokens.rangeTotal(0, messages), tokensProvenance: tokens.provenance };
}
