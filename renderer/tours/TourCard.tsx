import './tours.css';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { goToStep, type Tour, tourOf } from './tours.ts';
import { useTarget } from './useTarget.ts';

/** The step of the tour that is under way: a card beside the control it speaks of, and a ring around that. */
export function TourCard() {
  const tour = useAppState((state) => state.tour);
  const isOpen = useAppState((state) => state.session.id !== null);
  const { actions } = useApp();
  useEffect(() => {
    if (tour === null) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      actions.setTour(null);
    };
    // Before anything else that Escape closes: the tour is what was begun last.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [tour, actions]);
  return tour && isOpen && <Step key={`${tour.id} ${tour.step}`} tour={tourOf(tour.id)} step={tour.step} />;
}

function Step({ tour, step }: { readonly tour: Tour; readonly step: number }) {
  const app = useApp();
  const card = useRef<HTMLDialogElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const shown = tour.steps[step];
  const { place, ring } = useTarget(shown?.target ?? [], card);
  useEffect(() => {
    // What the step does may take the focus a moment later.
    const timer = setTimeout(() => next.current?.focus({ preventScroll: true }), 80);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  const { title, text } = shown;
  return (
    <>
      {ring && <div className="tour-ring" style={ring} aria-hidden />}
      <dialog ref={card} open className="tour-card" style={place} aria-labelledby="tour-title" data-testid="tour">
        <div className="tour-head">
          <span className="mute num">
            {tour.title} · {step + 1} of {tour.steps.length}
          </span>
          <IconButton label="Leave the tour" keys="Esc" onClick={() => app.actions.setTour(null)}>
            <X size={13} />
          </IconButton>
        </div>
        <h2 id="tour-title">{title}</h2>
        <p>{text}</p>
        <div className="tour-foot">
          {step > 0 && (
            <button type="button" className="text-button" onClick={() => void goToStep(app, tour.id, step - 1, false)}>
              Back
            </button>
          )}
          <span className="grow" />
          <button
            ref={next}
            type="button"
            className="button button-primary"
            onClick={() => void goToStep(app, tour.id, step + 1)}
            data-testid="tour-next"
          >
            {shown.next}
          </button>
        </div>
      </dialog>
    </>
  );
}
