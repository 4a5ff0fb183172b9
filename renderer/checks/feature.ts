import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const ChecksMode = lazily(() => import('./ChecksMode.tsx').then((file) => file.ChecksMode));

export const checksFeature: Feature = {
  modes: [{ id: 'checks', also: 'check rules assertions yaml ci failed passed baseline', Content: ChecksMode }],
  commands: [
    {
      id: 'checks.again',
      title: 'Checks: run the rules',
      group: 'Transcript',
      keys: ['f5'],
      inFields: true,
      also: 'check again assertions',
      isEnabled: ({ session, ui }) => session.id !== null && ui.mode === 'checks',
      run: ({ app }) => app.actions.orderChecks('again'),
    },
    {
      id: 'checks.nextFailure',
      title: 'Checks: next failure',
      group: 'Go',
      also: 'failed rule',
      isEnabled: ({ checks, ui }) => ui.mode === 'checks' && checks.run !== null,
      run: ({ app }) => app.actions.orderChecks('nextFailure'),
    },
  ],
};
