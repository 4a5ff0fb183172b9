import './welcome.css';
import { useEffect } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import { startTour, TOURS } from '../tours/tours.ts';
import { DropPlace } from './DropPlace.tsx';
import { FoundSessions } from './FoundSessions.tsx';
import { JobCards } from './JobCards.tsx';
import { SampleLine } from './SampleLine.tsx';

/** What can be done while no transcript is open: the three jobs on the sample, what was found here, anything dropped. */
export function Welcome() {
  const transcripts = useAppState((state) => state.library.transcripts);
  useWelcomeKeys();
  // Until the library is read nobody knows what is in it already.
  if (transcripts === null) return <main className="welcome" />;
  return (
    <main className="welcome" aria-label="Welcome">
      <div className="welcome-body">
        <h1>What do you want to know?</h1>
        <p className="mute">
          Parallax shows what happened in an agent session, and what the model was sent. Nothing leaves this computer;
          your files are only read.
        </p>
        <JobCards />
        <SampleLine />
        <FoundSessions />
        <DropPlace />
      </div>
    </main>
  );
}

/** 1, 2 and 3 begin the tours, S opens the sample; not where somebody types, and not under a dialog. */
function useWelcomeKeys(): void {
  const app = useApp();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, [role="dialog"]');
      const isChord = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (event.defaultPrevented || isChord || isElsewhere || app.store.getState().ui.dialog !== null) return;
      const tour = TOURS[Number(event.key) - 1];
      if (tour) void startTour(app, tour.id);
      else if (event.key === 's') void app.actions.openSample();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [app]);
}
