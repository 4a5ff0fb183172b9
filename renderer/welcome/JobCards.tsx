import { ArrowRight, Bug, GitCompare, type LucideIcon, TextSearch } from 'lucide-react';
import { useApp } from '../state/context.tsx';
import type { TourId } from '../state/types.ts';
import { startTour, TOURS } from '../tours/tours.ts';

const CARDS: Readonly<Record<TourId, { readonly icon: LucideIcon; readonly text: string }>> = {
  gone: { icon: TextSearch, text: 'See when a text went, what removed it, and what is sent in its place.' },
  compare: { icon: GitCompare, text: 'Change what is kept. See what each policy would send, and what it takes.' },
  report: { icon: Bug, text: 'Send exactly what the model was sent, for a colleague to verify.' },
};

/** The three jobs, each as a short tour. */
export function JobCards() {
  const app = useApp();
  return (
    <div className="job-cards">
      {TOURS.map(({ id, title }, at) => {
        const { icon: Icon, text } = CARDS[id];
        return (
          <button
            key={id}
            type="button"
            className="job-card"
            onClick={() => void startTour(app, id)}
            data-testid="job-card"
            data-tour={id}
          >
            <span className="job-card-head">
              <span className="job-card-icon">
                <Icon size={16} aria-hidden />
              </span>
              <b className="grow">{title}</b>
              <kbd>{at + 1}</kbd>
            </span>
            <span>{text}</span>
            <span className="job-card-try">
              Try on the sample <ArrowRight size={13} aria-hidden />
            </span>
          </button>
        );
      })}
    </div>
  );
}
