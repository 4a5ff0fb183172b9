import { useAppState } from '../state/context.tsx';
import { MODE_TITLE } from '../state/modes.ts';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { Welcome } from '../welcome/Welcome.tsx';
import { MODE_SCREENS } from './features.ts';

/** The open transcript in the chosen mode; what can be done if none is open. */
export function Workspace() {
  const isOpen = useAppState((state) => state.session.id !== null);
  const mode = useAppState((state) => state.ui.mode);
  const Content = MODE_SCREENS.find(({ id }) => id === mode)?.Content;
  if (!isOpen || Content === undefined) return <Welcome />;
  return (
    <main className="workspace" aria-label="Transcript" data-mode={mode}>
      <FailureBoundary key={mode} what={MODE_TITLE[mode]}>
        <Content />
      </FailureBoundary>
    </main>
  );
}
