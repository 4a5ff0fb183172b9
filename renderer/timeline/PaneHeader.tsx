import './paneHeader.css';
import { Equal, FoldVertical, SquareTerminal, UnfoldVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProjectionInfo, TokenFigure, TranscriptInfo } from '../../core/protocol/types.ts';
import { rawOverhead, wholeRequest } from '../budget/gauge.ts';
import { HeadlineFigure } from '../budget/HeadlineFigure.tsx';
import { useHeadline } from '../budget/useHeadline.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { CHANGING_FATES, FATE_GLYPH, FATE_WORD, fateColor } from '../ui/fate.ts';
import { formatCount, plural } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { UsedState } from '../uses/UsedBadge.tsx';
import { tokenFigure } from './rowText.ts';

/** What each pane shows, in figures. */
export function PaneHeader() {
  const layout = useAppState((state) => state.ui.layout);
  const info = useAppState((state) => state.projection.info);
  const transcript = useAppState((state) => state.session.info);
  const tools = <PaneTools />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the heads of a virtualised grid are not a table head
    // biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus
    <div className="pane-heads" role="row" aria-rowindex={1}>
      {layout !== 'model' && <RawHead transcript={transcript} info={info} tools={layout === 'raw' && tools} />}
      {layout !== 'raw' && <ModelHead info={info} tools={tools} isOnly={layout === 'model'} />}
    </div>
  );
}

/** The buttons at the right end. */
function PaneTools() {
  const fold = useAppState((state) => state.ui.fold);
  const dimInjected = useAppState((state) => state.ui.dimInjected);
  const layout = useAppState((state) => state.ui.layout);
  const shownOnce = useAppState((state) => state.ui.shownOnce);
  const { setFold, toggleDimInjected, toggleShownOnce } = useActions();
  return (
    <>
      {layout === 'side' && (
        <IconButton
          label={shownOnce ? 'Show unchanged rows on both sides' : 'Show unchanged rows once'}
          keys="O"
          isPressed={shownOnce}
          onClick={toggleShownOnce}
        >
          <Equal size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={dimInjected ? 'Undim injected context' : 'Dim injected context'}
        keys="I"
        isPressed={dimInjected}
        onClick={toggleDimInjected}
      >
        <SquareTerminal size={14} aria-hidden />
      </IconButton>
      <IconButton
        label={fold ? 'Show all messages' : 'Fold runs of unchanged messages'}
        keys="F"
        isPressed={fold}
        onClick={() => setFold(!fold)}
      >
        {fold ? <UnfoldVertical size={14} aria-hidden /> : <FoldVertical size={14} aria-hidden />}
      </IconButton>
    </>
  );
}

interface RawProps {
  readonly transcript: TranscriptInfo | null;
  readonly info: ProjectionInfo | null;
  readonly tools: ReactNode;
}

function RawHead({ transcript, info, tools }: RawProps) {
  // With what every request holds besides, as the other head has it: the two are compared.
  const whole = (figure: Pick<TokenFigure, 'total' | 'provenance'>) => {
    const { total, provenance } = info === null ? figure : wholeRequest(figure, rawOverhead(info.beside));
    return tokenFigure(total, provenance);
  };
  const tokens = transcript?.tokens ?? null;
  const figure =
    tokens !== null
      ? whole({ total: tokens, provenance: transcript?.tokensProvenance ?? 'estimated' })
      : info && `${whole(info.raw)} so far`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the heads of a virtualised grid are not a table head
    // biome-ignore lint/a11y/useFocusableInteractive: the grid keeps the focus
    <div className="pane-head" role="columnheader" aria-colindex={1}>
      <b>Raw</b>
      <span className="num ellipsis">
        {transcript && plural(transcript.messages, 'message')}
        {figure && ` · ${figure}`}
      </span>
      <UsedState />
      {tools}
    </div>
  );
}

interface ModelProps {
  readonly info: ProjectionInfo | null;
  readonly tools: ReactNode;
  readonly isOnly: boolean;
}

function ModelHead({ info, tools, isOnly }: ModelProps) {
  const sent = useSentWords();
  const headline = useHeadline();
  const place = { className: 'pane-head', role: 'columnheader', 'aria-colindex': isOnly ? 1 : 2 } as const;
  if (!info || !sent) return <div {...place}>{tools}</div>;
  return (
    <div {...place}>
      <span className="pane-sent ellipsis" title={sent.title} data-testid="sent" data-sent={sent.isSent}>
        <b className="num">
          {sent.verb} {sent.place}
        </b>
        {sent.under !== '' && ` ${sent.under}`}
      </span>
      <span className="pane-kept num" title={sent.title}>
        {formatCount(info.keptCount)}
      </span>
      <span className="num ellipsis">
        <i>of {formatCount(info.at)}</i>
        {headline && (
          <span className="pane-tokens">
            {/* A plain space at the beginning of a box takes no room. */}
            {'\u00a0· '}
            <HeadlineFigure headline={headline} testId="pane-figure" /> tok
          </span>
        )}
      </span>
      <span className="fate-counts num">
        {COUNTED.map((fate) => (
          <FateCount key={fate} fate={fate} count={info.counts[fate]} />
        ))}
      </span>
      {isOnly && <UsedState />}
      {tools}
    </div>
  );
}

const COUNTED = [...CHANGING_FATES, 'synthetic'] as const;

/** How many messages have a fate; a click goes to the next of them. */
function FateCount({ fate, count }: { readonly fate: (typeof COUNTED)[number]; readonly count: number }) {
  const { goToFate } = useActions();
  if (count === 0) return null;
  const words = `${formatCount(count)} ${FATE_WORD[fate]}`;
  return (
    <button
      type="button"
      className="fate-count"
      style={{ color: fateColor(fate) }}
      title={`${words}. Click: the next one.`}
      data-fate={fate}
      onClick={() => void goToFate(fate)}
    >
      <span aria-hidden>{FATE_GLYPH[fate]}</span> {formatCount(count)}
      <span className="visually-hidden"> {FATE_WORD[fate]}; go to the next one</span>
    </button>
  );
}
