import type { Feature } from '../state/feature.ts';
import { SummaryDialog } from './SummaryDialog.tsx';

export const summaryFeature: Feature = { dialogs: { summary: SummaryDialog } };
