import './why.css';
import type { MessageDetail, SyntheticDetail } from '../../core/protocol/types.ts';
import { KeepThis } from '../keep/KeepThis.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { FATE_GLYPH, fateColor } from '../ui/fate.ts';
import { UsedLater, UseLists } from '../uses/MessageUses.tsx';
import { useMessageUses } from '../uses/useMessageUses.ts';
import { WatchThis } from '../watch/WatchThis.tsx';
import { Facts } from './Facts.tsx';
import { NoDetail } from './NoDetail.tsx';
import { StageWords } from './StageWords.tsx';
import { WhatWasLost } from './WhatWasLost.tsx';
import { WhyAnswer } from './WhyAnswer.tsx';
import { fateHead, fateReason } from './words.ts';

/** Why the selected message is in the request as it is, or not, and since when. */
export function WhyTab() {
  const { detail, synthetic } = useDetail();
  if (synthetic) return <SyntheticWhy synthetic={synthetic} />;
  if (!detail) return <NoDetail empty="Select a message to see what became of it, and why." />;
  return <Why detail={detail} />;
}

function Why({ detail }: { readonly detail: MessageDetail }) {
  const { fate } = detail;
  const uses = useMessageUses(detail.index);
  return (
    <div className="why" data-testid="why">
      <div className="why-main">
        <p className="why-sentence">
          <span aria-hidden style={{ color: fateColor(fate.kind) }}>
            {FATE_GLYPH[fate.kind]}
          </span>{' '}
          <b data-testid="why-fate">{fateHead(fate)}</b>
          <span className="mute"> — {fateReason(fate) || 'no stage touched it.'}</span>
        </p>
        <PartFates detail={detail} />
        {fate.kind !== 'kept' && fate.kind !== 'merged' && <KeepThis />}
        {fate.kind === 'summarised' && <WhatWasLost index={detail.index} />}
        <WatchThis index={detail.index} />
        <UsedLater answer={uses} />
        <WhyAnswer detail={detail} />
        <UseLists uses={uses.value} />
        <StageWords index={detail.index} />
      </div>
      <Facts detail={detail} />
    </div>
  );
}

function PartFates({ detail }: { readonly detail: MessageDetail }) {
  if (detail.parts.length < 2 || detail.fate.parts.length === 0) return null;
  return (
    <ul className="part-fates">
      {detail.fate.parts.map((one) => (
        <li key={one.part}>
          <span aria-hidden style={{ color: fateColor(one.kind) }}>
            {FATE_GLYPH[one.kind]}
          </span>{' '}
          {detail.parts.find((part) => part.part === one.part)?.label ?? 'part'} {one.part + 1}:{' '}
          <span className="mute">{fateReason(one)}</span>
        </li>
      ))}
    </ul>
  );
}

function SyntheticWhy({ synthetic }: { readonly synthetic: SyntheticDetail }) {
  const { goToMessage } = useActions();
  const before = useAppState((state) => state.projection.info?.at ?? 0);
  const { from, to } = synthetic.covers;
  const count = to - from;
  return (
    <div className="why why-synthetic" data-testid="why">
      <div className="why-main">
        <p className="why-sentence">
          <span aria-hidden style={{ color: fateColor('synthetic') }}>
            {FATE_GLYPH.synthetic}
          </span>{' '}
          <b>
            Written by stage {synthetic.stage + 1}, {synthetic.stageTitle}
          </b>
          <span className="mute">
            {count > 0
              ? ` — it replaces ${count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`} of the ${before.toLocaleString('en')} before this call point: `
              : ' — it replaces no message of the transcript; it was added.'}
          </span>
          {count > 0 && (
            <>
              <button type="button" className="link" onClick={() => void goToMessage(from)}>
                #{from}
              </button>
              {count > 1 && (
                <>
                  {' – '}
                  <button type="button" className="link" onClick={() => void goToMessage(to - 1)}>
                    #{to - 1}
                  </button>
                </>
              )}
            </>
          )}
        </p>
        <pre className="synthetic-text">{synthetic.text}</pre>
      </div>
    </div>
  );
}
