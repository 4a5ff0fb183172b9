import { Seen } from '../ui/Seen.tsx';
import './rendered.css';
import { AssetView } from '../parts/AssetView.tsx';
import { useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { NoDetail } from './NoDetail.tsx';
import { PartView } from './PartView.tsx';

/** The selected message as people read it. */
export function RenderedTab() {
  const { detail, synthetic } = useDetail();
  const selection = useAppState((state) => state.selection);
  if (synthetic) {
    return (
      <div className="rendered">
        <pre className="synthetic-text made-text">
          <Seen text={synthetic.text} />
        </pre>
        {synthetic.assets.length > 0 && (
          <section className="part" aria-label="Assets of the messages it replaces">
            <div className="part-head">
              <b>Assets of the messages it replaces</b>
            </div>
            {synthetic.assets.map((asset) => (
              <AssetView key={asset.id} asset={asset} />
            ))}
          </section>
        )}
      </div>
    );
  }
  if (!detail) return <NoDetail empty="Select a message to read it." />;
  const selected = selection?.kind === 'message' ? selection.part : 0;
  return (
    <div className="rendered" data-testid="rendered">
      {detail.parts.map((part) => (
        <PartView
          key={`${detail.index}.${part.part}`}
          part={part}
          isSelected={part.part === selected}
          isAlone={detail.parts.length === 1}
          detail={detail}
          fate={detail.fate.parts.find((one) => one.part === part.part) ?? null}
        />
      ))}
      {detail.parts.length === 0 && <p className="mute">The message is empty.</p>}
    </div>
  );
}
