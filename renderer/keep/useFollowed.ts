import { useEffect, useState } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { TextTrace } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import type { Asker } from '../state/textLane.ts';

/** A change of the policy must rest that long: the walk is long. Unit: ms. */
const REST_MS = 400;
const SAMPLES = 1200;

export interface Followed {
  readonly trace: TextTrace | null;
  readonly isLoading: boolean;
  readonly error: string | null;
}

const NONE: Followed = { trace: null, isLoading: true, error: null };

/** What becomes of a text at each request under a policy; what is known stays until the next policy's is. */
export function useFollowed(asker: Asker, text: string, spec: ProjectionSpec | null): Followed {
  const { texts } = useApp();
  const id = useAppState((state) => state.session.id);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const [followed, follow] = useState<Followed>(NONE);
  const key = spec === null ? null : JSON.stringify(spec);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the spec; again when the transcript grew
  useEffect(() => {
    if (id === null || spec === null) return;
    let isWanted = true;
    follow((old) => ({ ...old, isLoading: true }));
    const timer = setTimeout(() => {
      texts.ask(asker, { id, spec, text, at: null, samples: SAMPLES }).then(
        (trace) => isWanted && follow({ trace, isLoading: false, error: null }),
        (thrown: unknown) => {
          const { code, message } = toProtocolError(thrown);
          if (isWanted && code !== 'request.superseded') follow({ trace: null, isLoading: false, error: message });
        },
      );
    }, REST_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [texts, asker, id, text, key, messages]);
  return followed;
}
