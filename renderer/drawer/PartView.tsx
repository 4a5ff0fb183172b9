import { useEffect, useRef } from 'react';
import type { DetailFate, DetailPart, MessageDetail } from '../../core/protocol/types.ts';
import { tierColor } from '../budget/gauge.ts';
import { AssetView } from '../parts/AssetView.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { describeOpaque } from '../parts/opaqueWords.ts';
import { PartImage } from '../parts/PartImage.tsx';
import { MessageImage } from '../parts/pictures.ts';
import { ThinkingChip } from '../parts/ThinkingChip.tsx';
import { PartContent } from '../reading/PartContent.tsx';
import { ChildLinkOf } from '../relations/SpawnLink.tsx';
import { useChild } from '../relations/useChild.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { FATE_GLYPH, FATE_WORD, fateColor } from '../ui/fate.ts';
import { Seen } from '../ui/Seen.tsx';
import { partTokens, wholeSize } from './words.ts';

interface Props {
  readonly part: DetailPart;
  readonly isSelected: boolean;
  /** It is the message's only part. */
  readonly isAlone: boolean;
  readonly fate: DetailFate['parts'][number] | null;
  /** The message, which holds an image that is not an asset. */
  readonly detail: MessageDetail;
}

/** One part: its head line and its content. */
export function PartView({ part, isSelected, isAlone, fate, detail }: Props) {
  const { showDrawer } = useActions();
  const { showUncut } = useDetail();
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  const child = useChild(part.callId);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isSelected && !isAlone) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected, isAlone]);
  return (
    <section
      ref={element}
      className="part"
      data-selected={isSelected && !isAlone}
      aria-label={`Part ${part.part + 1}, ${part.label}`}
    >
      <div className="part-head">
        <b style={{ color: tierColor(part.category) }}>{part.label}</b>
        {part.name !== null && (
          <span className="mono part-name">
            <Seen text={part.name} />
          </span>
        )}
        {part.callId !== null && (
          <span className="mono faint ellipsis part-call">
            <Seen text={part.callId} />
          </span>
        )}
        {child && <ChildLinkOf child={child} />}
        {part.isError && <span className="chip part-error">error</span>}
        {isSealed(part) && (
          <ThinkingChip
            index={detail.index}
            part={{ ...part, isEncrypted: part.kind === 'opaque' }}
            fate={fate ?? detail.fate}
          />
        )}
        {part.visibility !== undefined && (
          <span className="chip mute" title="Who may see this part, as recorded">
            {part.visibility}
          </span>
        )}
        {fate && fate.kind !== 'kept' && (
          <button type="button" className="link" title={fate.reason} onClick={() => showDrawer('diff')}>
            <span aria-hidden style={{ color: fateColor(fate.kind) }}>
              {FATE_GLYPH[fate.kind]}
            </span>{' '}
            {FATE_WORD[fate.kind]}: what is in the request
          </button>
        )}
        <span className="grow" />
        <span className="num mute">{partTokens(part, provenance)}</span>
        {part.text !== '' && (
          <CopyButton text={part.text} label={part.truncated ? 'Copy what is shown of this text' : 'Copy this text'} />
        )}
      </div>
      <PartBody part={part} isSelected={isSelected} detail={detail} />
      {part.truncated && (
        <button type="button" className="button" onClick={showUncut}>
          Show all ({wholeSize(part.chars)})
        </button>
      )}
    </section>
  );
}

/** Thinking that the provider signed, or that only it can read. */
function isSealed({ kind, category, signed }: DetailPart): boolean {
  return signed || (kind === 'opaque' && category === 'thinking');
}

function PartBody({ part, isSelected, detail }: Pick<Props, 'part' | 'isSelected' | 'detail'>) {
  const images = part.assetIds.map((id) => <PartImage key={id} assetId={id} />);
  if (part.kind === 'opaque') return <p className="mute">{describeOpaque(part)}</p>;
  if (part.kind === 'image' && images.length > 0) return images;
  const named = part.asset !== undefined && part.text === '' && <AssetView asset={part.asset} />;
  if (part.kind === 'image') {
    const otherwise = named || <p className="mute">The transcript has no data for this image.</p>;
    return <MessageImage detail={detail} part={part.part} otherwise={otherwise} />;
  }
  if (named) return named;
  if (part.text === '') return images.length > 0 ? images : <p className="faint">Empty.</p>;
  return (
    <>
      {part.kind === 'thinking' ? (
        <Thinking part={part} isOpen={isSelected} />
      ) : (
        <PartContent {...part} isCut={part.truncated} call={part.call ?? null} isFollowed />
      )}
      {images}
    </>
  );
}

/** Thinking is folded, unless it is what was selected. */
function Thinking({ part, isOpen }: { readonly part: DetailPart; readonly isOpen: boolean }) {
  return (
    <details className="thinking" open={isOpen}>
      <summary className="mute ellipsis">
        Thinking{' '}
        <span className="thinking-start faint">
          <Seen text={part.text.slice(0, 160)} />
        </span>
      </summary>
      <PartContent {...part} isCut={part.truncated} call={null} isFollowed />
    </details>
  );
}
