/** The strips under the chart by id, in their order from the top. All are drawn on the chart's x axis: see useChart. */
export const STRIPS = ['durations', 'agents', 'cache', 'uses', 'findings', 'filter', 'watch', 'find', 'tried'] as const;

export type StripId = (typeof STRIPS)[number];
