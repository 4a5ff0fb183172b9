import type { NamedAsset } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { Seen } from '../ui/Seen.tsx';
import { Picture } from './PartImage.tsx';

/** An asset that a message names: its picture, or what the transcript keeps of it, and where. */
export function AssetView({ asset }: { readonly asset: NamedAsset }) {
  const { described } = asset;
  if (described === null) {
    return (
      <p className="mute">
        It is the asset{' '}
        <span className="mono">
          <Seen text={asset.id} />
        </span>
        , which the transcript does not describe.
      </p>
    );
  }
  return (
    <div className="asset-view">
      <p className="mute">
        <Seen text={describeAsset(asset)} />
      </p>
      {isArchive(asset) ? <OpenTranscript assetId={asset.id} /> : isImage(asset) && <AssetPicture id={asset.id} />}
    </div>
  );
}

/** `image asset_1 · image/png · .harn/assets/a.png`. */
export function describeAsset({ id, described }: NamedAsset): string {
  if (described === null) return id;
  const { kind, mime, name, held, path } = described;
  const place = held === 'inline' ? 'in the file' : held === 'file' ? path : 'neither data nor a path recorded';
  return [`${kind} ${id}`, name, mime, place].filter((word) => word !== null).join(' · ');
}

function isImage({ described }: NamedAsset): boolean {
  return described?.kind === 'image' || described?.mime?.startsWith('image/') === true;
}

function isArchive({ described }: NamedAsset): boolean {
  return /snapshot|transcript/.test(described?.kind ?? '');
}

function AssetPicture({ id }: { readonly id: string }) {
  const transcript = useAppState((state) => state.session.id);
  const { value, error } = useAnswer('asset.open', transcript === null ? null : { id: transcript, asset: id });
  if (error) return <p className="drawer-error">{error.message}</p>;
  if (value === null) return <p className="faint">Reading the image…</p>;
  return <Picture mime={value.mime} base64={value.base64} bytes={value.bytes} />;
}

/** Opens what a compaction archived: a separate transcript. */
export function OpenTranscript({ assetId }: { readonly assetId: string }) {
  const { openArchived } = useActions();
  return (
    <button type="button" className="button" onClick={() => void openArchived(assetId)} data-testid="open-archived">
      Open the archived transcript
    </button>
  );
}
