// What reads the filter above the list: loaded when somebody filters.
export { completeIn } from '../../core/filter/completeIn.ts';
export { LIBRARY_LANGUAGE, libraryValues, parseLibraryFilter } from '../../core/library/language.ts';
export { matchText } from '../../core/library/matchText.ts';
