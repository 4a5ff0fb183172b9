import { useEffect, useState } from 'react';
import type { ParamSchema } from '../../../core/view/types.ts';
import { useApp, useAppState } from '../../state/context.tsx';

/** Something a field offers: what is put in, and a note beside it. */
export interface Offer {
  readonly value: string;
  readonly note: string;
}

/** What a list or rules option offers: its choices, and where it says so the tools that the open transcript calls. */
export function useOffered({ choices = [], offers }: ParamSchema): readonly Offer[] {
  const tools = useTools(offers === 'tools');
  const listed = choices.map(({ value, help }) => ({ value, note: help }));
  const known = new Set(listed.map(({ value }) => value));
  return [...listed, ...tools.filter(({ value }) => !known.has(value))];
}

// Offers are a help: without them a name can still be typed, so a failure only means that none are made.
function useTools(wanted: boolean): readonly Offer[] {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const [found, setFound] = useState<{ readonly id: string; readonly tools: readonly Offer[] } | null>(null);
  useEffect(() => {
    if (!wanted || id === null) return;
    let isCurrent = true;
    engine.call('transcript.tools', { id }).then(
      ({ tools }) => {
        const offers = tools.map(({ name, calls }) => ({ value: name, note: `${calls.toLocaleString('en')}×` }));
        if (isCurrent) setFound({ id, tools: offers });
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [engine, id, wanted]);
  return found !== null && found.id === id ? found.tools : [];
}
