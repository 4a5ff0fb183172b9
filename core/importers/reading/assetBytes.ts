// The bytes of a transcript's assets, from the file itself or from one beside it.
import { decodeBase64, encodeBase64, type TranscriptAsset } from '../../model/asset.ts';
import { sniffBytes } from '../../util/imageSize.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { ReadSibling } from './snapshot.ts';

/** An asset's bytes and what they are. */
export interface OpenedAsset {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** Opens an asset; the error is a sentence's end that says why not. */
export async function openAsset(asset: TranscriptAsset, read: ReadSibling): Promise<Result<OpenedAsset, string>> {
  const found = await bytesOf(asset, read);
  if (!found.ok) return found;
  return ok({ mime: sniffBytes(found.value).mime ?? asset.mime ?? 'application/octet-stream', bytes: found.value });
}

async function bytesOf(asset: TranscriptAsset, read: ReadSibling): Promise<Result<Uint8Array, string>> {
  const { payload, path, id } = asset;
  if (payload !== null) {
    if (payload.form !== 'base64') return ok(new TextEncoder().encode(payload.text));
    const bytes = decodeBase64(payload.base64);
    return bytes === null ? err(`the data of ${id} is not base64`) : ok(bytes);
  }
  return path === null ? err(`${id} has neither data nor a path`) : read(path);
}

/** The bytes of the assets with these ids, as base64; of those that cannot be had why. */
export async function assetBytes(
  ids: Iterable<string>,
  assetOf: (id: string) => TranscriptAsset | null,
  read: ReadSibling,
): Promise<ReadonlyMap<string, Result<{ readonly mime: string; readonly base64: string }, string>>> {
  const found = new Map<string, Result<{ readonly mime: string; readonly base64: string }, string>>();
  for (const id of ids) {
    const asset = assetOf(id);
    const opened = asset === null ? err('the transcript does not describe it') : await openAsset(asset, read);
    found.set(id, opened.ok ? ok({ mime: opened.value.mime, base64: encodeBase64(opened.value.bytes) }) : opened);
  }
  return found;
}
