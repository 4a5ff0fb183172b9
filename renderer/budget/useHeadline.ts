import { useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { useFigure } from '../state/useUsage.ts';
import { type Headline, headlineOf } from './headline.ts';

/** The figure of the request on screen; null = nothing is projected. */
export function useHeadline(): Headline | null {
  const info = useAppState((state) => (state.session.id === null ? null : state.projection.info));
  const sent = useSentWords();
  const figure = useFigure(info?.at ?? -1, sent?.isSent === true);
  return info && headlineOf(info, sent?.isSent === true ? (figure?.input ?? null) : null);
}
