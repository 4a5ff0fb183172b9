// A compaction's snapshot: the transcript as it was, kept as an asset of the one that continues.
import { ASSET_EVENT, type AssetPayload, payloadText, readAsset, type TranscriptAsset } from '../../model/asset.ts';
import { type LineageEvent, PROJECTION_EVENT, rewriteOf } from '../../model/lineage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../memory.ts';

/** Reads an archived transcript: its bytes, or the payload of its asset. The error says what they are not. */
export function readSnapshot(payload: AssetPayload | Uint8Array): Result<ImportedTranscript, string> {
  const { transcripts, problems } = importText(payload instanceof Uint8Array ? payload : documentOf(payload));
  const [first] = transcripts;
  if (first !== undefined) return ok(first);
  return err(problems.find(({ severity }) => severity === 'error')?.text ?? 'it holds no transcript');
}

function documentOf(payload: AssetPayload): string {
  return asDocument(payloadText(payload) ?? '');
}

// A list of messages is a transcript too.
function asDocument(text: string): string {
  return text.trimStart().startsWith('[') ? `{"_type":"transcript","messages":${text}}` : text;
}

/** Reads a file that the transcript names by a path; the error is a sentence's end. */
export type ReadSibling = (path: string) => Promise<Result<Uint8Array, string>>;

/** The descriptors among a transcript's events, by id; of one id the last. */
export function assetsOf(events: readonly Pick<LineageEvent, 'kind' | 'json'>[]): ReadonlyMap<string, TranscriptAsset> {
  const assets = new Map<string, TranscriptAsset>();
  for (const { kind, json } of events) {
    const asset = kind === ASSET_EVENT ? readAsset(json) : null;
    if (asset !== null) assets.set(asset.id, asset);
  }
  return assets;
}

/** Opens an archived transcript by the id of its asset. */
export async function openSnapshot(
  assets: ReadonlyMap<string, TranscriptAsset>,
  assetId: string,
  read: ReadSibling,
): Promise<Result<ImportedTranscript, string>> {
  const asset = assets.get(assetId);
  if (asset === undefined) return err(`the transcript has no asset ${assetId}`);
  if (asset.payload !== null) return readSnapshot(asset.payload);
  if (asset.path === null) return err(`the asset ${assetId} has neither data nor a path`);
  const bytes = await read(asset.path);
  return bytes.ok ? readSnapshot(bytes.value) : bytes;
}

/** Opens every snapshot that the lineage of these events asks for. */
export async function openSnapshots(
  events: readonly LineageEvent[],
  read: ReadSibling,
): Promise<(assetId: string) => Result<TranscriptSource, string>> {
  const assets = assetsOf(events);
  const opened = new Map<string, Result<TranscriptSource, string>>();
  for (const id of snapshotIds(events)) {
    const found = await openSnapshot(assets, id, read);
    opened.set(id, found.ok ? ok(MemoryTranscript.of(found.value)) : found);
  }
  return (id) => opened.get(id) ?? err(`the transcript has no asset ${id}`);
}

// Only those of compactions behind a recorded projection: no other event asks what was there.
function snapshotIds(events: readonly LineageEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  let isAsked = false;
  for (const event of events) {
    isAsked ||= event.kind === PROJECTION_EVENT;
    const id = rewriteOf(event)?.snapshotAssetId ?? null;
    if (isAsked && id !== null) ids.add(id);
  }
  return ids;
}
