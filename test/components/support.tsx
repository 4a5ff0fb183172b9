// What component tests draw with: the real app over the mock engine, in a document made by happy-dom. Files that use it
// begin with `// @vitest-environment happy-dom`.
import { cleanup, render } from '@testing-library/react';
import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import type { EventName, Events, MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { type App, createApp } from '../../renderer/state/app.ts';
import { AppContext } from '../../renderer/state/context.tsx';
import type { EngineClient } from '../../renderer/state/engine.ts';

export type Answers = { readonly [M in MethodName]?: (params: Params<M>) => ResultOf<M> };

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

const open: App[] = [];

afterEach(() => {
  cleanup();
  for (const app of open.splice(0)) app.stop();
});

/** Draws a component in an app; the test may set the app's state before and after. */
export function draw(what: ReactNode, answers: Answers = {}) {
  const engine = spokenEngine(answers);
  const app = createApp(engine.client);
  open.push(app);
  const inApp = (children: ReactNode) => (
    <AppContext value={{ app, host: null }}>
      <Tooltip.Provider>{children}</Tooltip.Provider>
    </AppContext>
  );
  const drawn = render(inApp(what));
  return { ...drawn, app, engine, redraw: (next: ReactNode) => drawn.rerender(inApp(next)) };
}
