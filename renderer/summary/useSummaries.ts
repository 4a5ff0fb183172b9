import { useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { SummaryInfo } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import type { Span } from '../state/dialog.ts';
import { toProtocolError } from '../state/engine.ts';
import { newestAnswers } from '../state/inOrder.ts';

export interface Summaries {
  /** null = not read yet. */
  readonly list: readonly SummaryInfo[] | null;
  readonly error: ProtocolError | null;
  /** Answers whether it was saved. */
  save(span: Span, content: string): Promise<boolean>;
  remove(span: Span): Promise<boolean>;
}

/** The summaries beside the open transcript. What is written changes the projection by the engine's own event. */
export function useSummaries(): Summaries {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const [held, hold] = useState<{ readonly id: string | null; readonly list: readonly SummaryInfo[] } | null>(null);
  const [error, setError] = useState<ProtocolError | null>(null);
  const [asked] = useState(newestAnswers);
  /** Answers whether it went well; a failure is reported in any case, a list only if it is the newest. */
  const take = async (answer: Promise<{ readonly summaries: readonly SummaryInfo[] }>) => {
    const isNewest = asked();
    try {
      const { summaries } = await answer;
      if (isNewest()) hold({ id, list: summaries });
      setError(null);
      return true;
    } catch (thrown) {
      setError(toProtocolError(thrown));
      return false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each transcript
  useEffect(() => {
    if (id !== null) void take(engine.call('summaries.list', { id }));
  }, [engine, id]);
  return {
    list: held?.id === id ? held.list : null,
    error,
    save: (span, content) => take(engine.call('summaries.set', { id: id ?? '', ...span, content })),
    remove: (span) => take(engine.call('summaries.remove', { id: id ?? '', ...span })),
  };
}
