import { FoldVertical, SquareTerminal, UnfoldVertical } from 'lucide-react';
import type { ProjectionInfo, TranscriptInfo } from '../../core/protocol/types.ts';
import { HeadlineFigure } from '../budget/HeadlineFigure.tsx';
import { useHeadline } from '../budget/useHeadline.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { formatCount, plural } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { CHANGING_FATES, FATE_GLYPH, FATE_WORD, fateColor } from './fate.ts';
import { tokenFigure } from './rowText.ts';

/** What each pane shows, in figures. */
export function PaneHeader() {
  const layout = useAppState((state) => state.ui.layout);
  const fold = useAppState((state) => state.ui.fold);
  const info = useAppState((state) => state.projection.info);
  const transcript = useAppState((state) => state.session.info);
  const dimInjected = useAppState((state) => state.ui.dimInjected);
  const { setFold, toggleDimInjected } = useActions();
  return (
    <div className="pane-heads" role="presentation">
      {layout !== 'model' && <RawHead transcript={transcript} info={info} />}
      {layout !== 'raw' && <ModelHead info={info} />}
      <IconButton
        label={dimInjected ? 'Show what the client wrote like all else' : 'Dim what the client wrote'}
        keys="I"
        isPressed={dimInjected}
        onClick={toggleDimInjected}
      >
        <SquareTerminal size={14} />
      </IconButton>
      <IconButton
        label={fold ? 'Show all messages' : 'Fold runs of unchanged messages'}
        keys="F"
        isPressed={fold}
        onClick={() => setFold(!fold)}
      >
        {fold ? <UnfoldVertical size={14} /> : <FoldVertical size={14} />}
      </IconButton>
    </div>
  );
}

function RawHead({ transcript, info }: { transcript: TranscriptInfo | null; info: ProjectionInfo | null }) {
  const tokens = transcript?.tokens;
  const figure =
    tokens !== null && tokens !== undefined
      ? tokenFigure(tokens, transcript?.tokensProvenance ?? 'estimated')
      : info && `${tokenFigure(info.raw.total, info.raw.provenance)} so far`;
  return (
    <div className="pane-head">
      <b>Raw</b>
      <span className="num ellipsis">
        {transcript && plural(transcript.messages, 'message')}
        {figure && ` · ${figure}`}
      </span>
    </div>
  );
}

function ModelHead({ info }: { info: ProjectionInfo | null }) {
  const sent = useSentWords();
  const headline = useHeadline();
  if (!info || !sent) return <div className="pane-head" />;
  return (
    <div className="pane-head">
      <span className="pane-sent ellipsis" title={sent.title} data-testid="sent" data-sent={sent.isSent}>
        <b className="num">
          {sent.verb} {sent.place}
        </b>
        {sent.under !== '' && ` ${sent.under}`}
      </span>
      <span className="num ellipsis">
        {formatCount(info.keptCount)} of {formatCount(info.at)}
        {headline && (
          <span className="pane-tokens">
            {' '}
            · <HeadlineFigure headline={headline} testId="pane-figure" /> tok
          </span>
        )}
      </span>
      <span className="fate-counts num">
        {COUNTED.map((fate) => (
          <FateCount key={fate} fate={fate} count={info.counts[fate]} />
        ))}
      </span>
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
      aria-label={`${words}; go to the next one`}
      data-fate={fate}
      onClick={() => void goToFate(fate)}
    >
      {FATE_GLYPH[fate]} {formatCount(count)}
    </button>
  );
}
