import { ArrowLeftRight } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { LineSample } from './LineSample.tsx';
import { PolicyPick } from './PolicyPick.tsx';
import { useTitleOfA } from './useTitles.ts';

/** Which two policies; what is a fact of the session, and what is computed. */
export function CompareBar() {
  const b = useAppState((state) => state.compare.b);
  const titleA = useTitleOfA();
  const { setPolicy, compareWith, swapCompared } = useActions();
  return (
    <div className="compare-bar">
      <LineSample side="a" />
      <b>A</b>
      <PolicyPick side="A" title={titleA} onPick={({ name, spec }) => setPolicy({ name, ...spec })} />
      <IconButton label="Swap A and B" keys="X" testId="compare-swap" onClick={() => swapCompared(titleA)}>
        <ArrowLeftRight size={14} />
      </IconButton>
      <LineSample side="b" />
      <b>B</b>
      <PolicyPick side="B" title={b?.title ?? null} onPick={compareWith} />
      <span className="grow" />
      <Observed />
      {b !== null && (
        <button
          type="button"
          className="button"
          title="B is the policy in use then; Ctrl+Z takes it back"
          data-testid="compare-use-b"
          onClick={() => swapCompared(titleA)}
        >
          Use B
        </button>
      )}
    </div>
  );
}

function Observed() {
  const sent = useSentWords();
  const isRecorded = sent?.under === '';
  return (
    <span className="mute ellipsis compare-observed">
      {isRecorded ? 'The session ran as A. What B keeps is computed, not observed.' : 'Computed, not observed.'}
    </span>
  );
}
