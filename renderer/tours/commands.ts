import type { Command } from '../state/command.ts';
import { startTour } from './tours.ts';

/** The sample and its tours, from anywhere. */
export const tourCommands: readonly Command[] = [
  {
    id: 'sample',
    title: 'Open the sample: an agent that forgets',
    group: 'Help',
    also: 'example demo try',
    run: ({ app }) => void app.actions.openSample(),
  },
  {
    id: 'tour.gone',
    title: 'Tour: Why is it gone?',
    group: 'Help',
    also: 'forgot missing lost sample learn',
    run: ({ app }) => void startTour(app, 'gone'),
  },
  {
    id: 'tour.compare',
    title: 'Tour: Compare policies',
    group: 'Help',
    also: 'tune compare sample learn',
    run: ({ app }) => void startTour(app, 'compare'),
  },
  {
    id: 'tour.report',
    title: 'Tour: Report a bug',
    group: 'Help',
    also: 'share bug bundle sample learn',
    run: ({ app }) => void startTour(app, 'report'),
  },
];
