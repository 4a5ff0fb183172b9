import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const AnalyticsDialog = lazily(() => import('./AnalyticsDialog.tsx').then((file) => file.AnalyticsDialog));

export const analyticsFeature: Feature = {
  commands: [
    {
      id: 'library.analytics',
      title: 'Library analytics…',
      group: 'Library',
      also: 'statistics stats cost tokens usage charts by day project model tools spend',
      run: ({ app }) => app.actions.openDialog({ kind: 'analytics' }),
    },
  ],
  dialogs: { analytics: AnalyticsDialog },
};
