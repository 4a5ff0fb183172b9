import { useEffect, useRef, useState } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { TextTrace } from '../../core/protocol/types.ts';
import { useApp, useAppState } from './context.tsx';
import { toProtocolError } from './engine.ts';
import type { Asker } from './textLane.ts';

export interface FollowedText {
  readonly trace: TextTrace | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

interface How {
  /** The call point that `now` is of; null = the next request. */
  readonly at: number | null;
  readonly samples: number;
  /** Unit: ms. A new text waits so long; the same one under another policy so long as the walk is worth, behind a slider. */
  readonly wait: number;
  readonly rest: number;
}

const NONE: FollowedText = { trace: null, isLoading: false, error: null };

/** What becomes of a text at each request under a policy; of the same text what is known stays until the next is. null: nothing is asked. */
export function useFollowedText(
  asker: Asker,
  text: string | null,
  spec: ProjectionSpec | null,
  { at, samples, wait, rest }: How,
): FollowedText {
  const { texts } = useApp();
  const id = useAppState((state) => state.session.id);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const [shown, setShown] = useState<FollowedText & { readonly of: string | null }>({ ...NONE, of: null });
  const of = id === null || text === null ? null : `${id} ${text}`;
  const lastOf = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the transcript grew
  useEffect(() => {
    if (id === null || spec === null || text === null) {
      setShown({ ...NONE, of: null });
      return;
    }
    let isWanted = true;
    const ms = lastOf.current === of ? rest : wait;
    lastOf.current = of;
    setShown((old) =>
      old.of === of ? { ...old, isLoading: true } : { of, trace: null, isLoading: true, error: null },
    );
    const timer = setTimeout(() => {
      texts.ask(asker, { id, spec, text, at, samples }).then(
        (trace) => isWanted && setShown({ of, trace, isLoading: false, error: null }),
        (thrown: unknown) => {
          const error = toProtocolError(thrown);
          if (isWanted && error.code !== 'request.superseded') setShown({ of, trace: null, isLoading: false, error });
        },
      );
    }, ms);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [texts, asker, id, spec, at, text, of, messages, samples, wait, rest]);
  return shown.of === of ? shown : NONE;
}
