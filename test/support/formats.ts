import { formats } from '../../core/importers/formats/index.ts';

/** The ids of all registered formats: a new one is in every test over formats without being named again. */
export const FORMATS: readonly string[] = formats.all.map(({ id }) => id);
