import { X } from 'lucide-react';
import type { TranscriptInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';

function backToWindow(info: Pick<TranscriptInfo, 'window' | 'isWindowRecorded'> | null): string {
  const back = info?.isWindowRecorded === true ? 'Back to the recorded window' : 'Back to the model’s window';
  return info?.window ? `${back}, ${formatCount(info.window)}` : back;
}

/** What the person set for this transcript in place of its model's; a click takes it back. Nothing if nothing was set. */
export function YoursLine() {
  const { setWindow, setTokenizer } = useActions();
  const window = useAppState((state) => state.projection.window);
  const tokenizer = useAppState((state) => state.projection.tokenizer);
  const info = useAppState((state) => state.session.info);
  if (window === null && tokenizer === null) return null;
  return (
    <p className="yours-line">
      {window !== null && (
        <Yours
          what={`window ${formatCount(window)}`}
          back={backToWindow(info)}
          testId="yours-window"
          onBack={() => setWindow(null)}
        />
      )}
      {tokenizer !== null && (
        <Yours
          what={`tokenizer ${tokenizer}`}
          back={`Back to the model’s tokenizer, ${info?.tokenizer ?? 'not known'}`}
          testId="yours-tokenizer"
          onBack={() => setTokenizer(null)}
        />
      )}
    </p>
  );
}

interface Props {
  readonly what: string;
  readonly back: string;
  readonly testId: string;
  readonly onBack: () => void;
}

function Yours({ what, back, testId, onBack }: Props) {
  return (
    <button
      type="button"
      className="yours"
      title={back}
      aria-label={`${what}, yours. ${back}`}
      data-testid={testId}
      onClick={onBack}
    >
      <span className="num ellipsis">{what}, yours</span>
      <X size={12} aria-hidden />
    </button>
  );
}
