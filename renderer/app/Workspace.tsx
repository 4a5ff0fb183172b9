import { useEffect, useRef } from 'react';
import { useAppState } from '../state/context.tsx';
import { MODE_TITLE } from '../state/modes.ts';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';
import { Welcome } from '../welcome/Welcome.tsx';
import { CHART_STRIPS, MODE_SCREENS } from './features.ts';
import { StripContext } from './stripContext.ts';

/** The open transcript in the chosen mode; what can be done if none is open. */
export function Workspace() {
  const isOpen = useAppState((state) => state.session.id !== null);
  const mode = useAppState((state) => state.ui.mode);
  const main = useFocusOf(mode);
  const Content = MODE_SCREENS.find(({ id }) => id === mode)?.Content;
  if (!isOpen || Content === undefined) return <Welcome />;
  // On the timeline keys that nothing has the focus for are the list's.
  const tabIndex = mode === 'timeline' ? undefined : -1;
  return (
    <main ref={main} className="workspace" aria-label="Transcript" data-mode={mode} tabIndex={tabIndex}>
      <h2 className="visually-hidden">{MODE_TITLE[mode]}</h2>
      <FailureBoundary key={mode} what={MODE_TITLE[mode]}>
        <StripContext value={CHART_STRIPS}>
          <Content />
        </StripContext>
      </FailureBoundary>
    </main>
  );
}

/** What had the focus is gone with the mode that it was in: the new one has it, the list of messages where that is there. */
function useFocusOf(mode: string) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(mode);
  useEffect(() => {
    if (before.current === mode) return;
    before.current = mode;
    if (document.activeElement !== document.body) return;
    (document.getElementById(TIMELINE_ID) ?? main.current)?.focus({ preventScroll: true });
  }, [mode]);
  return main;
}
