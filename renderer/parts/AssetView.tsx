import { useEffect, useState } from 'react';
import type { NamedAsset, OpenedAssetInfo } from '../../core/protocol/types.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { Picture } from './PartImage.tsx';

type Opening = OpenedAssetInfo | { readonly error: string } | null;

/** An asset that a message names: its picture, or what the transcript keeps of it, and where. */
export function AssetView({ asset }: { readonly asset: NamedAsset }) {
  const { described } = asset;
  if (described === null) {
    return (
      <p className="mute">
        It is the asset <span className="mono">{asset.id}</span>, which the transcript does not describe.
      </p>
    );
  }
  return (
    <div className="asset-view">
      <p className="mute">{assetWords(asset)}</p>
      {isArchive(asset) ? <OpenTranscript assetId={asset.id} /> : isImage(asset) && <AssetPicture id={asset.id} />}
    </div>
  );
}

/** `image asset_1 · image/png · .harn/assets/a.png`. */
export function assetWords({ id, described }: NamedAsset): string {
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
  const { engine } = useApp();
  const transcript = useAppState((state) => state.session.id);
  const [opening, setOpening] = useState<Opening>(null);
  useEffect(() => {
    let isWanted = true;
    setOpening(null);
    if (transcript === null) return;
    engine.call('asset.open', { id: transcript, asset: id }).then(
      (opened) => isWanted && setOpening(opened),
      (thrown: unknown) => isWanted && setOpening({ error: toProtocolError(thrown).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, transcript, id]);
  if (opening === null) return <p className="faint">Reading the image…</p>;
  if ('error' in opening) return <p className="drawer-error">{opening.error}</p>;
  return <Picture mime={opening.mime} base64={opening.base64} bytes={opening.bytes} />;
}

/** Opens what a compaction archived: a transcript of its own. */
export function OpenTranscript({ assetId }: { readonly assetId: string }) {
  const { openArchived } = useActions();
  return (
    <button type="button" className="button" onClick={() => void openArchived(assetId)} data-testid="open-archived">
      Open the archived transcript
    </button>
  );
}
