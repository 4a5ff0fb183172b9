// What component tests draw with: the real app over the mock engine, in a document made by happy-dom. Files that use it
// begin with `// @vitest-environment happy-dom`.
import { cleanup, render } from '@testing-library/react';
import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { COMMANDS } from '../../renderer/app/features.ts';
import { createApp } from '../../renderer/state/app.ts';
import { AppContext } from '../../renderer/state/context.tsx';
import { loadAhead } from '../../renderer/ui/lazily.tsx';
import { type Answers, spokenEngine } from '../support/spokenEngine.ts';

/** Draws a component in an app; the test may set the app's state before and after. It is gone when the test is over. */
export function draw(what: ReactNode, answers: Answers = {}) {
  const engine = spokenEngine(answers);
  const app = createApp(engine.client);
  onTestFinished(async () => {
    cleanup();
    app.stop();
    // What is still being loaded would be read when the document is gone, fail, and stay failed for the files after this one.
    await loadAhead();
  });
  const value = { app, host: null, commands: COMMANDS };
  const inApp = (children: ReactNode) => (
    <AppContext value={value}>
      <Tooltip.Provider>{children}</Tooltip.Provider>
    </AppContext>
  );
  const drawn = render(inApp(what));
  return { ...drawn, app, engine, redraw: (next: ReactNode) => drawn.rerender(inApp(next)) };
}
