import { ArrowDown, ArrowUp } from 'lucide-react';
import type { CompactionInfo } from '../../core/protocol/autopsyTypes.ts';
import { useActions } from '../state/context.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Seen } from '../ui/Seen.tsx';
import { causeWords } from './words.ts';

interface Props {
  readonly info: CompactionInfo;
  readonly shown: number;
  readonly total: number;
  readonly more: number;
  readonly onGo: (index: number) => void;
}

/** Which compaction this is, and the way to the others and to what it left. */
export function CompactionHead({ info, shown, total, more, onGo }: Props) {
  const { goToMessage } = useActions();
  const { covered, at, summaryIndex } = info;
  const span = spanWords(covered);
  return (
    <header className="compactions-head" data-testid="compaction-head" data-index={info.index}>
      <span className="compactions-sigma" aria-hidden="true">
        Σ
      </span>
      <b>
        Compaction {formatCount(shown + 1)} of {formatCount(total)}
        {more > 0 && ` (the first of ${formatCount(total + more)})`}
      </b>
      <span className="mute ellipsis">
        <Seen
          text={`${causeWords(info)} · in effect from call #${at} · takes out ${plural(covered.messages, 'message')}${span}`}
        />
      </span>
      <span className="grow" />
      <IconButton label="Previous compaction" keys="[" onClick={() => onGo(shown - 1)}>
        <ArrowUp size={14} />
      </IconButton>
      <IconButton label="Next compaction" keys="]" testId="compaction-next" onClick={() => onGo(shown + 1)}>
        <ArrowDown size={14} />
      </IconButton>
      {summaryIndex !== null && (
        <button type="button" className="button" onClick={() => void goToMessage(summaryIndex)}>
          Open summary #{summaryIndex}
        </button>
      )}
    </header>
  );
}

// Between the first and the last some may have stayed.
function spanWords({ messages, from, to }: CompactionInfo['covered']): string {
  if (from === null || to === null) return '';
  return messages < to - from + 1 ? ` of #${from} to #${to}` : ` (#${from} to #${to})`;
}
