import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { Row } from '../../core/protocol/types.ts';
import { AssetView } from '../parts/AssetView.tsx';
import { describeOpaque } from '../parts/opaqueWords.ts';
import { PartImage } from '../parts/PartImage.tsx';
import { MessageImage } from '../parts/pictures.ts';
import { ThinkingChip } from '../parts/ThinkingChip.tsx';
import { PartContent } from '../reading/PartContent.tsx';
import { useApp } from '../state/context.tsx';
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

/**
 * The full content of an opened row, both sides next to each other; reports its height to the list. It comes into sight as
 * high as it was when it was read, and is read and drawn behind what scrolls: rows below it stay where they are.
 */
export function RowDetail({ row, layout, isWide = false }: DetailProps) {
  const { store, actions } = useApp();
  const { setOpenHeight } = actions;
  const element = useRef<HTMLDivElement>(null);
  const { opened: read, showAll } = useOpened(row);
  const opened = useDeferredValue(read);
  const [below] = useState(() => store.getState().projection.open.find(({ key }) => key === row.key)?.below);
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
    <div
      ref={element}
      className="row-detail"
      role="presentation"
      style={opened.loading ? { minHeight: below } : undefined}
      onDoubleClick={(event) => event.stopPropagation()}
    >
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
          {...(opened.part?.attached && { attached: opened.part.attached })}
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
