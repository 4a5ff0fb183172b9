export { type FiguresInput, slotsCost, surveyFigures } from './figures.ts';
export { fetchedAgain, type Surveyed, surveySums } from './sums.ts';
export * from './types.ts';
