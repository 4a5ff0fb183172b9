import { useAppState } from '../state/context.tsx';
import { MODE_TITLE } from '../state/modes.ts';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { Welcome } from '../welcome/Welcome.tsx';
import { CHART_STRIPS, MODE_SCREENS } from './features.ts';
import { StripContext } from './stripContext.ts';

/** The open transcript in the chosen mode; what can be done if none is open. */
export function Workspace() {
  const isOpen = useAppState((state) => state.session.id !== null);
  const mode = useAppState((state) => state.ui.mode);
  const Content = MODE_SCREENS.find(({ id }) => id === mode)?.Content;
  if (!isOpen || Content === undefined) return <Welcome />;
  return (
    <main className="workspace" aria-label="Transcript" data-mode={mode}>
      <h2 className="visually-hidden">{MODE_TITLE[mode]}</h2>
      <FailureBoundary key={mode} what={MODE_TITLE[mode]}>
        <StripContext value={CHART_STRIPS}>
          <Content />
        </StripContext>
      </FailureBoundary>
    </main>
  );
}
