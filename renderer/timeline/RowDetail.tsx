import { type ReactNode, useEffect, useRef } from 'react';
import type { Row } from '../../core/protocol/types.ts';
import { AssetView } from '../parts/AssetView.tsx';
import { describeOpaque } from '../parts/opaqueWords.ts';
import { PartImage } from '../parts/PartImage.tsx';
import { MessageImage } from '../parts/pictures.ts';
import { ThinkingChip } from '../parts/ThinkingChip.tsx';
import { PartContent } from '../reading/PartContent.tsx';
import { useActions } from '../state/context.tsx';
import type { Layout } from '../state/types.ts';
import { formatCount } from '../ui/format.ts';
import type { Opened } from './openedText.ts';
import { isSealed, sealedPart } from './rowText.ts';
import { useOpened } from './useOpened.ts';

interface DetailProps {
  readonly row: Row;
  readonly layout: Layout;
  /** One text for both sides. */
  readonly isWide?: boolean;
}

/** The full content of an opened row, both sides next to each other; reports its height to the list. */
export function RowDetail({ row, layout, isWide = false }: DetailProps) {
  const { setOpenHeight } = useActions();
  const element = useRef<HTMLDivElement>(null);
  const { opened, showAll } = useOpened(row);
  const isPicture = row.partKind === 'image';
  const state = isSealed(row) && (
    <p className="detail-state">
      <ThinkingChip index={row.index} part={sealedPart(row)} fate={{ kind: row.fate, reason: row.reason }} />
    </p>
  );
  useEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const observer = new ResizeObserver(() => setOpenHeight(row.key, measured.offsetHeight));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [row.key, setOpenHeight]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps the double clicks of reading (word selection) to itself
    <div ref={element} className="row-detail" role="presentation" onDoubleClick={(event) => event.stopPropagation()}>
      {layout !== 'model' && (
        <DetailPane
          text={opened.raw}
          isPicture={isPicture}
          opened={opened}
          showAll={showAll}
          none="Not in the transcript: a stage wrote it."
          isWide={isWide}
          state={(isWide || layout === 'raw') && state}
        />
      )}
      {layout !== 'raw' && (
        <DetailPane
          text={opened.projected}
          isPicture={isPicture}
          opened={opened}
          showAll={showAll}
          none={row.reason}
          state={state}
        />
      )}
    </div>
  );
}

interface PaneProps {
  readonly text: Opened['raw'];
  readonly isPicture: boolean;
  readonly opened: Opened;
  readonly showAll: () => void;
  readonly none: string;
  readonly isWide?: boolean;
  /** What the request makes of thinking that is signed or encrypted. */
  readonly state?: ReactNode;
}

function DetailPane(props: PaneProps) {
  const { opened, text } = props;
  const looks = opened.error !== null ? ' detail-error' : opened.loading || text === null ? ' mute' : '';
  return (
    // A long text is scrolled by the keyboard too.
    // biome-ignore lint/a11y/useSemanticElements: a cell of a virtualised grid is not a table cell
    <div className={`detail-pane${looks}`} role="gridcell" tabIndex={0} aria-colspan={props.isWide ? 2 : undefined}>
      {props.state}
      <DetailText {...props} />
    </div>
  );
}

function DetailText({ text, isPicture, opened, showAll, none }: PaneProps) {
  if (opened.error !== null) return `Could not be read: ${opened.error}`;
  if (opened.loading) return 'Reading…';
  if (text === null) return none;
  if (isPicture && text.body === '') return <OpenedImage picture={opened.picture} />;
  if (opened.part?.kind === 'opaque') return describeOpaque(opened.part);
  return (
    <>
      {text.body === '' ? (
        (opened.part?.assetIds.length ?? 0) === 0 && <i className="faint">Empty text.</i>
      ) : (
        <PartContent
          kind={opened.part?.kind ?? 'other'}
          name={opened.part?.name ?? null}
          call={opened.part?.call ?? null}
          text={text.body}
          isCut={text.cut}
          isFollowed={false}
        />
      )}
      {opened.part?.assetIds.map((id) => (
        <PartImage key={id} assetId={id} />
      ))}
      {text.cut && (
        <button type="button" className="button" onClick={showAll}>
          Show all {formatCount(text.chars)} characters
        </button>
      )}
    </>
  );
}

function OpenedImage({ picture }: { readonly picture: Opened['picture'] }) {
  const otherwise = 'The transcript has no data for this image.';
  if (picture === null) return otherwise;
  if ('named' in picture) return <AssetView asset={picture.named} />;
  if ('assetId' in picture) return <PartImage assetId={picture.assetId} />;
  return <MessageImage {...picture} otherwise={otherwise} />;
}
