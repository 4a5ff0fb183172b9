// Blocks that name an asset by its id get its bytes before they are written for a provider: what a Harn transcript keeps
// apart from its messages is part of what was sent.
import { assetIdOf } from '../model/asset.ts';
import type { JsonPath } from '../model/message.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { removeMember, setMember } from '../util/json/index.ts';
import type { Result } from '../util/result.ts';
import { isRecord, ownAt } from '../util/unknown.ts';
import { itemText } from '../view/reader.ts';
import type { View } from '../view/types.ts';

/** An asset's bytes, by its id; the error says why they cannot be had. */
export type AssetBytes = ReadonlyMap<string, Result<{ readonly mime: string; readonly base64: string }, string>>;

interface AssetBlock {
  readonly path: JsonPath;
  readonly id: string;
}

/** The ids of the assets that the messages of a view name. */
export function assetIdsIn({ items }: View, source: TranscriptSource): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of items) for (const { id } of blocksIn(itemText(item, source))) ids.add(id);
  return ids;
}

/** The message's JSON text with the bytes of its assets in their blocks; where there are none, why is in `asset_error`. */
export function withAssets(text: string, assets: AssetBytes): string {
  return blocksIn(text).reduce((edited, { path, id }) => {
    const found = assets.get(id) ?? { ok: false as const, error: 'the transcript does not describe it' };
    if (!found.ok) return setMember(edited, path, 'asset_error', JSON.stringify(found.error));
    const source = { type: 'base64', media_type: found.value.mime, data: found.value.base64 };
    return removeMember(setMember(edited, path, 'source', JSON.stringify(source)), path, 'asset_id');
  }, text);
}

// Most messages name none: they are not parsed.
function blocksIn(text: string): readonly AssetBlock[] {
  if (!text.includes('asset_id') && !text.includes('assetId')) return [];
  const message: unknown = JSON.parse(text);
  return isRecord(message) ? contentBlocks(ownAt(message, 'content'), ['content']) : [];
}

function contentBlocks(content: unknown, path: JsonPath): readonly AssetBlock[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown, at): readonly AssetBlock[] => {
    const id = isRecord(block) && ownAt(block, 'source') === undefined ? assetIdOf(block) : null;
    if (id !== null) return [{ path: [...path, at], id }];
    return isRecord(block) ? contentBlocks(ownAt(block, 'content'), [...path, at, 'content']) : [];
  });
}
