import type { EventName, Events, MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import type { EngineClient } from '../../renderer/state/engine.ts';

export type Answers = { readonly [M in MethodName]?: (params: Params<M>) => ResultOf<M> | Promise<ResultOf<M>> };

/** The mock engine: it writes down what it is asked, answers some methods as a test says, and emits what a test emits. */
export function spokenEngine(answers: Answers = {}) {
  const mock = mockEngine(60);
  const calls: { readonly method: MethodName; readonly params: unknown }[] = [];
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const client: EngineClient = {
    async call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
      calls.push({ method, params });
      const answer = answers[method];
      return answer ? answer(params) : mock.call(method, params);
    },
    on<E extends EventName>(event: E, listener: (payload: Events[E]) => void) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      return () => void set.delete(listener);
    },
  };
  return {
    client,
    calls,
    emit<E extends EventName>(event: E, payload: Events[E]): void {
      for (const listener of listeners.get(event) ?? []) (listener as (payload: Events[E]) => void)(payload);
    },
    listens: (event: EventName): boolean => (listeners.get(event)?.size ?? 0) > 0,
  };
}
