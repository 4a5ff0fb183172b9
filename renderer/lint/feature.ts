import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const LintTab = lazily(() => import('./LintTab.tsx').then((file) => file.LintTab));

export const lintFeature: Feature = {
  tabs: [{ id: 'lint', title: 'Lint', key: 'alt+0', about: 'transcript', Content: LintTab }],
};
