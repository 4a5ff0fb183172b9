import { createContext } from 'react';
import type { Strip } from '../state/feature.ts';

/** The strips under the chart: the list of features, which brings the timeline too, hands them down. */
export const StripContext = createContext<readonly Strip[]>([]);
