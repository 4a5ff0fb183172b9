// browser-safe

/** The format id of a transcript that was opened from a bundle. */
export const BUNDLE_FORMAT = 'parallax-bundle';
