import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const DurationsStrip = lazily(() => import('./DurationsStrip.tsx').then((file) => file.DurationsStrip));
const AgentsStrip = lazily(() => import('./AgentsStrip.tsx').then((file) => file.AgentsStrip));
const FindingsStrip = lazily(() => import('./FindingsStrip.tsx').then((file) => file.FindingsStrip));

/** Strips of what happened beside the tokens: durations, sub-agents, findings. */
export const lanesFeature: Feature = {
  strips: [
    { id: 'durations', Content: DurationsStrip },
    { id: 'agents', Content: AgentsStrip },
    { id: 'findings', Content: FindingsStrip },
  ],
};
