import './why.css';
import type { MessageDetail } from '../../core/protocol/types.ts';
import { KeepThis } from '../parts/KeepThis.tsx';
import { useDetail } from '../state/useDetail.tsx';
import { UsedLater, UseLists } from '../uses/MessageUses.tsx';
import { useMessageUses } from '../uses/useMessageUses.ts';
import { WatchThis } from '../watch/WatchThis.tsx';
import { Facts } from './Facts.tsx';
import { FateSentence } from './FateSentence.tsx';
import { NoDetail } from './NoDetail.tsx';
import { StageWords } from './StageWords.tsx';
import { SyntheticWhy } from './SyntheticWhy.tsx';
import { WhatWasLost } from './WhatWasLost.tsx';
import { WhyAnswer } from './WhyAnswer.tsx';

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
        <FateSentence detail={detail} />
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
