import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';

const SummaryDialog = lazily(() => import('./SummaryDialog.tsx').then((file) => file.SummaryDialog));

export const summaryFeature: Feature = { dialogs: { summary: SummaryDialog } };
