/** Format id of everything that was read by a mapping. */
export const GENERIC_ID = 'generic-json';
