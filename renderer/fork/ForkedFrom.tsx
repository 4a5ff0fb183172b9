import './fork.css';
import { GitFork } from 'lucide-react';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';

/** Of a what-if that it is one, and the way back to where it was forked; nothing for any other transcript. */
export function ForkedFrom({ summary }: { readonly summary: TranscriptSummary }) {
  const { whatIf } = summary;
  const isHere = useAppState((state) => state.library.transcripts?.some(({ id }) => id === whatIf?.parentId) ?? false);
  const { open } = useActions();
  if (whatIf === null) return null;
  const { parentId, at } = whatIf;
  const title = whatIf.parentTitle ?? 'a transcript';
  const index = Math.max(0, at - 1);
  return (
    <button
      type="button"
      className="chip what-if-chip"
      disabled={!isHere}
      title={
        isHere
          ? `A what-if made here, not recorded by any tool. Back to where it was forked: ${title}, before #${at}`
          : `A what-if made here, not recorded by any tool. ${title}, which it was forked from before #${at}, is no longer in the library`
      }
      onClick={() => void open(parentId, { at: null, selection: { kind: 'message', index, part: 0 } })}
      data-testid="what-if-chip"
    >
      <GitFork size={11} aria-hidden /> what-if at <span className="num">#{at}</span>
    </button>
  );
}
