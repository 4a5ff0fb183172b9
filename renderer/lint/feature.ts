import type { Feature } from '../state/feature.ts';
import { LintTab } from './LintTab.tsx';

export const lintFeature: Feature = {
  tabs: [{ id: 'lint', title: 'Lint', key: 'alt+0', about: 'transcript', Content: LintTab }],
};
