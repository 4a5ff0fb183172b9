import { useEffect, useMemo, useRef, useState } from 'react';
import type { MethodName, Params, ProtocolError, ResultOf } from '../../core/protocol/methods.ts';
import { useApp } from './context.tsx';
import { toProtocolError } from './engine.ts';
import { renewIfForgotten } from './ofShown.ts';

/** What the engine said. */
export interface Answer<T> {
  /** null = nothing yet, or it failed. */
  readonly value: T | null;
  /** The question on screen is not answered yet. */
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

export interface AskOptions {
  /** How long the question must rest before it is asked. Unit: ms. */
  readonly wait?: number;
  /**
   * How long the next question about the same must rest, and how long the answer before may stand for it at most: a slider
   * asks many that live shorter. The first one is asked at once. Unit: ms.
   */
  readonly settles?: { readonly within: number; readonly atMost: number };
  /**
   * What the answer is about: while this is the same, the answer before stays until the new one is here; null = nothing is
   * shown. Without it an answer goes with its question.
   */
  readonly about?: string | null;
  /** The same question is asked again when one of these changes by identity. As many at each call. */
  readonly again?: readonly unknown[];
  /** Errors after which what is shown stays; they are handed over all the same. */
  readonly keeps?: (error: ProtocolError) => boolean;
}

interface Held<T> {
  readonly question: object | null;
  readonly about: string | null | undefined;
  readonly value: T | null;
  readonly error: ProtocolError | null;
}

const NOTHING_HELD = { question: null, about: undefined, value: null, error: null } as const;
const NEVER: readonly unknown[] = [];

/**
 * Asks the engine while the component is on screen, and again whenever the parameters change by value; `null` = ask
 * nothing. An answer to a question that is no longer asked is dropped. Of a projection that the engine has forgotten nothing is
 * answered: it is projected again, and the question comes again with the new one.
 */
export function useAnswer<M extends MethodName>(
  method: M,
  params: Params<M> | null,
  { wait = 0, settles, about, again = NEVER, keeps }: AskOptions = {},
): Answer<ResultOf<M>> {
  const app = useApp();
  const { engine } = app;
  const key = params === null ? null : JSON.stringify(params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the parameters
  const question = useMemo(() => (params === null ? null : { params }), [engine, method, key, about, ...again]);
  const [held, hold] = useState<Held<ResultOf<M>>>(NOTHING_HELD);
  const last = useRef({ about, at: Number.NEGATIVE_INFINITY });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question has one method and is about one thing
  useEffect(() => {
    if (question === null) return;
    let isWanted = true;
    const fail = (error: ProtocolError) => {
      if (renewIfForgotten(app, question.params, error)) return;
      hold((old) => {
        const isKept = about !== undefined && about === old.about && (isReplaced(error) || keeps?.(error) === true);
        return { question, about, value: isKept ? old.value : null, error };
      });
    };
    const ask = () => {
      last.current = { about, at: performance.now() };
      engine.call(method, question.params).then(
        (value) => isWanted && hold({ question, about, value, error: null }),
        (thrown: unknown) => isWanted && fail(toProtocolError(thrown)),
      );
    };
    const isFollowing = settles !== undefined && last.current.about === about;
    const isFresh = isFollowing && performance.now() - last.current.at < settles.atMost;
    const rest = isFresh ? settles.within : wait;
    const timer = rest > 0 ? setTimeout(ask, rest) : void ask();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [question]);
  const isAnswered = held.question === question;
  const isShown = about === undefined ? isAnswered : about !== null && held.about === about;
  const { value, error } = isShown ? held : NOTHING_HELD;
  const isToCome = isReplaced(error);
  return {
    value,
    error: isToCome ? null : error,
    isLoading: question !== null && (!isAnswered || isToCome),
  };
}

/** A newer question took the place of this one. Nothing failed: what is asked here changes with the newer answer. */
function isReplaced(error: ProtocolError | null): boolean {
  return error?.code === 'request.superseded';
}
