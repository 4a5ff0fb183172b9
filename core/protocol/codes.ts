// Codes of failures that both sides act on, each written once.

/** The engine keeps the last few projections and has forgotten the one asked about: it is projected again. */
export const FORGOTTEN = 'projection.unknown';

/** The transcript went back or was amended meanwhile: an event reports it, and everybody projects again. */
export const CHANGED = 'transcript.changed';
