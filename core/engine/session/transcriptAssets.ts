// Assets of Harn transcripts: descriptors that stand among the events, bytes that are there too or in a file beside
// the transcript.
import { assetBytes, openAsset } from '../../importers/reading/assetBytes.ts';
import { ASSET_EVENT, readAsset, type TranscriptAsset } from '../../model/asset.ts';
import { describeBudget, fingerprintOf } from '../../model/eventWords.ts';
import { BUDGET_EVENT, factsOf } from '../../model/lineage.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { NamedAsset, OpenedAssetInfo, PromptCheck, TranscriptFacts } from '../../protocol/types.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { isRecord, recordAt } from '../../util/unknown.ts';
import type { View } from '../../view/types.ts';
import { type AssetBytes, assetIdsIn } from '../../wire/assets.ts';
import { type Engine, failure } from '../engine.ts';
import { placeOf, readAssetFile } from '../files/assetFile.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { Session } from './session.ts';

/** A descriptor without what may be large in it, and where among the events it stands. */
interface Described {
  readonly seq: number;
  readonly asset: NamedAsset;
}

interface Listed {
  events: number;
  byId: ReadonlyMap<string, Described>;
}

/** The assets that a transcript describes, by id. */
function describedAssets({ library }: Engine, session: Session): ReadonlyMap<string, Described> {
  const { events } = session.source.row().counts;
  const listed = session.memo.get('engine.assets', (): Listed => ({ events: -1, byId: new Map() }));
  if (listed.events === events) return listed.byId;
  const byId = new Map<string, Described>();
  for (const { seq, json } of library.eventsOfKinds(session.id, [ASSET_EVENT])) {
    const asset = readAsset(json);
    if (asset !== null) byId.set(asset.id, { seq, asset: infoOf(asset) });
  }
  listed.events = events;
  listed.byId = byId;
  return byId;
}

function infoOf({ id, kind, mime, name, path, payload }: TranscriptAsset): NamedAsset {
  const held = payload !== null ? 'inline' : path !== null ? 'file' : 'nowhere';
  return { id, described: { kind, mime, name, held, path } };
}

/** An asset as a message names it. */
export function assetNamed(engine: Engine, session: Session, id: string): NamedAsset {
  return describedAssets(engine, session).get(id)?.asset ?? { id, described: null };
}

/** The assets that the messages of a span name. */
export function assetsBetween(
  engine: Engine,
  session: Session,
  { from, to }: { readonly from: number; readonly to: number },
): readonly NamedAsset[] {
  const { source } = session;
  if (describedAssets(engine, session).size === 0) return [];
  const items = Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
    kind: 'source' as const,
    index: from + at,
  }));
  return [...assetIdsIn({ items }, source)].map((id) => assetNamed(engine, session, id));
}

/** The bytes of the assets that the messages of a view name. */
export async function assetsIn(engine: Engine, session: Session, view: View): Promise<AssetBytes> {
  if (describedAssets(engine, session).size === 0) return new Map();
  const whole = (id: string) => wholeAsset(engine, session, id);
  return assetBytes(assetIdsIn(view, session.source), whole, (path) => readAssetFile(fileOf(session), path));
}

function wholeAsset(engine: Engine, session: Session, id: string): TranscriptAsset | null {
  const described = describedAssets(engine, session).get(id);
  if (described === undefined) return null;
  const [event] = engine.library.events(session.id, described.seq, described.seq + 1);
  return event === undefined ? null : readAsset(event.json);
}

function fileOf({ source }: Session): string {
  return source.row().files[0] ?? '';
}

/** Answers asset.open. */
export async function openedAsset(
  engine: Engine,
  session: Session,
  id: string,
): Promise<Result<OpenedAssetInfo, ProtocolError>> {
  const asset = wholeAsset(engine, session, id);
  if (asset === null) return err(unreadable(id, 'the transcript does not describe it'));
  const opened = await openAsset(asset, (path) => readAssetFile(fileOf(session), path));
  if (!opened.ok) return err(unreadable(id, opened.error));
  const { mime, bytes } = opened.value;
  return ok({ mime, bytes: bytes.length, base64: Buffer.from(bytes).toString('base64') });
}

/** Answers asset.openTranscript: what is in the file was imported with it; what is in a separate file is now. */
export async function archivedTranscript(
  engine: Engine,
  session: Session,
  id: string,
): Promise<Result<{ readonly id: string } | { readonly jobId: string }, ProtocolError>> {
  const families = engine.families(session.id);
  const member = families?.get(session.id);
  const children = families && member ? families.childrenOf(member) : [];
  const own = children.find((child) => engine.library.get(child.id)?.meta.archivedAs === id);
  if (own !== undefined) return ok({ id: own.id });
  const { described } = assetNamed(engine, session, id);
  if (described === null) return err(unreadable(id, 'the transcript does not describe it'));
  if (described.path === null) return err(unreadable(id, 'it holds no transcript'));
  const place = await placeOf(fileOf(session), described.path);
  if (!place.ok) return err(unreadable(id, place.error));
  const jobId = engine.jobs.start({ kind: 'import', paths: [place.value] });
  engine.imports.add(jobId);
  return ok({ jobId });
}

function unreadable(id: string, why: string): ProtocolError {
  return failure('asset.unreadable', `The asset ${id} cannot be opened: ${why}.`);
}

/** Answers transcript.facts. */
export function recordedFacts(engine: Engine, session: Session): TranscriptFacts {
  const { meta } = session.source.row();
  return {
    state: meta.state ?? null,
    metadata: meta.metadataJson ?? null,
    budget: lastBudgetAction(session, meta.metadataJson),
    prompt: promptCheck(engine, session, meta.systemJson),
    assets: [...describedAssets(engine, session).values()].map(({ asset }) => asset),
  };
}

// As the metadata has it, else the last event.
function lastBudgetAction({ source }: Session, metadataJson: string | undefined): string | null {
  const metadata: unknown = metadataJson === undefined ? null : JSON.parse(metadataJson);
  const budget = isRecord(metadata) ? recordAt(metadata, 'transcript_budget') : undefined;
  const action = budget && recordAt(budget, 'last_action');
  if (action !== undefined) return describeBudget(action);
  const last = source.lineage().findLast(({ kind }) => kind === BUDGET_EVENT);
  return last === undefined ? null : describeBudget(factsOf(last.json));
}

function promptCheck({ library }: Engine, session: Session, systemJson: string | undefined): PromptCheck | null {
  const [event] = library.eventsOfKinds(session.id, ['system_prompt'], 0, 1);
  const recorded = event === undefined ? null : fingerprintOf(factsOf(event.json));
  if (recorded === null) return null;
  const prompt: unknown = systemJson === undefined ? null : JSON.parse(systemJson);
  // A prompt in blocks has no fingerprint of its own here: how the runtime joins them is not recorded.
  return { recorded, own: typeof prompt === 'string' ? `sha256:${nodeSha256().update(prompt).hex()}` : null };
}
