import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const TuneMode = lazily(() => import('./TuneMode.tsx').then((file) => file.TuneMode));

export const tuneFeature: Feature = {
  modes: [{ id: 'tune', also: 'sweep options values frontier optimise cheapest critical', Content: TuneMode }],
};
